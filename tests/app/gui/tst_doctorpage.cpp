// The page of a server that did not start: what was examined, and the remedy as a button.
// SPDX-License-Identifier: Apache-2.0
#include "core/server/approval.h"
#include "core/transport/process/loginshell.h"
#include "tests/app/gui/testwindow.h"
#include "tests/support/fakehttpserver.h"
#include "tests/support/files.h"
#include "tests/support/testcertificate.h"
#include "tests/support/testregistry.h"
#include "ui/panels/serverpanel.h"
#include "ui/panels/steprows.h"
#include "ui/theme/widgets.h"

#include <QDialog>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLineEdit>
#include <QPushButton>
#include <QTabWidget>
#include <QTemporaryDir>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::Patience;
using sonde::test::TestWindow;

class TestDoctorPage : public QObject {
    Q_OBJECT
private:
    void write(const QString &name, const QByteArray &text)
    {
        QFile file(m_folder.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
        file.close();
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }
    static void connectTo(TestWindow &desk, const QString &text)
    {
        auto *line = desk.find<QLineEdit>(u"connectLine"_s);
        line->setFocus();
        QTest::keyClicks(line, text);
        QTest::keyClick(line, Qt::Key_Return);
    }
    static QStringList textsOf(const QWidget *widget)
    {
        QStringList texts;
        for (const auto *label : widget->findChildren<ui::TextLabel *>()) {
            if (label->isVisible())
                texts << label->text();
        }
        return texts;
    }

    QTemporaryDir m_folder;
    QByteArray m_shell;

private Q_SLOTS:
    void initTestCase()
    {
        m_shell = qgetenv("SHELL");
        QVERIFY(QDir(m_folder.path()).mkdir(u"login"_s));
        write(u"shell"_s,
              "#!/bin/sh\nPATH='" + m_folder.filePath(u"login"_s).toUtf8() + "':$PATH\nexport PATH\neval \"$4\"\n");
        write(u"login/only-at-login"_s, "#!/bin/sh\nexec '" + test::demoProgram().toUtf8() + "'\n");
    }
    void init()
    {
        TestWindow::clear();
        LoginShell::forget();
        qputenv("SHELL", m_folder.filePath(u"shell"_s).toLocal8Bit());
    }
    void cleanupTestCase() { qputenv("SHELL", m_shell); }

    void programThatTheLoginShellFinds()
    {
        const QString name = u"only-at-login"_s;
        TestWindow desk;
        connectTo(desk, name);
        QTRY_COMPARE_WITH_TIMEOUT(desk.serverDetail(name), u"command not found"_s, Patience);
        const auto *page = qobject_cast<ui::ServerPanel *>(desk.window().tabs->currentWidget());
        QVERIFY(page);
        const auto *rows = page->findChild<ui::StepRows *>(u"doctorRows"_s);
        QTRY_VERIFY_WITH_TIMEOUT(rows->isVisible(), Patience);
        QVERIFY(textsOf(page).contains(u"only-at-login did not start"_s));
        const auto *remedy = page->findChild<QPushButton *>(u"serverRemedy"_s);
        QTRY_COMPARE_WITH_TIMEOUT(remedy->text(), u"Use the login shell's PATH"_s, Patience);
        const QStringList texts = textsOf(rows);
        QVERIFY2(texts.contains(u"Program"_s) && texts.contains(u"not reached"_s), qPrintable(texts.join(u'\n')));
        QVERIFY(desk.click(u"serverRemedy"_s));
        QVERIFY(desk.isConnected(name));
        QVERIFY(!rows->isVisible());
        QVERIFY(!remedy->isVisible());
        QFile file(TestWindow::configPath(u"servers.json"_s));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(json::parse(file.readAll())[u"mcpServers"][name][u"loginShellPath"].toBool());
        QVERIFY(desk.click(u"showLaunch"_s));
        QTRY_VERIFY2(textsOf(page).filter(u"(your login shell's)"_s).size() == 1,
                     qPrintable(textsOf(page).join(u'\n')));
        QVERIFY(desk.close());
    }

    // What nobody has agreed to is shown before the remedy starts it.
    void aRemedyIsNoApproval()
    {
        const QString name = u"only-at-login"_s;
        QVERIFY(QDir().mkpath(QFileInfo(TestWindow::configPath({})).path()));
        test::writeFile(TestWindow::configPath(u"servers.json"_s),
                        "{\"mcpServers\":{\"only-at-login\":{\"command\":\"only-at-login\"}}}");
        TestWindow desk;
        desk.asksForApproval();
        ApprovalStore store(TestWindow::configPath(u"approvals.json"_s));  // the desk has approved what it saw first
        QVERIFY(!store.remove(name));
        desk.servers().connectServer(name);
        QTRY_COMPARE_WITH_TIMEOUT(desk.serverDetail(name), u"command not found"_s, Patience);
        const auto *page = desk.window().tabs->currentWidget();
        const auto *remedy = page->findChild<QPushButton *>(u"serverRemedy"_s);
        QTRY_COMPARE_WITH_TIMEOUT(remedy->text(), u"Use the login shell's PATH"_s, Patience);
        QVERIFY(desk.click(u"serverRemedy"_s));
        const auto *cancel = page->findChild<QPushButton *>(u"declineStart"_s);
        QTRY_VERIFY(cancel && cancel->isVisible());
        QVERIFY(desk.workspace().serverNamed(name)->connection->approval());
        QVERIFY(desk.close());
    }

    // From the error to the exception for this one certificate without a fingerprint being copied by hand.
    void certificateThatIsNotTrusted()
    {
        const test::TestCertificate certificate(u"/CN=billing.example", u"DNS:billing.example");
        if (certificate.isNull())
            QSKIP("needs openssl to make certificates");
        test::FakeHttpServer server(certificate.server(), [](const auto &, const test::FakeHttpServer::Peer &peer) {
            peer.response(503, {}, {});
        });
        const QString name = u"127.0.0.1:%1"_s.arg(server.port());
        TestWindow desk;
        connectTo(desk, server.url().toString());
        QTRY_COMPARE_WITH_TIMEOUT(desk.serverDetail(name), u"TLS: certificate not trusted"_s, Patience);
        const auto *page = qobject_cast<ui::ServerPanel *>(desk.window().tabs->currentWidget());
        QVERIFY(page);
        const auto *remedy = page->findChild<QPushButton *>(u"serverRemedy"_s);
        QTRY_VERIFY_WITH_TIMEOUT(remedy->isVisible() && remedy->text() == u"Network settings…", Patience);
        const test::WhenDialog dialog([](QDialog *shown) {
            auto *accept = shown->findChild<QPushButton *>(u"networkAcceptShown"_s);
            QVERIFY(accept && accept->isVisible());
            QTest::mouseClick(accept, Qt::LeftButton);
            QTest::mouseClick(shown->findChild<QPushButton *>(u"networkOk"_s), Qt::LeftButton);
        });
        QVERIFY(desk.click(u"serverRemedy"_s));
        QVERIFY(dialog.hasRun());
        QTRY_COMPARE_WITH_TIMEOUT(desk.serverDetail(name), u"HTTP 503"_s, Patience);
        const auto *rows = page->findChild<ui::StepRows *>(u"doctorRows"_s);
        QTRY_VERIFY2_WITH_TIMEOUT(!textsOf(rows).filter(u", accepted by its fingerprint"_s).isEmpty(),
                                  qPrintable(textsOf(rows).join(u'\n')), Patience);
        QFile file(TestWindow::configPath(u"servers.json"_s));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(json::parse(file.readAll())[u"mcpServers"][name][u"acceptedCertificate"].isString());
        QVERIFY(desk.close());
    }

    void messagesThatBreakTheirRevisionAreInTheTimeline()
    {
        write(
            u"wrong"_s,
            "#!/bin/sh\nwhile read -r line; do\n"
            "id=$(printf '%s' \"$line\" | sed 's/.*\"id\":\\(\"[^\"]*\"\\|[0-9]*\\).*/\\1/')\n"
            "case \"$line\" in\n"
            "*'\"initialize\"'*) body='\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}},"
            "\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}' ;;\n"
            "*tools/list*) body='\"result\":{\"tools\":[{\"name\":\"a\"}]}' ;;\n"
            "*'\"id\"'*) body='\"error\":{\"code\":-32601,\"message\":\"no such method\"}' ;;\n*) continue ;;\nesac\n"
            "printf '{\"jsonrpc\":\"2.0\",\"id\":%s,%s}\\n' \"$id\" \"$body\"\ndone\n");
        TestWindow desk;
        connectTo(desk, m_folder.filePath(u"wrong"_s));
        QVERIFY(desk.isConnected(u"wrong"_s));
        const auto findings = [&desk] {
            QStringList found;
            for (qsizetype row = 0; row < desk.session()->size(); ++row) {
                const QString text = json::parse(desk.session()->facts(row))[u"text"].string();
                if (text.contains(u"inputSchema"_s) && desk.session()->at(row).partner > 0)
                    found << text;
            }
            return found;
        };
        QTRY_COMPARE_WITH_TIMEOUT(findings(),
                                  QStringList(u"Response to tools/list, revision 2025-11-25: "
                                              "'result.tools[0].inputSchema' is missing."_s),
                                  Patience);
        QVERIFY(desk.close());
    }
};

SONDE_TEST(TestDoctorPage)
#include "tst_doctorpage.moc"
