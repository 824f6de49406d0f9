// What the window asks before it starts, signs in or calls: nothing happens before the answer.
// SPDX-License-Identifier: Apache-2.0
#include "app/gui/mainwindow.h"
#include "app/gui/servercontroller.h"
#include "core/authorization/oauth.h"
#include "core/authorization/pkce.h"
#include "tests/app/gui/testwindow.h"
#include "tests/support/fakehttpserver.h"
#include "tests/support/files.h"
#include "tests/support/testregistry.h"
#include "ui/json/textview.h"
#include "ui/panels/callpanel.h"
#include "ui/panels/offermodel.h"
#include "ui/result/resultview.h"
#include "ui/theme/widgets.h"
#include "ui/timeline/timelinepanel.h"

#include <QAbstractItemView>
#include <QDesktopServices>
#include <QDir>
#include <QFileInfo>
#include <QLabel>
#include <QProcess>
#include <QPushButton>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::TestWindow;

class TestQuestions : public QObject {
    Q_OBJECT

public Q_SLOTS:
    // The browser of this desktop, in which the person signs in at once.
    void browse(const QUrl &url)
    {
        ++m_opened;
        if (m_signsIn)
            m_browser.start(node(), {peers(u"browser.mjs"_s), url.toString(QUrl::FullyEncoded), u"ada"_s});
    }

private Q_SLOTS:
    void init()
    {
        TestWindow::clear();
        m_opened = 0;
        m_signsIn = true;
        m_folder = std::make_unique<QTemporaryDir>();
    }

    void s3_aServerOfTheFileIsAskedFor()
    {
        const QString trace = m_folder->filePath(u"trace"_s);
        QVERIFY(QDir().mkpath(QFileInfo(TestWindow::configPath(u"servers.json"_s)).path()));
        test::writeFile(TestWindow::configPath(u"servers.json"_s),
                        "{\"mcpServers\":{\"one\":{\"command\":\"/bin/sh\",\"args\":[\"-c\",\"touch " + trace.toUtf8() +
                            "\"]},\"two\":{\"command\":\"/bin/true\"}}}");
        QFile::remove(TestWindow::configPath(u"approvals.json"_s));
        TestWindow desk;
        desk.asksForApproval();
        desk.workspace().approve(*specOf(desk, u"two"_s));
        QVERIFY(!desk.workspace().serverNamed(u"one"_s)->connection);
        forget(desk, u"one"_s);
        desk.servers().connectServer(u"one"_s);
        auto *cancel = desk.window().tabs->currentWidget()->findChild<QPushButton *>(u"declineStart"_s);
        QTRY_VERIFY(cancel && cancel->isVisible() && cancel->hasFocus());
        QVERIFY(!desk.window().timeline->isVisible());  // it would only take room from what is asked
        const auto shown = [&desk] {
            const auto *lines = desk.window().tabs->currentWidget()->findChild<ui::TextView *>(u"launchLines"_s);
            return lines && lines->isVisible() ? QString::fromUtf8(lines->text()).split(u'\n') : QStringList();
        };
        QVERIFY2(shown().contains(u"touch "_s + trace), qPrintable(shown().join(u'\n')));
        QVERIFY2(shown().contains(QDir::homePath()), qPrintable(shown().join(u'\n')));
        QVERIFY(!desk.window().tabs->currentWidget()->findChild<QPushButton *>(u"cancelStart"_s)->isVisible());
        desk.press(Qt::Key_Return);  // presses Cancel
        QTRY_VERIFY(desk.window().timeline->isVisible());
        QTRY_COMPARE(desk.workspace().serverNamed(u"one"_s)->connection->state(), Connection::State::Disconnected);
        QVERIFY(!QFileInfo::exists(trace));
        desk.servers().connectServer(u"one"_s);
        QVERIFY(desk.click(u"approveStart"_s));
        QTRY_VERIFY(QFileInfo::exists(trace));
        // Removed while it asks, with another page open.
        forget(desk, u"one"_s);
        desk.workspace().restart(*desk.workspace().serverNamed(u"one"_s));
        QTRY_VERIFY(desk.workspace().serverNamed(u"one"_s)->connection->approval());
        // Changed while it asks: it asks about that.
        ServerSpec changed = *specOf(desk, u"one"_s);
        changed.arguments = {u"/another/trace"_s};
        QVERIFY(!desk.workspace().change(u"one"_s, changed));
        QTRY_VERIFY(shown().contains(u"/another/trace"_s));
        QVERIFY(desk.workspace().serverNamed(u"one"_s)->connection->approval());
        QVERIFY(!desk.workspace().remove(u"one"_s));
        QTRY_VERIFY(!desk.workspace().serverNamed(u"one"_s));
    }

    // A click that was meant for the lines that were there before must not start what is there now.
    void s3_aChangedQuestionIsNotAcceptedAtOnce()
    {
        TestWindow desk;
        desk.asksForApproval();
        desk.servers().connectLine(u"/bin/true first"_s);
        const QString name = desk.workspace().current()->spec.name;
        QTRY_COMPARE(desk.workspace().serverNamed(name)->connection->state(), Connection::State::Disconnected);
        ServerSpec changed = *specOf(desk, name);
        forget(desk, name);
        desk.servers().connectServer(name);
        auto *approve = desk.window().tabs->currentWidget()->findChild<QPushButton *>(u"approveStart"_s);
        QTRY_VERIFY(approve && approve->isVisible() && approve->isEnabled());
        Connection *connection = desk.workspace().serverNamed(name)->connection.get();
        int asked = 0;
        bool wasEnabled = true;
        connect(connection, &Connection::approvalNeeded, approve, [&] {
            ++asked;
            wasEnabled = approve->isEnabled();
            approve->click();
        });
        changed.arguments = {u"second"_s};
        QVERIFY(!desk.workspace().change(name, changed));
        QTRY_COMPARE(asked, 1);
        QVERIFY(!wasEnabled);
        QVERIFY(connection->approval());
        QTRY_VERIFY(approve->isEnabled());
        approve->click();
        QVERIFY(!connection->approval());
    }

    void theSignInIsShownStepByStep()
    {
        if (!QFileInfo::exists(node()))
            QSKIP("the test servers are not installed: run ./test");
        TestWindow desk;
        QDesktopServices::setUrlHandler(u"http"_s, this, "browse");
        const QString url = startServer();
        desk.servers().connectLine(url);
        const auto state = [&desk] {
            const QWidget *page = desk.window().tabs->currentWidget();
            const auto *badge = page->findChild<ui::Badge *>(u"signInState"_s);
            return badge && badge->isVisible() ? badge->text() : QString();
        };
        QTRY_COMPARE(state(), u"waiting for you"_s);
        QCOMPARE(m_opened, 0);
        const QString host = desk.window().tabs->currentWidget()->findChild<QLabel *>(u"urlHost"_s)->text();
        QCOMPARE(host, u"127.0.0.1"_s);
        const QPointer<QLabel> pageText = desk.window().tabs->currentWidget()->findChild<QLabel *>(u"signInPageText"_s);
        QVERIFY2(pageText->text().contains(u"Nothing has been opened yet"_s), qPrintable(pageText->text()));
        QVERIFY(desk.click(u"openSignInPage"_s));
        QVERIFY2(pageText->text().startsWith(u"This address was opened"_s), qPrintable(pageText->text()));
        QTRY_VERIFY2(state().endsWith(u"signed in"_s), qPrintable(state()));
        QCOMPARE(m_opened, 1);
        QTRY_VERIFY(desk.offered().contains(u"who-am-i"_s));
        // There is no keychain here, which is said.
        const auto *message = desk.window().tabs->currentWidget()->findChild<QLabel *>(u"signInMessage"_s);
        QVERIFY2(message->text().startsWith(u"Kept for this session only"_s), qPrintable(message->text()));
        QVERIFY(desk.click(u"signInStepLink2"_s));
        const QByteArray shown =
            desk.window().tabs->currentWidget()->findChild<ui::TextView *>(u"signInDetails"_s)->text();
        QVERIFY2(shown.contains("POST http") && shown.contains("HTTP 201 Created"), shown.constData());
        QVERIFY(desk.click(u"signInStepLink4"_s));
        const QByteArray tokens =
            desk.window().tabs->currentWidget()->findChild<ui::TextView *>(u"signInDetails"_s)->text();
        const OAuth *signIn = desk.workspace().currentConnection()->signIn();
        QVERIFY2(tokens.contains("grant_type=authorization_code"), tokens.constData());
        QVERIFY(!tokens.contains(signIn->tokens().accessToken) && !tokens.contains(signIn->tokens().refreshToken));
        const QByteArray before = signIn->tokens().accessToken;
        QVERIFY(desk.click(u"refreshTokens"_s));
        QTRY_VERIFY(!signIn->isBusy() && signIn->tokens().accessToken != before);
        QVERIFY(desk.click(u"signOut"_s));
        QTRY_COMPARE(signIn->isSignedIn(), false);
        const auto stepText = [&desk](int row) {
            const auto *text = desk.window().tabs->currentWidget()->findChild<QLabel *>(u"signInStepText%1"_s.arg(row));
            return text ? text->text() : QString();
        };
        QTRY_VERIFY2(stepText(1).startsWith(u"Revoked at http://127.0.0.1:"_s), qPrintable(stepText(1)));
        QCOMPARE(stepText(0), u"The tokens were removed"_s);
        QCOMPARE(state(), u"not signed in"_s);
        // A sign-in that nothing waits for can be left.
        Connection *connection = desk.workspace().currentConnection();
        connection->close();
        QTRY_COMPARE(connection->state(), Connection::State::Disconnected);
        QVERIFY(desk.click(u"signIn"_s));
        QTRY_COMPARE(state(), u"waiting for you"_s);
        QVERIFY(desk.click(u"cancelSignIn"_s));
        QTRY_VERIFY(!signIn->isBusy());
        QDesktopServices::unsetUrlHandler(u"http"_s);
    }

    // The call that needs more says so where the person is asked, and its tab comes back.
    void moreIsAskedForWhereACallNeedsIt()
    {
        if (!QFileInfo::exists(node()))
            QSKIP("the test servers are not installed: run ./test");
        TestWindow desk;
        QDesktopServices::setUrlHandler(u"http"_s, this, "browse");
        desk.servers().connectLine(startServer());
        QTRY_VERIFY(desk.workspace().currentConnection()->signIn());
        const OAuth *signIn = desk.workspace().currentConnection()->signIn();
        QTRY_VERIFY(!signIn->page().isEmpty());
        QVERIFY(desk.click(u"openSignInPage"_s));
        QTRY_VERIFY(desk.offered().contains(u"write-note"_s));
        QTRY_COMPARE(m_browser.state(), QProcess::NotRunning);
        const QWidget *page = desk.window().tabs->currentWidget();
        const auto message = [page] { return page->findChild<QLabel *>(u"signInMessage"_s)->text(); };
        const auto badge = [page] { return page->findChild<ui::Badge *>(u"signInState"_s)->text(); };
        const ui::CallPanel *panel = desk.open(u"write-note"_s);
        desk.window().resize(1000, 700);
        const QString needed = u"write-note needs the scope notes:write. The server says: “Notes are read-only”"_s;

        QVERIFY(desk.click(u"callButton"_s));
        QTRY_COMPARE(desk.window().tabs->currentWidget(), page);
        QCOMPARE(message(), needed);
        QVERIFY(panel->isRunning());
        // However small the window, the button is in sight.
        const auto *open = page->findChild<QWidget *>(u"openSignInPage"_s);
        QTRY_VERIFY(!open->visibleRegion().isEmpty());
        QVERIFY(desk.click(u"cancelSignIn"_s));
        QTRY_COMPARE(desk.window().tabs->currentWidget(), panel);
        QTRY_COMPARE(panel->result()->outcome().error.message, needed + u" The sign-in was cancelled."_s);
        QVERIFY2(badge().endsWith(u"signed in"_s), qPrintable(badge()));
        QVERIFY2(message().endsWith(u"Scopes granted before are still valid."_s), qPrintable(message()));
        QVERIFY(signIn->hasGoodToken());

        QVERIFY(desk.click(u"callButton"_s));
        QTRY_COMPARE(desk.window().tabs->currentWidget(), page);
        QVERIFY(desk.click(u"openSignInPage"_s));
        QTRY_COMPARE(desk.window().tabs->currentWidget(), panel);
        QVERIFY(desk.endsWith(u"✓ OK"_s));
        QVERIFY2(signIn->tokens().scopes.contains(u"notes:write"_s), qPrintable(signIn->tokens().scopes.join(u' ')));
        QDesktopServices::unsetUrlHandler(u"http"_s);
    }

    // What has expired and cannot be refreshed is no sign-in any more.
    void anExpiredTokenIsSaid_data()
    {
        QTest::addColumn<QByteArray>("refreshToken");
        QTest::addColumn<QString>("badge");
        QTest::addColumn<QString>("until");
        QTest::newRow("for good") << QByteArray() << u"sign-in expired"_s << u"(expired)"_s;
        QTest::newRow("with a refresh token") << "r1"_ba << u"signed in"_s << u"(refreshed with the next request)"_s;
    }
    void anExpiredTokenIsSaid()
    {
        QFETCH(QByteArray, refreshToken);
        QFETCH(QString, badge);
        QFETCH(QString, until);
        test::FakeHttpServer server;
        server.setHandler([&](const test::FakeHttpServer::Request &, const test::FakeHttpServer::Peer &peer) {
            peer.response(500, {}, {});
        });
        TestWindow desk;
        SignInRecord record;
        record.tokens.issuer = u"https://auth.example"_s;
        record.tokens.accessToken = "a1";
        record.tokens.refreshToken = refreshToken;
        record.tokens.lifetimeS = 1;
        // It is good while the server is asked, and expires then.
        record.tokens.expiresAt = QDateTime::currentDateTimeUtc().addSecs(2);
        const QString url = server.url(u"/mcp"_s).toString();
        desk.workspace().profile().secrets->keepForSession(u"sign-in "_s + url, record.toJson());
        desk.servers().connectLine(url);
        QTRY_VERIFY(desk.workspace().currentConnection() && desk.workspace().currentConnection()->signIn() &&
                    desk.workspace().currentConnection()->signIn()->isSignedIn());
        desk.workspace().currentConnection()->close();
        Q_EMIT desk.servers().pageRequested(desk.workspace().current());
        const QWidget *page = desk.window().tabs->currentWidget();
        const auto *shown = page->findChild<ui::Badge *>(u"signInState"_s);
        QTRY_VERIFY(desk.workspace().currentConnection()->signIn()->tokens().hasExpired());
        QTRY_VERIFY2(shown && shown->text().endsWith(badge), qPrintable(shown ? shown->text() : QString()));
        const auto isShown = [&] {
            for (const QLabel *label : page->findChildren<QLabel *>()) {
                if (label->isVisible() && label->text().endsWith(until))
                    return true;
            }
            return false;
        };
        QTRY_VERIFY(isShown());
    }

    void claimsOfATokenAreReadable()
    {
        const QByteArray claims = "{\"sub\":\"ada\",\"aud\":\"notes\"}";
        const QByteArray token = "eyJhbGciOiJub25lIn0." + claims.toBase64(Base64Url) + ".c2lnbmF0dXJl";
        test::FakeHttpServer server;
        QByteArrayList shown;
        server.setHandler([&](const test::FakeHttpServer::Request &request, const test::FakeHttpServer::Peer &peer) {
            shown.append(request.header("Authorization"));
            peer.response(500, {}, {});
        });
        TestWindow desk;
        SignInRecord record;
        record.tokens.issuer = u"https://auth.example"_s;
        record.tokens.accessToken = token;
        record.tokens.expiresAt = QDateTime::currentDateTimeUtc().addSecs(7200);
        record.tokens.scopes = {u"read"_s};
        const QString url = server.url(u"/mcp"_s).toString();
        desk.workspace().profile().secrets->keepForSession(u"sign-in "_s + url, record.toJson());
        desk.servers().connectLine(url);
        QTRY_VERIFY(shown.contains("Bearer " + token));
        desk.workspace().currentConnection()->close();
        Q_EMIT desk.servers().pageRequested(desk.workspace().current());
        const QWidget *page = desk.window().tabs->currentWidget();
        const auto *tree = page->findChild<QAbstractItemView *>(u"tokenClaims"_s);
        QTRY_VERIFY(tree && tree->isVisible());
        QString all;
        const QAbstractItemModel *model = tree->model();
        const QModelIndex root = model->index(0, 0);
        for (int row = 0; row < model->rowCount(root); ++row) {
            for (int column = 0; column < model->columnCount(root); ++column)
                all += model->index(row, column, root).data().toString() + u' ';
        }
        QVERIFY2(all.contains(u"sub"_s) && all.contains(u"ada"_s), qPrintable(all));
    }

    // The first build crashed when a server was removed that was busy.
    void aServerCanGoWhileItWaitsForTheSignIn()
    {
        if (!QFileInfo::exists(node()))
            QSKIP("the test servers are not installed: run ./test");
        m_signsIn = false;
        TestWindow desk;
        desk.servers().connectLine(startServer());
        Connection *connection = desk.workspace().currentConnection();
        QTRY_VERIFY(connection->signIn() && !connection->signIn()->page().isEmpty());
        desk.workspace().restart(*desk.workspace().current());
        QTRY_VERIFY(connection->signIn() && !connection->signIn()->page().isEmpty());
        const QString name = desk.workspace().current()->spec.name;
        QVERIFY(!desk.workspace().remove(name));
        QTRY_VERIFY(!desk.workspace().serverNamed(name));
        QVERIFY(desk.close());
    }

    void aDestructiveCallIsAskedFor()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        ui::CallPanel *panel = desk.open(u"delete-everything"_s);
        QVERIFY(panel);
        panel->setArguments("{\"confirm\":true}");
        panel->call();
        auto *cancel = panel->findChild<QPushButton *>(u"declineCall"_s);
        QVERIFY(cancel->isVisible() && cancel->hasFocus());
        QVERIFY(!panel->isRunning());
        desk.press(Qt::Key_Escape);
        QTRY_VERIFY(!cancel->isVisible());
        QCOMPARE(desk.countOf(u"tools/call"_s, Direction::ToServer), 0);
        panel->call();
        QVERIFY(desk.click(u"confirmCall"_s));
        QVERIFY(desk.endsWith(u"✓ OK"_s));
        QVERIFY(desk.call(u"✓ OK"_s));  // once a session
        QCOMPARE(desk.countOf(u"tools/call"_s, Direction::ToServer), 2);
    }

    void s5_aToolThatHasChangedIsAskedForAgain()
    {
        writeTools("\"description\":\"Looks\",\"annotations\":{\"readOnlyHint\":true}");
        TestWindow desk;
        desk.servers().connectLine(u"python3 "_s + writeServer());
        ui::CallPanel *panel = desk.open(u"look"_s);
        QVERIFY(panel);
        QVERIFY(desk.call(u"✓ OK"_s));
        auto *question = panel->findChild<QWidget *>(u"callQuestion"_s);
        QVERIFY(!question->isVisible());
        writeTools("\"description\":\"Looks and deletes\",\"annotations\":{\"destructiveHint\":true}");
        desk.workspace().restart(*desk.workspace().current());
        QTRY_VERIFY(question->isVisible());
        QVERIFY(desk.click(u"showToolChange"_s));
        const QByteArray change = panel->findChild<ui::TextView *>(u"toolChange"_s)->text();
        QVERIFY2(change.contains("\"Looks\"") && change.contains("\"Looks and deletes\""), change.constData());
        QCOMPARE(treeBadge(desk), u"changed"_s);
        panel->call();
        QVERIFY(panel->findChild<QPushButton *>(u"confirmCall"_s)->isVisible());
        // It changes once more while the question stands: that was not what the person agreed to.
        writeTools("\"description\":\"Deletes\",\"annotations\":{\"destructiveHint\":true}");
        desk.workspace().restart(*desk.workspace().current());
        QTRY_VERIFY(panel->findChild<ui::TextView *>(u"toolChange"_s)->text().contains("\"Deletes\""));
        QCOMPARE(desk.countOf(u"tools/call"_s, Direction::ToServer), 1);
        panel->call();
        QVERIFY(desk.click(u"allowTool"_s));
        QVERIFY(desk.click(u"confirmCall"_s));
        QCOMPARE(desk.window().focusWidget(), panel);  // rather than what comes after the question
        QVERIFY(desk.endsWith(u"✓ OK"_s));
        QCOMPARE(treeBadge(desk), u"destructive"_s);
        QVERIFY(desk.call(u"✓ OK"_s));
    }

    // It was never annotated: nothing is taken back.
    void whatHasChangedIsNotTheAnnotation()
    {
        writeTools("\"description\":\"Looks\"");
        TestWindow desk;
        desk.servers().connectLine(u"python3 "_s + writeServer());
        ui::CallPanel *panel = desk.open(u"look"_s);
        QVERIFY(panel);
        writeTools("\"description\":\"Looks twice\"");
        desk.workspace().restart(*desk.workspace().current());
        const auto *question = panel->findChild<QWidget *>(u"callQuestion"_s);
        QTRY_VERIFY(question->isVisible());
        QCOMPARE(question->accessibleDescription(), u"It has no annotations, so it may be destructive."_s);
        QVERIFY(desk.close());
    }

    // Which of them a call reaches is up to the server, so the question is that of the worst.
    void eachToolOfANameThatIsListedTwiceHasItsPage()
    {
        writeTools(
            "\"description\":\"Looks\",\"annotations\":{\"readOnlyHint\":true}},"
            "{\"name\":\"look\",\"inputSchema\":{\"properties\":{\"where\":{\"type\":\"string\"}}},"
            "\"description\":\"Deletes\",\"annotations\":{\"destructiveHint\":true}");
        TestWindow desk;
        desk.servers().connectLine(u"python3 "_s + writeServer());
        ui::CallPanel *first = desk.open(u"look"_s);
        QVERIFY(first);
        QVERIFY(!first->inputSchema()[u"properties"].contains(u"where"));
        first->call();
        QVERIFY(first->findChild<QWidget *>(u"callQuestion"_s)->isVisible());
        QCOMPARE(desk.countOf(u"tools/call"_s, Direction::ToServer), 0);
        auto *tree = desk.find<QAbstractItemView>(u"offerTree"_s);
        QVERIFY(test::clickRow(tree, tree->model()->index(1, 0, tree->model()->index(0, 0))));
        const ui::CallPanel *second = desk.panel();
        QVERIFY(second && second != first);
        QVERIFY(second->inputSchema()[u"properties"].contains(u"where"));
        QCOMPARE(tree->currentIndex().row(), 1);
        const QList<QLabel *> labels = second->findChildren<QLabel *>();
        QVERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel *label) {
            return label->isVisible() && label->text().contains(u"definition 2 of 2"_s);
        }));
        QVERIFY(!second->findChild<QWidget *>(u"callQuestion"_s)->isVisible());  // it has not changed since
        QVERIFY(desk.close());
    }

    void whatWasAllowedFollowsARename()
    {
        writeTools("\"description\":\"Deletes\",\"annotations\":{\"destructiveHint\":true}");
        {
            TestWindow desk;
            desk.servers().connectLine(u"python3 "_s + writeServer());
            ui::CallPanel *panel = desk.open(u"look"_s);
            QVERIFY(panel);
            panel->call();
            QVERIFY(desk.click(u"allowTool"_s));
            QVERIFY(desk.click(u"confirmCall"_s));
            QVERIFY(desk.endsWith(u"✓ OK"_s));
            ServerSpec renamed = desk.workspace().current()->spec;
            renamed.name = u"renamed"_s;
            QVERIFY(!desk.workspace().change(desk.workspace().current()->spec.name, renamed));
            desk.workspace().restart(*desk.workspace().current());
            QVERIFY(desk.isConnected(u"renamed"_s));
            QVERIFY(desk.call(u"✓ OK"_s));
            QVERIFY(desk.close());
        }
        TestWindow desk;
        QVERIFY(desk.clickServer(u"renamed"_s));
        desk.press(Qt::Key_F5);
        QVERIFY(desk.isConnected(u"renamed"_s));
        QVERIFY(desk.open(u"look"_s));
        QVERIFY(desk.call(u"✓ OK"_s));
        QVERIFY(desk.close());
    }

private:
    static QString peers(const QString &name) { return QStringLiteral(SONDE_SOURCE_DIR "/tests/peers/") + name; }
    static QString node() { return peers(u"node_modules/.bin/node"_s); }

    static const ServerSpec *specOf(TestWindow &desk, const QString &name)
    {
        const app::WorkspaceItem *item = desk.workspace().serverNamed(name);
        return item ? &item->spec : nullptr;
    }
    // The desk has approved what it saw first.
    static void forget(TestWindow &desk, const QString &name)
    {
        ServerSpec other = *specOf(desk, name);
        other.arguments = {u"other"_s};
        desk.workspace().approve(other);
    }
    static QString treeBadge(TestWindow &desk)
    {
        const auto *tree = desk.find<QAbstractItemView>(u"offerTree"_s);
        const QModelIndex tools = tree->model()->index(0, 0);
        return tree->model()->index(0, 0, tools).data(ui::OfferModel::BadgeTextRole).toString();
    }

    QString startServer()
    {
        m_server.kill();
        m_server.waitForFinished();
        m_server.start(node(), {peers(u"guarded-server.mjs"_s)});
        return QTest::qWaitFor([this] { return m_server.canReadLine(); }, test::Patience)
                   ? QString::fromUtf8(m_server.readLine().trimmed())
                   : QString();
    }

    void writeTools(const QByteArray &members) const
    {
        test::writeFile(m_folder->filePath(u"tools"_s),
                        "[{\"name\":\"look\",\"inputSchema\":{\"type\":\"object\"}," + members + "}]");
    }
    // Offers what the file says at its start.
    QString writeServer() const
    {
        const QString path = m_folder->filePath(u"server.py"_s);
        test::writeFile(path,
                        QByteArray("import json, sys\n"
                                   "tools = json.load(open('" +
                                   m_folder->filePath(u"tools"_s).toUtf8() +
                                   "'))\n"
                                   "results = {'initialize': {'protocolVersion': '2025-11-25', 'capabilities': "
                                   "{'tools': {}}, 'serverInfo': {'name': 's', 'version': '1'}}, 'tools/list': "
                                   "{'tools': tools}, 'tools/call': {'content': []}}\n"
                                   "for line in sys.stdin:\n"
                                   "    m = json.loads(line)\n"
                                   "    if 'id' not in m: continue\n"
                                   "    r = results.get(m['method'])\n"
                                   "    a = {'result': r} if r else {'error': {'code': -32601, 'message': 'no'}}\n"
                                   "    print(json.dumps({'jsonrpc': '2.0', 'id': m['id'], **a}), flush=True)\n"));
        return path;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    QProcess m_server;
    QProcess m_browser;
    int m_opened = 0;
    bool m_signsIn = true;
};

SONDE_TEST(TestQuestions)
#include "tst_questions.moc"
