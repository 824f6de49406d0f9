// Adding, failing, editing, removing servers; several at once.
// SPDX-License-Identifier: Apache-2.0
#include "app/gui/actions.h"
#include "app/gui/warningbar.h"
#include "core/authorization/oauth.h"
#include "core/protocol/methods.h"
#include "core/secrets/secretstore.h"
#include "tests/app/gui/testwindow.h"
#include "tests/support/fakehttpserver.h"
#include "tests/support/files.h"
#include "tests/support/testregistry.h"
#include "ui/dialogs/gotopalette.h"
#include "ui/json/textview.h"
#include "ui/panels/serverlist.h"
#include "ui/panels/serverpanel.h"
#include "ui/panels/welcomepanel.h"
#include "ui/theme/widgets.h"
#include "ui/timeline/table/timelinemodel.h"
#include "ui/timeline/table/timelinetext.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLineEdit>
#include <QMessageBox>
#include <QProcess>
#include <QPushButton>
#include <QTabWidget>
#include <csignal>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::Patience;
using sonde::test::TestWindow;

namespace {

QByteArray servers()
{
    QFile file(TestWindow::configPath(u"servers.json"_s));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

json::Document parsedServers()
{
    return json::Document::parse(servers());
}

void writeServers(const QByteArray &text)
{
    QDir().mkpath(QFileInfo(TestWindow::configPath({})).path());
    test::writeFile(TestWindow::configPath(u"servers.json"_s), text);
}

}  // namespace

class TestServers : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { TestWindow::clear(); }

    void aLineIsAllItTakes()
    {
        TestWindow desk;
        auto *line = desk.find<QLineEdit>(u"connectLine"_s);
        QTest::mouseClick(line, Qt::LeftButton);
        QTest::keyClicks(line, test::demoProgram() + u" --page-size 3"_s);
        const auto *preview = desk.find<ui::TextLabel>(u"connectPreview"_s);
        QVERIFY2(preview->text().contains(test::demoProgram()), qPrintable(preview->text()));
        QTest::keyClick(line, Qt::Key_Return);
        QVERIFY(desk.isConnected(u"sonde-demo-server"_s));
        QTRY_VERIFY2(desk.offered().contains(u"summarize"_s), "not all pages were listed");
        QVERIFY(line->text().isEmpty());
        QVERIFY(qobject_cast<ui::ServerPanel *>(desk.window().tabs->currentWidget()));
        const json::Document saved = parsedServers();
        QVERIFY2(saved.isValid(), servers().constData());
        const json::Value entry = saved.root()[u"mcpServers"][u"sonde-demo-server"];
        QCOMPARE(entry[u"command"].string(), test::demoProgram());
        QCOMPARE(entry[u"args"].at(1).string(), u"3"_s);
        const QFileInfo info(TestWindow::configPath(u"servers.json"_s));
        QCOMPARE(info.permissions() & (QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther),
                 QFile::Permissions());
        QVERIFY(desk.close());
    }

    void aFailureIsExplainedEditedAndRemoved()
    {
        writeServers(R"({"note": [1.50, "kept"], "mcpServers": {"other": {"url": "https://example.invalid/mcp", )"
                     R"("x-own": {"b": 1, "a": 1e400}}}})");
        const QString name = u"no-such-program-here"_s;
        TestWindow desk;
        auto *line = desk.find<QLineEdit>(u"connectLine"_s);
        line->setFocus();
        QTest::keyClicks(line, name + u" --now"_s);
        QTest::keyClick(line, Qt::Key_Return);
        QTRY_COMPARE_WITH_TIMEOUT(desk.serverDetail(name), u"command not found"_s, Patience);
        QVERIFY(desk.window().servers->index(desk.serverRow(name)).data(ui::ServerListModel::FailureRole).toBool());
        auto *page = qobject_cast<ui::ServerPanel *>(desk.window().tabs->currentWidget());
        QVERIFY2(page, "the page that explains the failure is not open");
        auto *banner = page->findChild<ui::Banner *>();
        QVERIFY(banner->isVisible());
        const QString title = banner->findChildren<ui::TextLabel *>().value(0)->text();
        QVERIFY2(title.contains(name) && title.contains(u"not found"_s), qPrintable(title));
        const auto *evidence = page->findChild<ui::TextView *>(u"evidence"_s);
        QVERIFY(evidence->isVisible());
        const QByteArray path = qgetenv("PATH").split(':').value(0);
        QVERIFY2(evidence->text().contains(path), evidence->text().constData());

        // Edited into one that is there, under another name.
        test::WhenDialog dialog([](QDialog *shown) {
            auto *command = shown->findChild<QLineEdit *>(u"serverCommand"_s);
            QTest::mouseClick(command, Qt::LeftButton);
            QTest::keyClick(command, Qt::Key_A, Qt::ControlModifier);
            QTest::keyClicks(command, test::demoProgram());
            auto *label = shown->findChild<QLineEdit *>(u"serverName"_s);
            QTest::keyClick(label, Qt::Key_A, Qt::ControlModifier);
            QTest::keyClicks(label, u"mended"_s);
            QTest::keyClick(label, Qt::Key_Return);
        });
        QVERIFY(!page->findChild<QPushButton *>(u"editServer"_s)->isVisible());  // the remedy is the same
        QVERIFY(desk.click(u"serverRemedy"_s));
        QVERIFY(dialog.hasRun());
        QVERIFY(desk.serverRow(u"mended"_s) >= 0);
        QCOMPARE(desk.serverRow(name), -1);
        QVERIFY(desk.click(u"restartServer"_s));
        QVERIFY(desk.isConnected(u"mended"_s));
        QVERIFY(!banner->isVisible());
        const json::Document edited = parsedServers();
        QVERIFY(!edited.root()[u"mcpServers"][name].exists());
        QCOMPARE(edited.root()[u"mcpServers"][u"mended"][u"command"].string(), test::demoProgram());
        QVERIFY2(servers().contains(R"("note": [1.50, "kept"])"), servers().constData());
        QVERIFY2(servers().contains("1e400"), servers().constData());

        // Removed while it runs: after a server request, with its tabs.
        test::WhenDialog serverRequest([](QDialog *shown) { test::clickButton(shown, u"Remove"_s); });
        QVERIFY(desk.chooseInServerMenu(desk.serverRow(u"mended"_s), u"Remove"_s));
        QVERIFY(serverRequest.hasRun());
        QCOMPARE(desk.serverRow(u"mended"_s), -1);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QCOMPARE(desk.window().findChildren<ui::ServerPanel *>().size(), 1);  // of the server that is selected now
        QVERIFY(desk.serverRow(u"other"_s) >= 0);
        QVERIFY(!servers().contains("mended"));
        QVERIFY2(servers().contains(R"("note": [1.50, "kept"])"), servers().constData());
        QVERIFY(desk.close());
    }

    // An entry that was copied by hand refers to the same secret.
    // On its page, in the side bar and in the tool tips, as it is in the question before the start.
    void secretsInAUrlAreMasked()
    {
        TestWindow desk;
        desk.servers().connectLine(u"http://127.0.0.1:9/mcp?api_key=canary-1234567"_s);
        const QString name = desk.workspace().current()->spec.name;
        const auto *connection = desk.workspace().serverNamed(name)->connection.get();
        QTRY_COMPARE(connection->state(), Connection::State::Disconnected);
        QCOMPARE(connection->resolvedTarget(), u"http://127.0.0.1:9/mcp?api_key=(secret)"_s);
        const auto *rows = desk.window().tabs->currentWidget()->findChild<QWidget *>(u"doctorRows"_s);
        QTRY_VERIFY(rows && rows->isVisible());
        // One does not start what runs elsewhere.
        const auto *offers = desk.find<ui::EmptyState>(u"offerEmpty"_s);
        QTRY_COMPARE(offers->accessibleDescription(), u"Press ▶ or Enter to connect to it."_s);
        QStringList texts;
        for (const QLabel *label : desk.window().findChildren<QLabel *>())
            texts << label->text() << label->toolTip();
        for (const auto *view : desk.window().findChildren<ui::TextView *>())
            texts << QString::fromUtf8(view->text());
        for (int i = 0; i < desk.window().tabs->count(); ++i)
            texts << desk.window().tabs->tabToolTip(i);
        QVERIFY(texts.join(u'\n').contains(u"api_key=(secret)"_s));
        QVERIFY2(!texts.join(u'\n').contains(u"canary"_s), qPrintable(texts.join(u'\n')));
    }

    void theStatusLineHasRoomForLongNames()
    {
        writeServers("{\"mcpServers\":{\"" + QByteArray(200, 'n') + "\":{\"command\":\"" +
                     test::demoProgram().toUtf8() + "\"}}}");
        TestWindow desk;
        desk.window().resize(1000, 700);
        desk.servers().connectServer(QString(200, u'n'));
        QVERIFY(desk.isConnected(QString(200, u'n')));
        QTRY_VERIFY(desk.window().process->isVisible());
        QCoreApplication::processEvents();
        QCOMPARE(desk.window().width(), 1000);
        for (const QWidget *fact : {desk.window().recording, desk.window().counts, desk.window().process}) {
            const QRect room = fact->parentWidget()->rect();
            QVERIFY2(fact->geometry().right() <= room.right(), qPrintable(fact->objectName()));
            QVERIFY(fact->width() >= 40);
        }
    }

    void aSecretLastsAsLongAsAServerRefersToIt()
    {
        const QByteArray environment = "\"env\": {\"TOKEN\": \"${keychain:shared}\"}";
        writeServers("{\"mcpServers\": {\"one\": {\"command\": \"a\", " + environment +
                     "}, \"two\": {\"command\": \"b\", " + environment + "}}}");
        TestWindow desk;
        const std::shared_ptr<SecretVault> vault = desk.workspace().profile().secrets;
        vault->keepForSession(u"shared"_s, "value");
        const auto removes = [&desk](const QString &name) {
            test::WhenDialog question([](QDialog *shown) { test::clickButton(shown, u"Remove"_s); });
            return desk.chooseInServerMenu(desk.serverRow(name), u"Remove"_s) && question.hasRun();
        };
        QVERIFY(removes(u"one"_s));
        QVERIFY(vault->isForSession(u"shared"_s));
        QVERIFY(removes(u"two"_s));
        QVERIFY(!vault->isForSession(u"shared"_s));
        QVERIFY(desk.close());
    }

    void keysOfTheListRenameAndRemove()
    {
        writeServers("{\"mcpServers\": {\"one\": {\"command\": \"a\"}}}");
        TestWindow desk;
        QVERIFY(desk.clickServer(u"one"_s));
        QListView *list = desk.window().serverList;
        test::WhenDialog rename([](QDialog *shown) {
            shown->findChild<QLineEdit *>()->setText(u"two"_s);
            QVERIFY(test::clickButton(shown, u"Rename"_s));
        });
        QTest::keyClick(list, Qt::Key_F2);
        QVERIFY(rename.hasRun());
        QVERIFY(desk.serverRow(u"one"_s) < 0);
        QVERIFY(desk.clickServer(u"two"_s));
        test::WhenDialog question([](QDialog *shown) { QVERIFY(test::clickButton(shown, u"Remove"_s)); });
        QTest::keyClick(list, Qt::Key_Delete);
        QVERIFY(question.hasRun());
        QVERIFY(desk.serverRow(u"two"_s) < 0);
        QVERIFY(desk.close());
    }

    void aSecretThatStaysInTheKeychainIsSaid()
    {
        writeServers("{\"mcpServers\": {\"one\": {\"command\": \"a\", \"env\": {\"TOKEN\": \"${keychain:kept}\"}}}}");
        TestWindow desk;
        test::WhenDialog question([](QDialog *shown) { test::clickButton(shown, u"Remove"_s); });
        QVERIFY(desk.chooseInServerMenu(desk.serverRow(u"one"_s), u"Remove"_s));
        QVERIFY(question.hasRun());
        const auto said = [&desk] {
            QStringList texts;
            for (const QLabel *label : desk.window().notice->findChildren<QLabel *>())
                texts.append(label->text());
            return texts.join(u' ');
        };
        QTRY_VERIFY2(said().contains(u"A secret of “one” is still in the keychain"_s), qPrintable(said()));
        QVERIFY(desk.window().notice->isVisible());
        QVERIFY(desk.close());
    }

    // No keychain, and the person thinks again: what was typed is there still.
    // Esc is pressed quickly, and what was typed may be long.
    void aServerThatIsNotAddedIsADraft()
    {
        TestWindow desk;
        QStringList seen;
        const auto line = [](QDialog *shown) { return shown->findChild<QLineEdit *>(u"serverCommand"_s); };
        const auto look = [&](QDialog *shown) {
            seen = {shown->findChild<QLineEdit *>(u"serverName"_s)->text(), line(shown)->text(),
                    line(shown)->selectedText()};
        };
        test::WhenDialog first([&](QDialog *shown) {
            QTest::keyClicks(line(shown), u"node '/srv/half typed"_s);  // no command line yet
            QTest::keyClick(line(shown), Qt::Key_Escape);
        });
        desk.servers().askForServer();
        QVERIFY(first.hasRun());
        test::WhenDialog second([&](QDialog *shown) {
            look(shown);
            QTest::keyClicks(line(shown), u"npx thing"_s);
            QTest::keyClick(line(shown), Qt::Key_Return);
        });
        desk.servers().askForServer();
        QVERIFY(second.hasRun());
        QCOMPARE(seen.mid(1), QStringList({u"node '/srv/half typed"_s, u"node '/srv/half typed"_s}));
        QTRY_VERIFY(desk.serverRow(u"thing"_s) >= 0);
        test::WhenDialog third([&](QDialog *shown) {
            look(shown);
            shown->reject();
        });
        desk.servers().askForServer();
        QVERIFY(third.hasRun());
        QCOMPARE(seen, QStringList({QString(), QString(), QString()}));
        QVERIFY(desk.close());
    }

    void whatWasTypedOutlastsTheQuestionAboutSecrets()
    {
        writeServers("{\"mcpServers\": {\"before\": {\"command\": \"before\"}}}");
        TestWindow desk;
        const auto question = [&desk] { return desk.window().findChild<QMessageBox *>(u"secretsNotKept"_s); };
        const auto cancel = [&] { return question()->button(QMessageBox::Cancel); };
        test::WhenDialog add([](QDialog *shown) {
            QTest::keyClicks(shown->findChild<QLineEdit *>(u"serverCommand"_s),
                             u"API_TOKEN=typed-1234567 tool --fast"_s);
            auto *name = shown->findChild<QLineEdit *>(u"serverName"_s);
            name->selectAll();
            QTest::keyClicks(name, u"mine"_s);
            QTest::keyClick(name, Qt::Key_Return);
        });
        desk.servers().askForServer();
        QVERIFY(add.hasRun());
        QTRY_VERIFY(question() && question()->isVisible());
        QStringList shownAgain;
        test::WhenDialog again([&](QDialog *shown) {
            shownAgain = {shown->findChild<QLineEdit *>(u"serverName"_s)->text(),
                          shown->findChild<QLineEdit *>(u"serverCommand"_s)->text()};
            shown->reject();
        });
        QTest::mouseClick(cancel(), Qt::LeftButton);
        QTRY_VERIFY(again.hasRun());
        QCOMPARE(shownAgain, QStringList({u"mine"_s, u"tool --fast"_s}));
        QCOMPARE(desk.serverRow(u"mine"_s), -1);
        QTRY_VERIFY(!question());

        // The name that it has may be typed anew.
        test::WhenDialog edit([](QDialog *shown) {
            auto *name = shown->findChild<QLineEdit *>(u"serverName"_s);
            name->selectAll();
            QTest::keyClicks(name, u"after"_s);
            auto *command = shown->findChild<QLineEdit *>(u"serverCommand"_s);
            command->selectAll();
            QTest::keyClicks(command, u"API_TOKEN=typed-1234567 after"_s);
            QTest::keyClick(name, Qt::Key_Return);
        });
        QVERIFY(desk.chooseInServerMenu(desk.serverRow(u"before"_s), u"Edit…"_s));
        QVERIFY(edit.hasRun());
        QTRY_VERIFY(question() && question()->isVisible());
        test::WhenDialog editAgain([](QDialog *shown) {
            auto *name = shown->findChild<QLineEdit *>(u"serverName"_s);
            QCOMPARE(name->text(), u"after"_s);
            name->selectAll();
            QTest::keyClicks(name, u"before"_s);
            QVERIFY(shown->findChild<QPushButton *>(u"serverOk"_s)->isEnabled());
            shown->reject();
        });
        QTest::mouseClick(cancel(), Qt::LeftButton);
        QTRY_VERIFY(editAgain.hasRun());
        QVERIFY(desk.serverRow(u"before"_s) >= 0);
        QVERIFY(!servers().contains("typed-1234567"));
        QVERIFY(desk.close());
    }

    // So does a sign-in, which goes with the URL.
    void aSignInGoesWithItsLastServer()
    {
        writeServers(
            "{\"mcpServers\": {\"one\": {\"url\": \"https://notes.example/mcp\"}, "
            "\"two\": {\"url\": \"https://notes.example/mcp\", \"headers\": {\"X-Team\": \"2\"}}}}");
        TestWindow desk;
        const std::shared_ptr<SecretVault> vault = desk.workspace().profile().secrets;
        const QString signIn = OAuth::nameFor(QUrl(u"https://notes.example/mcp"_s), {});
        vault->keepForSession(signIn, "tokens");
        QVERIFY(!desk.workspace().remove(u"one"_s));
        QVERIFY(vault->isForSession(signIn));
        ServerSpec two = desk.workspace().serverNamed(u"two"_s)->spec;
        two.name = u"renamed"_s;
        QVERIFY(!desk.workspace().change(u"two"_s, two));
        QVERIFY(vault->isForSession(signIn));
        ServerSpec moved = two;
        moved.url = QUrl(u"https://other.example/mcp"_s);
        QVERIFY(!desk.workspace().change(u"renamed"_s, moved));
        QTRY_VERIFY(!vault->isForSession(signIn));
        QVERIFY(!desk.workspace().change(u"renamed"_s, two));
        vault->keepForSession(signIn, "tokens");
        QVERIFY(!desk.workspace().remove(u"renamed"_s));
        QTRY_VERIFY(!vault->isForSession(signIn));
        QVERIFY(desk.close());
    }

    // Its tokens would be valid for as long as the authorization server says.
    void aSignInThatGoesIsRevoked()
    {
        test::FakeHttpServer server([](const test::FakeHttpServer::Request &, const test::FakeHttpServer::Peer &peer) {
            peer.response(200, {}, {});
        });
        const QUrl url = server.url(u"/mcp"_s);
        writeServers("{\"mcpServers\": {\"one\": {\"url\": \"" + url.toEncoded() + "\"}}}");
        TestWindow desk;
        SignInRecord record;
        record.tokens.issuer = server.url({}).toString();
        record.tokens.accessToken = "a1";
        record.tokens.refreshToken = "r1";
        record.revocation = {server.url(u"/revoke"_s), {}, QHostAddress(QHostAddress::LocalHost)};
        const QString signIn = OAuth::nameFor(url, {});
        desk.workspace().profile().secrets->keepForSession(signIn, record.toJson());
        QVERIFY(!desk.workspace().remove(u"one"_s));
        QTRY_COMPARE(server.requests("POST").size(), 2);
        QCOMPARE(server.requests("POST").at(0).path, QByteArray("/revoke"));
        QVERIFY(server.requests("POST").at(0).body.contains("token=r1"));
        QVERIFY(server.requests("POST").at(1).body.contains("token=a1"));
        QTRY_VERIFY(!desk.workspace().profile().secrets->isForSession(signIn));
        QVERIFY(desk.close());
    }

    // By the client that it was given to, whose secret goes with the server, too.
    void aSignInThatGoesIsRevokedByItsClient()
    {
        test::FakeHttpServer server([](const test::FakeHttpServer::Request &, const test::FakeHttpServer::Peer &peer) {
            peer.response(200, {}, {});
        });
        const QUrl url = server.url(u"/mcp"_s);
        writeServers("{\"mcpServers\": {\"one\": {\"url\": \"" + url.toEncoded() +
                     "\", \"oauth\": {\"clientId\": \"me\", \"clientSecret\": \"${keychain:of-client}\"}}}}");
        TestWindow desk;
        const std::shared_ptr<SecretVault> vault = desk.workspace().profile().secrets;
        vault->keepForSession(u"of-client"_s, "client-password");
        SignInRecord record;
        record.tokens.issuer = server.url({}).toString();
        record.tokens.accessToken = "a1";
        record.revocation = {server.url(u"/revoke"_s), QStringList{u"client_secret_post"_s},
                             QHostAddress(QHostAddress::LocalHost)};
        OAuthSettings settings;
        settings.clientId = u"me"_s;
        vault->keepForSession(OAuth::nameFor(url, settings), record.toJson());
        test::WhenDialog question([](QDialog *shown) { test::clickButton(shown, u"Remove"_s); });
        QVERIFY(desk.chooseInServerMenu(desk.serverRow(u"one"_s), u"Remove"_s));
        QVERIFY(question.hasRun());
        QTRY_COMPARE(server.requests("POST").size(), 1);
        const QByteArray body = server.requests("POST").at(0).body;
        QVERIFY2(body.contains("client_secret=client-password"), body.constData());
        QTRY_VERIFY(!vault->isForSession(u"of-client"_s));
        QVERIFY(desk.close());
    }

    // A connection goes on with what it has, whatever the description says by now.
    void theSignInOfAConnectionGoesAfterIt()
    {
        test::FakeHttpServer server(
            [](const test::FakeHttpServer::Request &request, const test::FakeHttpServer::Peer &peer) {
                if (request.path == "/revoke")
                    peer.response(200, {}, {});
            });
        const QUrl live = server.url(u"/live"_s);
        const QUrl idle = server.url(u"/idle"_s);
        writeServers("{\"mcpServers\": {\"live\": {\"url\": \"" + live.toEncoded() + "\"}, \"idle\": {\"url\": \"" +
                     idle.toEncoded() + "\"}}}");
        TestWindow desk;
        for (const QUrl &url : {live, idle}) {
            SignInRecord record;
            record.tokens.issuer = server.url({}).toString();
            record.tokens.accessToken = url == live ? "of-live" : "of-idle";
            record.revocation = {server.url(u"/revoke"_s), {}, QHostAddress(QHostAddress::LocalHost)};
            desk.workspace().profile().secrets->keepForSession(OAuth::nameFor(url, {}), record.toJson());
        }
        const auto revoked = [&server] {
            QByteArray bodies;
            for (const test::FakeHttpServer::Request &request : server.requests("POST"))
                bodies += request.path == "/revoke" ? request.body : QByteArray();
            return bodies;
        };
        app::WorkspaceItem *item = desk.workspace().serverNamed(u"live"_s);
        desk.workspace().start(*item);
        QTRY_VERIFY(!server.requests("POST").isEmpty());
        QCOMPARE(server.requests("POST").first().header("Authorization"), "Bearer of-live"_ba);
        ServerSpec moved = item->spec;
        moved.url = server.url(u"/moved"_s);
        QVERIFY(!desk.workspace().change(u"live"_s, moved));
        QVERIFY(!desk.workspace().remove(u"idle"_s));
        QTRY_VERIFY(revoked().contains("of-idle"));
        QVERIFY2(!revoked().contains("of-live"), revoked().constData());
        item->connection->close();
        QTRY_VERIFY(revoked().contains("of-live"));
        QVERIFY(desk.close());
    }

    void whatWasDetectedCanBeForgotten()
    {
        TestWindow desk;
        const QString name = desk.add(test::demoProgram() + u" --revision 2025-06-18"_s);
        QVERIFY(desk.clickServer(name));
        const auto probes = [&desk] { return desk.countOf(methods::Discover.toString(), Direction::ToServer); };
        QCOMPARE(probes(), 1);
        QVERIFY(desk.click(u"restartServer"_s));
        QTRY_COMPARE_WITH_TIMEOUT(desk.countOf(methods::Initialize.toString(), Direction::ToServer), 2, Patience);
        QVERIFY(desk.isConnected(name));
        QCOMPARE(probes(), 1);
        QVERIFY(desk.click(u"detectAgain"_s));
        QTRY_COMPARE_WITH_TIMEOUT(desk.countOf(methods::Initialize.toString(), Direction::ToServer), 3, Patience);
        QCOMPARE(probes(), 2);
        QVERIFY(desk.close());
    }

    // One's own server can be called like the built-in one, in a list that was written by hand.
    void serversOfOneNameAreToldApart()
    {
        writeServers(R"({"mcpServers":{"Demo server":{"command":")" + test::demoProgram().toUtf8() +
                     R"(","args":["--page-size","3"]}}})");
        TestWindow desk;
        const int own = 0;
        const int builtIn = 1;
        const auto *list = desk.window().servers;
        QCOMPARE(list->index(own).data().toString(), list->index(builtIn).data().toString());
        const auto chooses = [&desk, list](int row, const QString &entry, int number) {
            desk.press(Qt::Key_K, Qt::ControlModifier);
            auto *palette = desk.window().findChild<ui::GotoPalette *>();
            QVERIFY(palette);
            QTest::keyClicks(palette->findChild<QLineEdit *>(), entry);
            for (int i = 0; i < number; ++i)
                QTest::keyClick(palette->findChild<QLineEdit *>(), Qt::Key_Down);
            QTest::keyClick(palette->findChild<QLineEdit *>(), Qt::Key_Return);
            QTRY_VERIFY(!desk.window().findChild<ui::GotoPalette *>());
            QCOMPARE(desk.window().serverList->currentIndex().row(), row);
        };
        chooses(own, u"Demo server"_s, 0);
        chooses(builtIn, u"Demo server"_s, 1);
        for (const int row : {own, builtIn}) {
            QVERIFY(test::clickRow(desk.window().serverList, list->index(row)));
            desk.press(Qt::Key_F5);
            QTRY_VERIFY_WITH_TIMEOUT(desk.offered().contains(u"echo"_s), Patience);
        }
        chooses(own, u"echo"_s, 1);  // that of the current server comes first
        QCOMPARE(desk.panel()->connection()->spec().arguments.size(), 2);
        chooses(builtIn, u"echo"_s, 1);
        QCOMPARE(desk.panel()->connection()->spec().arguments.size(), 0);
        // And none gets that name here.
        ServerSpec spec = app::Workspace::demoSpec();
        spec.arguments = {u"--page-size"_s, u"4"_s};
        desk.servers().connectTyped(spec);
        QCOMPARE(desk.window().serverList->currentIndex().data().toString(), u"Demo server 2"_s);
        QVERIFY(desk.close());
    }

    // With the true reason, in the same words.
    void aServerThatIsOverSaysSoEverywhere_data()
    {
        QTest::addColumn<QString>("arguments");
        QTest::addColumn<QString>("mark");
        QTest::addColumn<QString>("reason");
        QTest::newRow("stopped") << QString() << u"⊘ add"_s << u"stopped"_s;
        QTest::newRow("killed") << QString() << u"✕ add"_s << u"terminated by SIGKILL"_s;
        QTest::newRow("crashed") << u" --crash-on-call"_s << u"✕ add"_s << u"terminated by SIGABRT"_s;
        QTest::newRow("exited") << u" --exit-on-call 3"_s << u"✕ add"_s << u"exited with code 3"_s;
        QTest::newRow("gone") << u" --http"_s << u"✕ add"_s << u"connection refused"_s;
    }
    void aServerThatIsOverSaysSoEverywhere()
    {
        QFETCH(QString, arguments);
        QFETCH(QString, mark);
        QFETCH(QString, reason);
        QString line = test::demoProgram() + arguments;
        QProcess http;
        if (arguments.contains(u"http"_s)) {
            http.setProcessChannelMode(QProcess::MergedChannels);
            http.startCommand(line);
            QByteArray said;
            QTRY_VERIFY_WITH_TIMEOUT((said += http.readAll()).contains("/mcp\n"), Patience);
            line = QString::fromUtf8(said.mid(said.indexOf("http://"))).section(u'\n', 0, 0);
        }
        TestWindow desk;
        const QString name = desk.add(line);
        ui::CallPanel *panel = desk.open(u"add"_s);
        QVERIFY(panel);
        const Connection *connection = panel->connection();
        QTabWidget *tabs = desk.window().tabs;
        QCOMPARE(tabs->tabText(tabs->indexOf(panel)), u"add"_s);
        if (http.state() == QProcess::Running) {
            http.kill();
            QVERIFY(http.waitForFinished());
            desk.press(Qt::Key_F5);
        } else if (!arguments.isEmpty()) {
            QVERIFY(desk.enter(u"/a"_s, u"1"_s));
            QVERIFY(desk.enter(u"/b"_s, u"2"_s));
            QVERIFY(desk.call(u"⊘ Connection lost"_s));
        } else if (reason.endsWith(u"SIGKILL"_s)) {
            ::kill(pid_t(connection->processId()), SIGKILL);
        } else {
            desk.window().actions->stop->trigger();
        }
        QTRY_VERIFY_WITH_TIMEOUT(connection->state() == Connection::State::Disconnected, Patience);
        QVERIFY2(desk.serverDetail(name).contains(reason), qPrintable(desk.serverDetail(name)));
        QTRY_COMPARE(tabs->tabText(tabs->indexOf(panel)), mark);
        const QString word = reason.section(u' ', -1);
        QVERIFY2(tabs->tabToolTip(tabs->indexOf(panel)).contains(word, Qt::CaseInsensitive),
                 qPrintable(tabs->tabToolTip(tabs->indexOf(panel))));
        const auto *banner = panel->findChild<ui::Banner *>(u"unsent"_s);
        QVERIFY(banner->isVisible());
        QVERIFY2(banner->accessibleDescription().contains(reason, Qt::CaseInsensitive),
                 qPrintable(banner->accessibleDescription()));
        desk.window().actions->serverInfo->trigger();
        const QWidget *page = tabs->currentWidget();
        const auto *status = page->findChild<QLabel *>(u"serverStatus"_s);
        const auto *badge = page->findChild<ui::Badge *>(u"serverFailure"_s);
        const QString said = badge->isVisible() ? badge->text() : status->text();
        QVERIFY2(said.contains(reason, Qt::CaseInsensitive), qPrintable(said));
        if (reason.contains(u"SIG"_s) || reason.contains(u"exited"_s)) {  // later than its lists were read
            QStringList texts;
            for (const QLabel *label : page->findChildren<QLabel *>())
                texts.append(label->isVisible() ? label->text() : QString());
            const QString steps = texts.join(u'\n');
            QVERIFY2(steps.contains(u"after the handshake"_s) && !steps.contains(u"not reached"_s) &&
                         !steps.contains(u"none offered"_s),
                     qPrintable(steps));
        }
        tabs->setCurrentWidget(panel);
        QVERIFY(desk.click(u"unsentRestart"_s));
        const bool isBack = !arguments.contains(u"http"_s);
        QVERIFY(!isBack || desk.isConnected(name));
        QTRY_COMPARE(tabs->tabText(tabs->indexOf(panel)), isBack ? u"add"_s : mark);
        QTRY_COMPARE(banner->isVisible(), !isBack);
        QVERIFY(desk.close());
    }

    // Its tabs go with it, as the question says; what came of the calls is in the session.
    void aServerIsRemovedWhileItsCallsRun()
    {
        TestWindow desk;
        const QString name = desk.add(test::demoProgram());
        for (const QString &tool : {u"slow"_s, u"progress"_s}) {
            QVERIFY(desk.open(tool));
            QVERIFY(desk.enter(tool == u"slow"_s ? u"/seconds"_s : u"/steps"_s, u"600"_s));
            desk.press(Qt::Key_Return, Qt::ControlModifier);
        }
        QTRY_COMPARE(desk.countOf(u"tools/call"_s, Direction::ToServer), 2);
        QVERIFY(desk.open(u"add"_s));
        QVERIFY(desk.enter(u"/a"_s, u"1"_s));
        const QString recording = desk.session()->path();
        QString asked;
        test::WhenDialog question([&asked](QDialog *shown) {
            asked = qobject_cast<QMessageBox *>(shown) ? qobject_cast<QMessageBox *>(shown)->text() : QString();
            test::clickButton(shown, u"Remove"_s);
        });
        QVERIFY(desk.chooseInServerMenu(desk.serverRow(name), u"Remove"_s));
        QVERIFY(question.hasRun());
        QVERIFY2(asked.contains(u"2 calls are running and will be cancelled."_s), qPrintable(asked));
        QCOMPARE(desk.serverRow(name), -1);
        QTRY_VERIFY(desk.window().findChildren<ui::CallPanel *>().isEmpty());
        desk.press(Qt::Key_T, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(!desk.panel());
        desk.workspace().openSessionFile(recording);
        QTRY_VERIFY(desk.session() && desk.session()->path() == recording);
        QTRY_COMPARE(desk.countOf(u"tools/call"_s, Direction::ToServer), 2);
        const auto badges = [&desk] {
            QStringList all;
            const auto *model = desk.timelineModel();
            for (int row = 0; row < model->rowCount(); ++row) {
                const QString target =
                    model->index(row, 0).data(ui::TimelineModel::TextRole).value<ui::RowText>().target;
                const QString badge = model->index(row, 0).data(ui::TimelineModel::BadgeRole).toString();
                if (!target.isEmpty() && !badge.isEmpty())
                    all << target + u' ' + badge;
            }
            return all;
        };
        for (const QString &expected : {u"slow ⊘ no response"_s, u"progress ⊘ no response"_s})
            QTRY_VERIFY2(badges().contains(expected), qPrintable(badges().join(u'\n')));
        QVERIFY(desk.close());
    }

    void aDoubleClickOnTheMarkStartsOnce()
    {
        TestWindow desk;
        desk.servers().connectLine(test::demoProgram() + u" --slow-start 300"_s);
        const QString name = u"sonde-demo-server"_s;
        QVERIFY(desk.isConnected(name));
        ui::ServerListView *list = desk.window().serverList;
        const QModelIndex row = desk.window().servers->index(desk.serverRow(name));
        const QRect area = list->visualRect(row);
        const QPoint mark(area.right() - ui::Grid - 6, area.center().y());
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, mark);
        QTRY_VERIFY_WITH_TIMEOUT(desk.serverDetail(name).contains(u"stopped"_s), Patience);
        QTest::mouseDClick(list->viewport(), Qt::LeftButton, {}, mark);
        QVERIFY(desk.isConnected(name));
        // Pressed on the mark and let go beside it: nothing.
        QTest::mousePress(list->viewport(), Qt::LeftButton, {}, mark);
        QTest::mouseRelease(list->viewport(), Qt::LeftButton, {}, area.center());
        QTest::mousePress(list->viewport(), Qt::LeftButton, {}, area.center());
        QTest::mouseRelease(list->viewport(), Qt::LeftButton, {}, mark);
        QVERIFY(desk.isConnected(name));
        QVERIFY(desk.close());
    }

    // Each remedy goes with what it is about, and with nothing else.
    void aWarningGoesWithItsSubject()
    {
        app::WarningBar notice;
        notice.show();
        auto *remedy = notice.findChild<QWidget *>(u"noticeRemedy"_s);
        auto first = std::make_unique<QObject>();
        auto second = std::make_unique<QObject>();
        notice.say(u"close to its limit"_s, {});
        notice.offer(u"Change limit…"_s, first.get(), [] {});
        notice.say(u"Not saved"_s, {});
        notice.offer(u"Try again"_s, second.get(), [] {});
        first.reset();
        QVERIFY(notice.isVisible() && remedy->isVisible());
        second.reset();
        QVERIFY(!notice.isVisible());
        notice.say(u"about nothing that can go"_s, {});
        QVERIFY(notice.isVisible() && !remedy->isVisible());
    }

    void aBrokenListIsSaidAndNeverOverwritten()
    {
        writeServers("{\"mcpServers\": {\"a\": ");
        TestWindow desk;
        QVERIFY(desk.window().notice->isVisible());
        desk.servers().connectLine(test::demoProgram());
        QCOMPARE(servers(), QByteArray("{\"mcpServers\": {\"a\": "));
        QVERIFY(desk.close());
    }

    void eachServerHasItsOwnOffersTimelineAndTabs()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        const QString demo = app::Workspace::demoSpec().name;
        const Session *demoSession = desk.session();
        QVERIFY(desk.enter(u"/a"_s, u"1"_s));
        desk.servers().connectLine(test::demoProgram() + u" --missing-method prompts/list"_s);
        QVERIFY(desk.isConnected(u"sonde-demo-server"_s));
        QTRY_VERIFY2(desk.offered().contains(u"echo"_s), "the second server offers nothing");
        QVERIFY(!desk.offered().contains(u"summarize"_s));
        Session *second = desk.session();
        QVERIFY(second && second != demoSession);
        QVERIFY(desk.open(u"add"_s));
        QCOMPARE(desk.panel()->arguments().contains('1'), false);
        const int tab = desk.window().tabs->currentIndex();

        QVERIFY(desk.clickServer(demo));
        QCOMPARE(desk.session(), demoSession);
        QVERIFY(desk.offered().contains(u"summarize"_s));
        // The same tool of the other server is another tab.
        QVERIFY(desk.open(u"add"_s));
        QVERIFY(desk.window().tabs->currentIndex() != tab);
        QCOMPARE(desk.panel()->arguments(), QByteArray(R"({"a":1})"));
        // A tab brings its server with it.
        const QPoint place = desk.window().tabs->tabBar()->tabRect(tab).center();
        QTest::mouseClick(desk.window().tabs->tabBar(), Qt::LeftButton, {}, place);
        QCOMPARE(desk.session(), second);
        QCOMPARE(desk.window().serverList->currentIndex().row(), desk.serverRow(u"sonde-demo-server"_s));
        QVERIFY(desk.enter(u"/a"_s, u"3"_s));
        QVERIFY(desk.enter(u"/b"_s, u"4"_s));
        const qsizetype before = demoSession->size();
        QVERIFY(desk.call(u"✓ OK"_s));
        QCOMPARE(desk.resultText().left(1), u"7"_s);
        QCOMPARE(demoSession->size(), before);

        // Stopping one leaves the other.
        QVERIFY(desk.chooseInServerMenu(desk.serverRow(u"sonde-demo-server"_s), u"Stop"_s));
        QTRY_VERIFY2_WITH_TIMEOUT(desk.serverDetail(u"sonde-demo-server"_s).contains(u"stopped"_s),
                                  qPrintable(desk.serverDetail(u"sonde-demo-server"_s)), Patience);
        QVERIFY(desk.isConnected(demo));
        QVERIFY(desk.close());
    }

    void tabsAreClosedAndWelcomeComesBack()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        for (int i = 0; i < 10 && desk.window().tabs->currentWidget() != desk.window().welcome; ++i)
            desk.press(Qt::Key_W, Qt::ControlModifier);
        QCOMPARE(desk.window().tabs->count(), 1);
        QVERIFY(desk.window().welcome->isVisible());
        // Closing it too brings it back: there is always something to start from.
        desk.press(Qt::Key_W, Qt::ControlModifier);
        QCOMPARE(desk.window().tabs->count(), 1);
        QVERIFY(desk.window().welcome->isVisible());
        QVERIFY(desk.open(u"echo"_s));
        QVERIFY(desk.close());
    }
};

SONDE_TEST(TestServers)
#include "tst_servers.moc"
