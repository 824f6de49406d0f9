// Secrets of servers on their way into the keychain, with one that works and one that does not.
// SPDX-License-Identifier: Apache-2.0
#include "app/gui/servercontroller.h"
#include "app/gui/warningbar.h"
#include "core/secrets/secretreference.h"
#include "core/server/serverstore.h"
#include "tests/app/gui/testwindow.h"
#include "tests/support/fakekeychain.h"
#include "tests/support/files.h"

#include <QLineEdit>
#include <QMessageBox>
#include <QTableWidget>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::TestWindow;

namespace {

struct Servers {
    test::FakeKeychain *keychain = new test::FakeKeychain;
    app::Workspace workspace{Profile::ofUser(std::unique_ptr<SecretStore>(keychain))};
    app::MainWindow window;
    app::SecretKeeper secrets{workspace.profile().secrets, &window};
    app::ServerController servers{&workspace, &secrets, &window};

    Servers()
    {
        workspace.followStore();
        window.show();
    }
    QMessageBox *question() const { return window.findChild<QMessageBox *>(u"secretsNotKept"_s); }
    QStringList names()
    {
        QStringList names;
        for (const ServerSpec &spec : workspace.store().servers())
            names.append(spec.name);
        return names;
    }
};

void setRow(QTableWidget *table, int row, const QString &name, const QString &value)
{
    table->item(row, 0)->setText(name);
    table->item(row, 1)->setText(value);
}

}  // namespace

class TestServerSecrets : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { TestWindow::clear(); }

    // Locked, it does not say what it has: an old file must not replace what is there.
    void whatCannotBeReadIsNotMissing()
    {
        Servers servers;
        servers.keychain->values.insert(u"token"_s, "current");
        servers.keychain->readError = Error::local(u"It is locked."_s);
        ServerSpec known = *ServerSpec::fromLine(u"/no/such/program"_s);
        known.environment = {{u"TOKEN"_s, secretReference(u"token"_s)}};
        qsizetype missing = -1;
        servers.secrets.fillIn(known, {{u"token"_s, u"old"_s}}, [&missing](qsizetype count) { missing = count; });
        QTRY_VERIFY(servers.question() || missing >= 0);
        QCOMPARE(servers.keychain->values.value(u"token"_s), "current"_ba);
        QVERIFY(servers.question());
        servers.keychain->readError = {};
        QVERIFY(test::clickButton(servers.question(), u"Try again"_s));
        QTRY_COMPARE(missing, 0);
        QCOMPARE(servers.keychain->values.value(u"token"_s), "current"_ba);
    }

    // The list has a reference where the line has the value.
    void theSameLineIsTheSameServer()
    {
        Servers servers;
        servers.servers.connectLine(u"API_KEY=first-1234567 /no/such/program"_s);
        QVERIFY(servers.secrets.isBusy());  // the window stays until the keychain has answered
        servers.servers.connectLine(u"API_KEY=first-1234567 /no/such/program"_s);  // before it has been written
        QTRY_COMPARE(servers.names(), QStringList{u"program"_s});
        QTRY_VERIFY(!servers.secrets.isBusy());
        QTRY_VERIFY(!servers.workspace.current()->isBuiltIn);
        servers.workspace.setCurrent(*servers.workspace.demo());
        servers.servers.connectLine(u"API_KEY=first-1234567 /no/such/program"_s);
        QTRY_COMPARE(servers.workspace.current()->spec.name, u"program"_s);
        QCOMPARE(servers.names(), QStringList{u"program"_s});
        // With another value: it counts from now on, under its name.
        servers.servers.connectLine(u"API_KEY=second-1234567 /no/such/program"_s);
        QTRY_COMPARE(servers.keychain->values.values(), QList<QByteArray>{"second-1234567"});
        QCOMPARE(servers.names(), QStringList{u"program"_s});
        // And no longer where the person thinks again.
        servers.keychain->writeError = Error::local(u"It is locked."_s);
        servers.servers.connectLine(u"API_KEY=third-1234567 /no/such/program"_s);
        QTRY_VERIFY(servers.question());
        QVERIFY(servers.secrets.isBusy());
        QVERIFY(test::clickButton(servers.question(), u"Cancel"_s));
        QTRY_VERIFY(!servers.question());
        QVERIFY(!servers.secrets.isBusy());
        QCOMPARE(servers.keychain->values.values(), QList<QByteArray>{"second-1234567"});
    }

    // Another program has taken the name meanwhile: what was typed is there still, and the keychain keeps none of it.
    void whatWasTypedOutlastsATakenName()
    {
        Servers servers;
        ServerStore other(TestWindow::configPath(u"servers.json"_s));
        QVERIFY(servers.workspace.add(*ServerSpec::fromLine(u"/no/such/program"_s)));
        QVERIFY(!other.load());
        test::WhenDialog edit([&other](QDialog *shown) {
            auto *name = shown->findChild<QLineEdit *>(u"serverName"_s);
            name->selectAll();
            QTest::keyClicks(name, u"mine"_s);
            setRow(shown->findChild<QTableWidget *>(u"serverEnvironment"_s), 0, u"API_TOKEN"_s, u"typed-1234567"_s);
            ServerSpec theirs = *ServerSpec::fromLine(u"/no/other/program"_s);
            theirs.name = u"mine"_s;
            QVERIFY(!other.add(theirs));
            shown->accept();
        });
        servers.servers.edit(servers.workspace.serverNamed(u"program"_s));
        QVERIFY(edit.hasRun());
        QStringList shownAgain;
        test::WhenDialog again([&shownAgain](QDialog *shown) {
            const auto *table = shown->findChild<QTableWidget *>(u"serverEnvironment"_s);
            shownAgain = {shown->findChild<QLineEdit *>(u"serverName"_s)->text(), table->item(0, 0)->text(),
                          table->item(0, 1)->data(Qt::EditRole).toString()};
            shown->reject();
        });
        QTRY_VERIFY(again.hasRun());
        QCOMPARE(shownAgain, (QStringList{u"mine"_s, u"API_TOKEN"_s, u"typed-1234567"_s}));
        QVERIFY(servers.window.notice->isVisible());
        QTRY_VERIFY(servers.keychain->values.isEmpty());
        QCOMPARE(servers.workspace.store().server(u"mine"_s)->command, u"/no/other/program"_s);
    }

    // What the person has said of a value counts when the dialog is shown again.
    void aMarkByHandOutlastsTheQuestion()
    {
        Servers servers;
        servers.keychain->writeError = Error::local(u"It is locked."_s);
        const auto table = [](QDialog *shown) { return shown->findChild<QTableWidget *>(u"serverEnvironment"_s); };
        test::WhenDialog add([&table](QDialog *shown) {
            QTest::keyClicks(shown->findChild<QLineEdit *>(u"serverCommand"_s), u"/no/such/program"_s);
            setRow(table(shown), 0, u"DB_URL"_s, u"canary, private"_s);
            setRow(table(shown), 1, u"KEY_TOKEN"_s, u"no secret"_s);
            table(shown)->item(0, 2)->setCheckState(Qt::Checked);
            table(shown)->item(1, 2)->setCheckState(Qt::Unchecked);
            shown->accept();
        });
        servers.servers.askForServer();
        QVERIFY(add.hasRun());
        QTRY_VERIFY(servers.question());
        QString seen;
        QList<Qt::CheckState> boxes;
        test::WhenDialog again([&](QDialog *shown) {
            seen = table(shown)->item(0, 1)->text();
            boxes = {table(shown)->item(0, 2)->checkState(), table(shown)->item(1, 2)->checkState()};
            shown->accept();
        });
        QVERIFY(test::clickButton(servers.question(), u"Cancel"_s));
        QTRY_VERIFY(again.hasRun());
        QTRY_VERIFY(servers.question() || !servers.names().isEmpty());
        QVERIFY(!test::readFile(TestWindow::configPath(u"servers.json"_s)).contains("canary"));
        QVERIFY(!seen.contains(u"canary"_s));
        QCOMPARE(boxes, (QList{Qt::Checked, Qt::Unchecked}));
    }
};

SONDE_TEST(TestServerSecrets)
#include "tst_serversecrets.moc"
