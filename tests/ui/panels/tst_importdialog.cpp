// Importing servers of other hosts, and exporting those of the list: by mouse and keys.
// SPDX-License-Identifier: Apache-2.0
#include "core/secrets/secretstore.h"
#include "core/server/hostreader.h"
#include "tests/support/testregistry.h"
#include "ui/dialogs/importdialog.h"
#include "ui/dialogs/serverdialog.h"
#include "ui/dialogs/serverexportdialog.h"
#include "ui/json/textview.h"
#include "ui/panels/welcomepanel.h"
#include "ui/theme/widgets.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QDropEvent>
#include <QFile>
#include <QGuiApplication>
#include <QLineEdit>
#include <QListWidget>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

using namespace Qt::StringLiterals;
using namespace sonde;
using namespace sonde::ui;

class ImportDialogTest : public QObject {
    Q_OBJECT
private:
    static HostConfig configOf(const QByteArray &entries, const QString &path = u"/home/x/mcp.json"_s)
    {
        return readHostText("{\"mcpServers\":{" + entries + "}}", Host::Cursor, path);
    }
    static ServerSpec specOf(const QString &line, const QString &name)
    {
        ServerSpec spec = *ServerSpec::fromLine(line);
        spec.name = name;
        return spec;
    }
    static QString details(const ImportDialog &dialog)
    {
        return QString::fromUtf8(dialog.findChild<TextView *>(u"importDetails"_s)->text());
    }
    static QTableWidget *table(const ImportDialog &dialog)
    {
        return dialog.findChild<QTableWidget *>(u"importTable"_s);
    }
    static QPushButton *accept(const ImportDialog &dialog)
    {
        return dialog.findChild<QPushButton *>(u"importAccept"_s);
    }
    static QString message(const ImportDialog &dialog)
    {
        return dialog.findChild<TextLabel *>(u"importMessage"_s)->text();
    }

private Q_SLOTS:
    void s4_cancelIsTheDefault()
    {
        ImportDialog dialog({}, {configOf("\"a\":{\"command\":\"x\"}")});
        dialog.show();
        QSignalSpy accepted(&dialog, &QDialog::accepted);
        QSignalSpy rejected(&dialog, &QDialog::rejected);
        QVERIFY(QTest::qWaitForWindowActive(&dialog));
        QVERIFY(table(dialog)->hasFocus());
        QTest::keyClick(table(dialog), Qt::Key_Return);
        QCOMPARE(rejected.size(), 1);
        QCOMPARE(accepted.size(), 0);
    }

    // Where nothing was found, a file is the next thing to choose.
    void theFocusIsWhereOneGoesOn()
    {
        ImportDialog dialog({}, {});
        dialog.show();
        QVERIFY(QTest::qWaitForWindowActive(&dialog));
        QCOMPARE(dialog.focusWidget()->objectName(), u"importFile"_s);
    }

    void s4_nothingHidesBehindSpacesOrControlCharacters()
    {
        const QByteArray spaces(10'000, ' ');
        ImportDialog dialog({}, {configOf("\"a\":{\"command\":\"npx\",\"args\":[\"-y\",\"safe" + spaces +
                                          "; rm -rf /\",\"x\\u001b[2Ky\\nz\",\"\",\"\\u202etxt.exe\"]}")});
        const QString text = details(dialog);
        QCOMPARE(text,
                 u"Program:            npx\n"
                 "Argument 1:         -y\n"
                 "Argument 2:         safe‹10\u2009000 spaces›; rm -rf /\n"
                 "Argument 3:         x‹ESC›[2Ky‹LF›z\n"
                 "Argument 4:         ‹empty›\n"
                 "Argument 5:         ‹U+202E›txt.exe\n"_s);
        // All of it is in sight.
        dialog.show();
        QVERIFY(dialog.findChild<TextView *>(u"importDetails"_s)->shownText().contains(u"rm -rf /"_s));
        QVERIFY(!table(dialog)->item(0, 1)->text().contains(QString(20, u' ')));
    }

    void secretsAreMarkedAndNotShown()
    {
        ImportDialog dialog({}, {configOf("\"a\":{\"command\":\"x\",\"env\":{\"API_TOKEN\":\"canary-1234567890\","
                                          "\"MODE\":\"fast\",\"KEY\":\"${env:KEY}\"}}")});
        const QString text = details(dialog);
        QVERIFY(!text.contains(u"canary"_s));
        QVERIFY(text.contains(u"API_TOKEN = •••••••• (secret, goes to the keychain)"_s));
        QVERIFY(text.contains(u"MODE = fast"_s));
        QVERIFY(text.contains(u"${env:KEY} in the variable KEY is read from Sonde's environment"_s));
        QCOMPARE(dialog.chosen().value(0).secrets.size(), 1);
    }

    void onlyWhatIsNewAndUsableIsCheckedAtFirst()
    {
        ImportDialog dialog({specOf(u"same --x"_s, u"mine"_s)},
                            {configOf("\"known\":{\"command\":\"same\",\"args\":[\"--x\"]},"
                                      "\"off\":{\"command\":\"y\",\"disabled\":true},"
                                      "\"broken\":{},\"good\":{\"command\":\"z\"}")});
        QCOMPARE(dialog.chosen().size(), 1);
        QCOMPARE(dialog.chosen()[0].spec.name, u"good"_s);
        QCOMPARE(accept(dialog)->text(), u"Import 1 server"_s);
        QCOMPARE(table(dialog)->item(0, 2)->text(), u"already in the list"_s);
        table(dialog)->item(1, 0)->setCheckState(Qt::Checked);
        QCOMPARE(accept(dialog)->text(), u"Import 2 servers"_s);
    }

    void aTakenNameIsReplacedAndCanBeChanged()
    {
        ImportDialog dialog({specOf(u"other"_s, u"a"_s)}, {configOf("\"a\":{\"command\":\"x\"}")});
        QCOMPARE(dialog.chosen().value(0).spec.name, u"a 2"_s);
        table(dialog)->item(0, 0)->setText(u"a"_s);
        QVERIFY(!accept(dialog)->isEnabled());
        QVERIFY(message(dialog).contains(u"“a” already exists"_s));
        table(dialog)->item(0, 0)->setText(u"b"_s);
        QVERIFY(accept(dialog)->isEnabled());
        QCOMPARE(dialog.chosen().value(0).spec.name, u"b"_s);
    }

    void aPastedCommandIsUnderstood()
    {
        ImportDialog dialog({}, {});
        QVERIFY(!accept(dialog)->isEnabled());
        QGuiApplication::clipboard()->setText(u"claude mcp add files -- npx -y 'a b'"_s);
        QTest::mouseClick(dialog.findChild<QPushButton *>(u"importPaste"_s), Qt::LeftButton);
        QTRY_COMPARE(dialog.chosen().size(), 1);
        QCOMPARE(dialog.chosen()[0].spec.name, u"files"_s);
        QVERIFY(details(dialog).contains(u"Argument 2:         a b"_s));
    }

    void whatCannotBeReadIsSaid()
    {
        QTemporaryDir folder;
        QFile file(folder.filePath(u"broken.json"_s));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\n  \"mcpServers\": {,}}");
        file.close();
        ImportDialog dialog({}, {});
        dialog.addFile(file.fileName());
        auto *sources = dialog.findChild<QListWidget *>(u"importSources"_s);
        QTRY_COMPARE(sources->count(), 1);
        QVERIFY(sources->item(0)->text().contains(u"cannot be read"_s));
        const QList<TextLabel *> labels = dialog.findChild<QWidget *>(u"importBanner"_s)->findChildren<TextLabel *>();
        QString text;
        for (const TextLabel *label : labels)
            text += label->text();
        QVERIFY2(text.contains(u"line 2, column 18"_s), qPrintable(text));
    }

    void severalFilesAreAllRead()
    {
        QTemporaryDir folder;
        QMimeData mime;
        QList<QUrl> urls;
        for (const char *name : {"one", "two", "three"}) {
            QFile file(folder.filePath(QLatin1StringView(name) + u".json"_s));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write("{\"mcpServers\":{\"" + QByteArray(name) + "\":{\"command\":\"x\"}}}");
            urls.append(QUrl::fromLocalFile(file.fileName()));
        }
        mime.setUrls(urls);
        ImportDialog dialog({}, {});
        dialog.show();
        QDragEnterEvent enter(QPoint(10, 10), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&dialog, &enter);
        QDropEvent drop(QPointF(10, 10), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&dialog, &drop);
        const auto *list = dialog.findChild<QListWidget *>(u"importSources"_s);
        QTRY_COMPARE(list->count(), 3);
        QCOMPARE(table(dialog)->rowCount(), 1);
    }

    void s14_filesThatOthersCanReadAreWarnedOf()
    {
        HostConfig config = configOf("\"a\":{\"command\":\"x\",\"env\":{\"API_TOKEN\":\"canary-1234567890\"}}");
        ImportDialog closed({}, {config});
        closed.show();
        QVERIFY(!closed.findChild<QWidget *>(u"importBanner"_s)->isVisible());
        config.isReadableByOthers = true;
        ImportDialog open({}, {config});
        open.show();
        QVERIFY(open.findChild<QWidget *>(u"importBanner"_s)->isVisible());
    }

    void theStartPageNamesWhatWasFound()
    {
        WelcomePanel panel;
        panel.setFound({configOf("\"a\":{\"command\":\"x\"},\"b\":{\"command\":\"y\"}"),
                        configOf("\"c\":{\"url\":\"http://c\"}")});
        QCOMPARE(panel.findChild<TextLabel *>(u"foundHosts"_s)->text(), u"Cursor   3 servers"_s);
        HostConfig broken;
        broken.host = Host::Zed;
        broken.error = Error::local(u"no"_s);
        panel.setFound({broken});
        QCOMPARE(panel.findChild<TextLabel *>(u"foundHosts"_s)->text(), u"Zed   cannot be read"_s);
        QSignalSpy requested(&panel, &WelcomePanel::importRequested);
        QTest::mouseClick(panel.findChild<QPushButton *>(u"importServers"_s), Qt::LeftButton);
        QCOMPARE(requested.size(), 1);
    }

    void aHostsCommandFillsInTheServerDialog()
    {
        ServerDialog dialog({}, true, [](const QString &) { return QString(); });
        dialog.show();
        auto *command = dialog.findChild<QLineEdit *>(u"serverCommand"_s);
        command->setFocus();
        QGuiApplication::clipboard()->setText(
            u"claude mcp add -t sse gh https://api.example.com/sse --header 'X-Team: a b'"_s);
        QTest::keyClick(command, Qt::Key_V, Qt::ControlModifier);
        const ServerSpec spec = dialog.spec();
        QCOMPARE(spec.name, u"gh"_s);
        QCOMPARE(spec.url, QUrl(u"https://api.example.com/sse"_s));
        QCOMPARE(spec.httpKind, ServerSpec::HttpKind::Sse);
        QCOMPARE(spec.headers.value(0).second, u"a b"_s);
        QVERIFY(dialog.findChild<QPushButton *>(u"serverOk"_s)->isEnabled());
    }

    void exportedSecretsArePlaceholdersUntilIncluded()
    {
        const QList<ServerSpec> servers{specOf(u"API_TOKEN=canary-1234567890 x"_s, u"a"_s), specOf(u"y"_s, u"b"_s)};
        ServerExportDialog dialog(servers, u"a"_s, std::make_shared<MemorySecretStore>());
        const auto text = [&] { return dialog.findChild<TextView *>(u"exportServersText"_s)->text(); };
        QVERIFY(text().contains("<API_TOKEN>") && !text().contains("canary") && !text().contains("\"b\""));
        dialog.findChild<QCheckBox *>(u"exportServersSecrets"_s)->setChecked(true);
        QVERIFY(text().contains("canary-1234567890"));
        dialog.findChild<QListWidget *>(u"exportServers"_s)->item(1)->setCheckState(Qt::Checked);
        QTest::mouseClick(dialog.findChild<QPushButton *>(u"exportServersCopy"_s), Qt::LeftButton);
        QCOMPARE(QGuiApplication::clipboard()->text().toUtf8(), text());
        QTemporaryDir folder;
        QVERIFY(dialog.save(folder.filePath(u"out.json"_s)));
        QVERIFY(!dialog.save(folder.filePath(u"no/such/out.json"_s)));
        QVERIFY(!dialog.findChild<TextLabel *>(u"exportServersMessage"_s)->text().isEmpty());
    }

    void exportedSecretsComeFromTheKeychain()
    {
        ServerSpec kept = specOf(u"x"_s, u"kept"_s);
        kept.environment = {{u"API_TOKEN"_s, u"${keychain:one}"_s}};
        ServerSpec lost = specOf(u"y"_s, u"lost"_s);
        lost.environment = {{u"OTHER_TOKEN"_s, u"${keychain:two}"_s}};
        const auto secrets = std::make_shared<MemorySecretStore>();
        secrets->setValue(u"one"_s, "canary-1234567890");
        ServerExportDialog dialog({kept, lost}, u"kept"_s, secrets);
        const auto text = [&] { return dialog.findChild<TextView *>(u"exportServersText"_s)->text(); };
        const auto *message = dialog.findChild<TextLabel *>(u"exportServersMessage"_s);
        const auto *copy = dialog.findChild<QPushButton *>(u"exportServersCopy"_s);
        QVERIFY(text().contains("<API_TOKEN>"));
        auto *withSecrets = dialog.findChild<QCheckBox *>(u"exportServersSecrets"_s);
        withSecrets->setChecked(true);
        QVERIFY(!copy->isEnabled());  // what would be copied is not there yet
        QTRY_VERIFY(text().contains("canary-1234567890"));
        QVERIFY(copy->isEnabled());
        dialog.findChild<QListWidget *>(u"exportServers"_s)->item(1)->setCheckState(Qt::Checked);
        QTRY_VERIFY2(message->text().contains(u"“two”"_s), qPrintable(message->text()));
        QVERIFY(text().contains("canary-1234567890") && text().contains("<OTHER_TOKEN>"));
        QVERIFY(copy->isEnabled());
        withSecrets->setChecked(false);
        QVERIFY(!text().contains("canary"));
    }
};

SONDE_TEST(ImportDialogTest)
#include "tst_importdialog.moc"
