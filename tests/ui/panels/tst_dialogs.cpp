// Adding a server, deleting a session, going to anything: by mouse and keys.
// SPDX-License-Identifier: Apache-2.0
#include "core/authorization/signingkey.h"
#include "core/redact/secretnames.h"
#include "core/session/session.h"
#include "tests/support/testregistry.h"
#include "ui/dialogs/gotopalette.h"
#include "ui/dialogs/pairtable.h"
#include "ui/dialogs/senddialog.h"
#include "ui/dialogs/serverdialog.h"
#include "ui/dialogs/sessionsdialog.h"
#include "ui/dialogs/sessionsmodel.h"
#include "ui/dialogs/signindialog.h"
#include "ui/form/jsoneditor.h"
#include "ui/panels/welcomepanel.h"
#include "ui/theme/widgets.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QLineEdit>
#include <QListWidget>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTableView>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QToolButton>
#include <chrono>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace sonde;
using namespace sonde::ui;

class TestDialogs : public QObject {
    Q_OBJECT

private:
    static QStringList names(const QList<SecretPlace> &places)
    {
        QStringList names;
        for (const SecretPlace &place : places)
            names.append(place.name);
        names.sort();
        return names;
    }

private Q_SLOTS:
    void aCommandBecomesAServer()
    {
        ServerDialog dialog({}, true, [](const QString &name) { return name == u"taken" ? u"taken!"_s : QString(); });
        dialog.show();
        auto *ok = dialog.findChild<QPushButton *>(u"serverOk"_s);
        QVERIFY(!ok->isEnabled());
        QCOMPARE(dialog.findChild<QLineEdit *>(u"serverCommand"_s)->text(), QString());
        QCOMPARE(dialog.findChild<TextLabel *>(u"serverMessage"_s)->text(),
                 u"Enter the command that starts the server."_s);
        QTest::keyClicks(dialog.findChild<QLineEdit *>(u"serverName"_s), u"taken"_s);
        QTest::keyClicks(dialog.findChild<QLineEdit *>(u"serverCommand"_s), u"TOKEN=abc /bin/echo 'two words' x"_s);
        QVERIFY(!ok->isEnabled());
        QCOMPARE(dialog.findChild<TextLabel *>(u"serverMessage"_s)->text(), u"taken!"_s);
        QTest::keyClicks(dialog.findChild<QLineEdit *>(u"serverName"_s), u"2"_s);
        QVERIFY(ok->isEnabled());
        dialog.findChild<PairTable *>(u"serverEnvironment"_s)->setPairs({{u"A"_s, u"1"_s}});
        const ServerSpec spec = dialog.spec();
        QCOMPARE(spec.name, u"taken2"_s);
        QCOMPARE(spec.command, u"/bin/echo"_s);
        QCOMPARE(spec.arguments, (QStringList{u"two words"_s, u"x"_s}));
        const QList<std::pair<QString, QString>> environment{{u"A"_s, u"1"_s}, {u"TOKEN"_s, u"abc"_s}};
        QCOMPARE(spec.environment, environment);
        QSignalSpy accepted(&dialog, &QDialog::accepted);
        QTest::mouseClick(ok, Qt::LeftButton);
        QCOMPARE(accepted.size(), 1);
    }

    void aNewServerIsNamedAfterItsCommand()
    {
        ServerDialog dialog({}, true,
                            [](const QString &name) { return name == u"server-memory" ? u"taken!"_s : QString(); });
        dialog.show();
        auto *name = dialog.findChild<QLineEdit *>(u"serverName"_s);
        auto *command = dialog.findChild<QLineEdit *>(u"serverCommand"_s);
        QTest::keyClicks(command, u"npx -y @scope/server-memory"_s);
        QCOMPARE(name->text(), u"server-memory 2"_s);
        QVERIFY(dialog.findChild<QPushButton *>(u"serverOk"_s)->isEnabled());
        // A name of one's own stays.
        QTest::keyClick(name, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(name, u"mine"_s);
        QTest::keyClicks(command, u" --more"_s);
        QCOMPARE(name->text(), u"mine"_s);
        for (const QLabel *label : dialog.findChildren<QLabel *>())
            QVERIFY2(!label->text().startsWith(u'&') || label->buddy(), qPrintable(label->text()));
    }

    void rootsAndCapabilitiesAreEdited()
    {
        ServerSpec spec;
        spec.name = u"one"_s;
        spec.command = u"/bin/true"_s;
        spec.roots = {{u"file:///tmp/a%20b"_s, u"Spaces"_s}};
        spec.undeclaredCapabilities = {u"sampling"_s, u"of.the.future"_s};
        ServerDialog dialog(spec, false, [](const QString &) { return QString(); });
        dialog.show();
        QCOMPARE(dialog.spec().roots, spec.roots);
        QCOMPARE(dialog.spec().undeclaredCapabilities, spec.undeclaredCapabilities);
        auto *roots = dialog.findChild<QTableWidget *>(u"serverRoots"_s);
        QCOMPARE(roots->item(0, 0)->text(), u"/tmp/a b"_s);
        roots->item(1, 0)->setText(u"/srv/ä"_s);
        QCOMPARE(dialog.spec().roots.last().first, u"file:///srv/%C3%A4"_s);
        auto *sampling = dialog.findChild<QCheckBox *>(u"declares:sampling"_s);
        QVERIFY(!sampling->isChecked());
        sampling->click();
        dialog.findChild<QCheckBox *>(u"declares:elicitation.url"_s)->click();
        QCOMPARE(dialog.spec().undeclaredCapabilities, QStringList({u"of.the.future"_s, u"elicitation.url"_s}));
        auto *ok = dialog.findChild<QPushButton *>(u"serverOk"_s);
        QVERIFY(ok->isEnabled());
        roots->item(1, 0)->setText(u"https://example.com/"_s);
        QVERIFY(!ok->isEnabled());
    }

    // What is secret by its name goes to the keychain unless the person decides otherwise, and is masked.
    void secretValuesAreMarked()
    {
        ServerSpec spec;
        spec.name = u"one"_s;
        spec.command = u"/bin/true"_s;
        spec.environment = {
            {u"DEBUG"_s, u"1"_s}, {u"API_TOKEN"_s, u"abcdef0123456789"_s}, {u"KEPT"_s, u"${keychain:one-KEPT-1}"_s}};
        ServerDialog dialog(spec, false, [](const QString &) { return QString(); });
        dialog.show();
        auto *table = dialog.findChild<QTableWidget *>(u"serverEnvironment"_s);
        const auto box = [table](int row) { return table->item(row, 2); };
        QCOMPARE(table->item(0, 1)->text(), u"1"_s);
        QVERIFY(!table->item(1, 1)->text().contains(u"abcdef"_s));
        QCOMPARE(table->item(2, 1)->text(), u"(in the keychain)"_s);
        QCOMPARE(dialog.spec().environment, spec.environment);
        QCOMPARE(names(dialog.secrets()), (QStringList{u"API_TOKEN"_s, u"KEPT"_s}));
        box(0)->setCheckState(Qt::Checked);
        box(1)->setCheckState(Qt::Unchecked);
        QCOMPARE(table->item(1, 1)->text(), u"abcdef0123456789"_s);
        QCOMPARE(names(dialog.secrets()), (QStringList{u"DEBUG"_s, u"KEPT"_s}));
        // A decision stays when the value is typed anew; a new row is judged by its name.
        table->item(1, 1)->setData(Qt::EditRole, u"other"_s);
        QVERIFY(box(1)->checkState() == Qt::Unchecked);
        table->item(3, 0)->setText(u"DB_PASSWORD"_s);
        QVERIFY(box(3)->checkState() == Qt::Checked);
        QHash<QString, QString> values;
        const ServerSpec kept = withKeychainReferences(dialog.spec(), dialog.secrets(), &values);
        QCOMPARE(values.values(), QStringList{u"1"_s});
        QCOMPARE(kept.environment[2], spec.environment[2]);
        QVERIFY(kept.environment[0].second.startsWith(u"${keychain:one-DEBUG-"_s));
    }

    void signInSettingsAreChecked()
    {
        OAuthSettings settings;
        settings.clientId = u"c1"_s;
        settings.clientSecret = u"${keychain:x}"_s;
        SignInDialog dialog(settings, u"one"_s);
        dialog.show();
        QCOMPARE(dialog.settings(), settings);
        const auto line = [&dialog](const QString &name) { return dialog.findChild<QLineEdit *>(name); };
        auto *ok = dialog.findChild<QPushButton *>(u"signInOk"_s);
        QVERIFY(ok->isEnabled());
        QVERIFY(line(u"signInClientSecret"_s)->text().isEmpty());
        line(u"signInRedirect"_s)->setText(u"https://example.com/back"_s);
        QVERIFY(!ok->isEnabled());
        line(u"signInRedirect"_s)->setText(u"http://127.0.0.1:8080/back"_s);
        QVERIFY(ok->isEnabled());
        dialog.findChild<QComboBox *>(u"signInGrant"_s)->setCurrentIndex(3);
        QVERIFY(!ok->isEnabled() && !line(u"signInClientId"_s)->isVisible());
        QTest::keyClicks(line(u"signInAssertion"_s), u"a.b.c"_s);
        // A token that anybody could use needs to know to whom it may go.
        line(u"signInIssuer"_s)->clear();
        QVERIFY(!ok->isEnabled());
        line(u"signInIssuer"_s)->setText(u"https://auth.example"_s);
        QVERIFY(ok->isEnabled());
        QCOMPARE(dialog.settings().assertion, "a.b.c"_ba);
        QVERIFY(dialog.settings().grant == OAuthSettings::Grant::Workload);
        // A key of several lines is pasted into one.
        dialog.findChild<QComboBox *>(u"signInGrant"_s)->setCurrentIndex(1);
        const Result<SigningKey> key = SigningKey::make();
        line(u"signInPrivateKey"_s)->setText(QString::fromLatin1(key->toPem()).replace(u'\n', u' '));
        QVERIFY2(ok->isEnabled(), qPrintable(dialog.findChild<QLabel *>(u"signInMessage"_s)->text()));
        QCOMPARE(dialog.settings().privateKey, key->toPem());
        line(u"signInPrivateKey"_s)->setText(u"no key"_s);
        QVERIFY(!ok->isEnabled());
    }

    void timeoutsAreEdited()
    {
        ServerSpec spec;
        spec.name = u"one"_s;
        spec.command = u"/bin/true"_s;
        spec.timeouts = {.request = 2500ms, .connection = 7s};
        ServerDialog dialog(spec, false, [](const QString &) { return QString(); });
        dialog.setGeneralTimeouts({.request = 60s, .total = 0s, .connection = 60s});
        dialog.show();
        auto *summary = dialog.findChild<TextLabel *>(u"serverTimeoutsSummary"_s);
        QCOMPARE(summary->text(), u"request 2.5 s · connection 7 s"_s);
        QStringList shown;
        QString refused;
        QTimer::singleShot(0, &dialog, [&dialog, &shown, &refused] {
            auto *timeouts = dialog.findChild<QDialog *>(u"timeoutsDialog"_s);
            auto *request = timeouts->findChild<QLineEdit *>(u"timeout:request"_s);
            auto *total = timeouts->findChild<QLineEdit *>(u"timeout:total"_s);
            auto *connection = timeouts->findChild<QLineEdit *>(u"timeout:connection"_s);
            shown = QStringList{request->text(), request->placeholderText(), total->text(), total->placeholderText()};
            connection->setText(u"0.5"_s);
            auto *ok = timeouts->findChild<QPushButton *>(u"timeoutsOk"_s);
            if (!ok->isEnabled())
                refused = timeouts->findChild<TextLabel *>(u"timeoutsMessage"_s)->text();
            connection->clear();
            total->setText(u"0.25"_s);
            ok->click();
        });
        QTest::mouseClick(dialog.findChild<QPushButton *>(u"serverTimeouts"_s), Qt::LeftButton);
        QCOMPARE(shown, QStringList({u"2.5"_s, u"Preferences: 60 s"_s, u""_s, u"Preferences: no limit"_s}));
        QCOMPARE(refused, u"Connection timeout: enter a number of seconds from 1 to 3600."_s);
        QVERIFY(dialog.spec().timeouts == (ServerTimeouts{.request = 2500ms, .total = 250ms}));
        QCOMPARE(summary->text(), u"request 2.5 s · total 0.25 s"_s);
    }

    void networkSettingsAreEdited()
    {
        ServerSpec spec;
        spec.name = u"one"_s;
        spec.kind = ServerSpec::Kind::Http;
        spec.url = QUrl(u"https://example.com/mcp"_s);
        spec.network.allowedHosts = {u"auth.lan"_s};
        ServerDialog dialog(spec, false, [](const QString &) { return QString(); });
        dialog.show();
        auto *summary = dialog.findChild<TextLabel *>(u"serverNetworkSummary"_s);
        QCOMPARE(summary->text(), u"system proxy · allowed: auth.lan"_s);
        QString refused;
        QTimer::singleShot(0, &dialog, [&dialog, &refused] {
            auto *network = dialog.findChild<QDialog *>(u"networkDialog"_s);
            network->findChild<QComboBox *>(u"networkProxyKind"_s)->setCurrentIndex(2);
            auto *ok = network->findChild<QPushButton *>(u"networkOk"_s);
            if (!ok->isEnabled())
                refused = network->findChild<TextLabel *>(u"networkMessage"_s)->text();
            QTest::keyClicks(network->findChild<QLineEdit *>(u"networkProxy"_s), u"socks5://me:secret@h:1080"_s);
            QTest::keyClicks(network->findChild<QLineEdit *>(u"networkAcceptedCertificate"_s), QString(64, u'a'));
            QTest::keyClick(network->findChild<QLineEdit *>(u"networkAllowedHosts"_s), Qt::Key_End);
            QTest::keyClicks(network->findChild<QLineEdit *>(u"networkAllowedHosts"_s), u",h2"_s);
            ok->click();
        });
        QTest::mouseClick(dialog.findChild<QPushButton *>(u"serverNetwork"_s), Qt::LeftButton);
        QCOMPARE(refused, u"Enter the URL of the proxy."_s);
        const http::NetworkOptions network = dialog.spec().network;
        QCOMPARE(network.proxy, u"socks5://me:secret@h:1080"_s);
        QCOMPARE(network.acceptedCertificate, QString(64, u'a'));
        QCOMPARE(network.allowedHosts, (QStringList{u"auth.lan"_s, u"h2"_s}));
        QCOMPARE(summary->text(), u"proxy socks5://h:1080 · 1 accepted certificate · allowed: auth.lan, h2"_s);
        // A file that is not there is told, but may be there when it is needed.
        QString told;
        QTimer::singleShot(0, &dialog, [&dialog, &told] {
            auto *again = dialog.findChild<QDialog *>(u"networkDialog"_s);
            QTest::keyClicks(again->findChild<QLineEdit *>(u"networkCaFile"_s), u"/nowhere/ca.pem"_s);
            if (again->findChild<QPushButton *>(u"networkOk"_s)->isEnabled())
                told = again->findChild<TextLabel *>(u"networkMessage"_s)->text();
            again->reject();
        });
        QTest::mouseClick(dialog.findChild<QPushButton *>(u"serverNetwork"_s), Qt::LeftButton);
        QVERIFY2(told.contains(u"/nowhere/ca.pem cannot be read"_s), qPrintable(told));
        QCOMPARE(dialog.spec().network, network);
    }

    void aUrlTypedAsACommandSwitchesToUrl()
    {
        ServerDialog dialog({}, true, [](const QString &) { return QString(); });
        dialog.show();
        QVERIFY(QTest::qWaitForWindowActive(&dialog));
        auto *command = dialog.findChild<QLineEdit *>(u"serverCommand"_s);
        command->setFocus();
        // Key after key, wherever they go meanwhile.
        for (const QChar c : u"localhost:3000/mcp"_s)
            QTest::keyClick(dialog.focusWidget(), c.toLatin1());
        QCOMPARE(dialog.findChild<QLineEdit *>(u"serverUrl"_s)->text(), u"localhost:3000/mcp"_s);
        QVERIFY(command->text().isEmpty() && !command->isVisible());
        QCOMPARE(dialog.spec().kind, ServerSpec::Kind::Http);
        QCOMPARE(dialog.spec().url, QUrl(u"http://localhost:3000/mcp"_s));
        const QString message = dialog.findChild<TextLabel *>(u"serverMessage"_s)->text();
        QVERIFY2(message.startsWith(u"That looks like a URL; switched to URL."_s), qPrintable(message));
    }

    // Chosen with the mouse, the kind leads to its line; with the keyboard, the other one can still be chosen.
    void theKindLeadsToItsLine()
    {
        ServerDialog dialog({}, true, [](const QString &) { return QString(); });
        dialog.show();
        QVERIFY(QTest::qWaitForWindowActive(&dialog));
        const auto *kind = dialog.findChild<SegmentedControl *>(u"serverKind"_s);
        const auto *url = dialog.findChild<QLineEdit *>(u"serverUrl"_s);
        QTest::mouseClick(kind->button(1), Qt::LeftButton);
        QVERIFY(url->hasFocus());
        QTest::mouseClick(kind->button(0), Qt::LeftButton);
        QVERIFY(dialog.findChild<QLineEdit *>(u"serverCommand"_s)->hasFocus());
        kind->button(0)->setFocus();
        QTest::keyClick(kind->button(0), Qt::Key_Right);
        QVERIFY(url->isVisible());
        QVERIFY(kind->button(1)->hasFocus());
    }

    void aUrlStaysAsItIsTyped_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::newRow("IPv4") << u"http://127.0.0.1:3000/mcp"_s;
        QTest::newRow("short IPv4") << u"http://127.1:3000/mcp"_s;
        QTest::newRow("capitals") << u"HTTP://Example.COM/MCP"_s;
        QTest::newRow("encoded") << u"https://example.com/%7Eada/a%20b"_s;
        QTest::newRow("not encoded") << u"https://example.com/~ada?q=a|b"_s;
        QTest::newRow("IPv6") << u"http://[0:0:0:0:0:0:0:1]:3000/mcp"_s;
        QTest::newRow("IDN") << u"https://xn--bcher-kva.example/mcp"_s;
        QTest::newRow("port of the scheme") << u"https://example.com:443"_s;
    }

    void aUrlStaysAsItIsTyped()
    {
        QFETCH(QString, typed);
        for (const QString &field : {u"serverCommand"_s, u"serverUrl"_s}) {
            ServerDialog dialog({}, true, [](const QString &) { return QString(); });
            dialog.show();
            QVERIFY(QTest::qWaitForWindowActive(&dialog));
            if (field == u"serverUrl"_s)
                dialog.findChild<SegmentedControl *>(u"serverKind"_s)->setCurrent(1);
            dialog.findChild<QLineEdit *>(field)->setFocus();
            // Key after key, wherever they go meanwhile.
            for (const QChar c : typed)
                QTest::keyClick(dialog.focusWidget(), c.toLatin1());
            const auto *url = dialog.findChild<QLineEdit *>(u"serverUrl"_s);
            QCOMPARE(url->text(), typed);
            const ServerSpec spec = dialog.spec();
            QCOMPARE(spec.line(), typed);  // as the list shows it
            const QByteArray saved = spec.toJson();
            QCOMPARE(json::parse(saved)[u"url"].string(), typed);
            // Read from the file, opened and saved without a change.
            const Result<ServerSpec> read = ServerSpec::fromJson(u"x"_s, json::parse(saved));
            QVERIFY(read);
            ServerDialog again(*read, false, [](const QString &) { return QString(); });
            QCOMPARE(again.findChild<QLineEdit *>(u"serverUrl"_s)->text(), typed);
            QCOMPARE(again.spec().toJson(), saved);
        }
    }

    void aCommandThatAddsAUrlIsTakenWhenItIsComplete()
    {
        ServerDialog dialog({}, true, [](const QString &) { return QString(); });
        dialog.show();
        QVERIFY(QTest::qWaitForWindowActive(&dialog));
        auto *command = dialog.findChild<QLineEdit *>(u"serverCommand"_s);
        command->setFocus();
        const QString typed = u"claude mcp add --transport http x http://127.1:3000/mcp --header 'X-Team: blue'"_s;
        for (const QChar c : typed)
            QTest::keyClick(dialog.focusWidget(), c.toLatin1());
        QCOMPARE(command->text(), typed);
        QVERIFY(dialog.findChild<QPushButton *>(u"serverOk"_s)->isEnabled());
        const ServerSpec before = dialog.spec();
        QCOMPARE(before.kind, ServerSpec::Kind::Http);
        QTest::keyClick(dialog.focusWidget(), Qt::Key_Tab);
        QCOMPARE(dialog.findChild<QLineEdit *>(u"serverUrl"_s)->text(), u"http://127.1:3000/mcp"_s);
        QCOMPARE(dialog.spec(), before);
        QCOMPARE(before.headers, (Pairs{{u"X-Team"_s, u"blue"_s}}));
    }

    void aFolderInTheCommandIsTheWorkingDirectory()
    {
        ServerDialog dialog({}, true, [](const QString &) { return QString(); });
        dialog.show();
        dialog.findChild<QLineEdit *>(u"serverCommand"_s)->setText(u"cd x && A=1 /bin/echo y"_s);
        QCOMPARE(dialog.spec().workingDirectory, QDir::homePath() + u"/x"_s);
        QCOMPARE(dialog.spec().command, u"/bin/echo"_s);
        dialog.findChild<QLineEdit *>(u"serverDirectory"_s)->setText(u"/tmp"_s);
        QCOMPARE(dialog.spec().workingDirectory, u"/tmp/x"_s);
    }

    void anOpenQuoteIsSaidAndNothingIsLost()
    {
        ServerDialog dialog({}, true, [](const QString &) { return QString(); });
        dialog.show();
        QTest::keyClicks(dialog.findChild<QLineEdit *>(u"serverName"_s), u"x"_s);
        auto *command = dialog.findChild<QLineEdit *>(u"serverCommand"_s);
        QTest::keyClicks(command, u"echo 'open"_s);
        QVERIFY(!dialog.findChild<QPushButton *>(u"serverOk"_s)->isEnabled());
        QVERIFY(!dialog.findChild<TextLabel *>(u"serverMessage"_s)->text().isEmpty());
        QCOMPARE(command->text(), u"echo 'open"_s);
    }

    void whatIsTooLongForALineIsNeverCut()
    {
        const QString longText(2'000'000, u'x');
        ServerSpec spec;
        spec.name = u"long"_s;
        spec.command = u"/bin/echo"_s;
        spec.arguments = {longText};
        spec.workingDirectory = u"/tmp/"_s + longText;
        spec.environment = {{u"A"_s, longText}, {u"B"_s, u"1"_s}};
        ServerDialog dialog(spec, false, [](const QString &) { return QString(); });
        dialog.show();
        QVERIFY(QTest::qWaitForWindowActive(&dialog));
        for (const QString &name : {u"serverCommand"_s, u"serverDirectory"_s}) {
            auto *line = dialog.findChild<QLineEdit *>(name);
            line->setFocus();
            QTest::keyClick(line, Qt::Key_Y);
        }
        // By the arrow keys over the long value and on: each cell that becomes current opens its editor.
        auto *table = dialog.findChild<PairTable *>(u"serverEnvironment"_s);
        table->setFocus();
        table->setCurrentCell(0, 0);
        table->setCurrentCell(0, 1);
        QVERIFY(table->viewport()->findChild<QLineEdit *>());
        table->setCurrentCell(1, 1);
        table->setCurrentCell(1, 0);
        table->commit();
        QVERIFY(dialog.spec() == spec);
    }

    // Where no cell is current, Enter begins with the empty row; the box beside a value is no text.
    void enterInATableOfPairsNeverFails()
    {
        QTest::failOnWarning(QRegularExpression(u"edit"_s));
        PairTable table(u"Name"_s, u"Value"_s);
        table.setHasSecrets(NamePlace::Variable);
        table.show();
        QVERIFY(QTest::qWaitForWindowActive(&table));
        table.setCurrentIndex({});
        QTest::keyClick(&table, Qt::Key_Return);
        QCOMPARE(table.currentRow(), 0);
        QVERIFY(table.viewport()->findChild<QLineEdit *>());
        table.commit();
        table.setCurrentCell(0, 2);
        QTest::keyClick(&table, Qt::Key_Return);
        QCOMPARE(table.currentColumn(), 2);
    }

    void theTransportOfAUrlIsChosen()
    {
        ServerSpec spec;
        spec.kind = ServerSpec::Kind::Http;
        spec.name = u"remote"_s;
        spec.url = QUrl(u"https://example.com/mcp"_s);
        spec.httpKind = ServerSpec::HttpKind::Streamable;
        ServerDialog dialog(spec, false, [](const QString &) { return QString(); });
        dialog.show();
        QVERIFY(dialog.spec() == spec);
        auto *transport = dialog.findChild<QComboBox *>(u"serverTransport"_s);
        QVERIFY(transport->isVisible());
        QCOMPARE(transport->currentText(), u"Streamable HTTP"_s);
        for (const auto &[text, kind] : {std::pair{u"HTTP+SSE"_s, ServerSpec::HttpKind::Sse},
                                         std::pair{u"Automatic"_s, ServerSpec::HttpKind::Automatic}}) {
            transport->setCurrentText(text);
            QVERIFY(dialog.spec().httpKind == kind);
        }
        auto *revision = dialog.findChild<QComboBox *>(u"serverRevision"_s);
        const auto *ok = dialog.findChild<QPushButton *>(u"serverOk"_s);
        revision->setCurrentText(u"2026-07-28"_s);
        QVERIFY(ok->isEnabled());
        transport->setCurrentText(u"HTTP+SSE"_s);
        QVERIFY(!ok->isEnabled());
        const QString message = dialog.findChild<TextLabel *>(u"serverMessage"_s)->text();
        QVERIFY2(message.contains(u"does not work over HTTP+SSE"_s), qPrintable(message));
        revision->setCurrentText(u"2025-03-26"_s);
        QVERIFY(ok->isEnabled());
        dialog.findChild<SegmentedControl *>(u"serverKind"_s)->setCurrent(0);
        QVERIFY(!transport->isVisible());
    }

    void aHeaderThatBreaksTheLineIsRefused()
    {
        ServerSpec spec;
        spec.kind = ServerSpec::Kind::Http;
        spec.name = u"remote"_s;
        spec.url = QUrl(u"https://example.com/mcp"_s);
        spec.headers = {{u"X-One"_s, u"fine"_s}};
        ServerDialog dialog(spec, false, [](const QString &) { return QString(); });
        dialog.show();
        QVERIFY(dialog.findChild<QPushButton *>(u"serverOk"_s)->isEnabled());
        auto *headers = dialog.findChild<PairTable *>(u"serverHeaders"_s);
        headers->item(0, 1)->setText(u"a\r\nInjected: yes"_s);
        QVERIFY(!dialog.findChild<QPushButton *>(u"serverOk"_s)->isEnabled());
        headers->item(0, 1)->setText(u"b"_s);
        QVERIFY(dialog.findChild<QPushButton *>(u"serverOk"_s)->isEnabled());
        QCOMPARE(dialog.spec().headers.value(0).second, u"b"_s);
    }

    void sessionsAreListedAndDeleted()
    {
        QTemporaryDir folder;
        const SessionLibrary library(folder.path());
        QStringList paths;
        for (const auto &name : {u"alpha"_s, u"beta"_s}) {
            paths << library.newPath(name, QDateTime::currentDateTime());
            std::unique_ptr<Session> session = Session::create(paths.last(), name);
            session->finish();
        }
        SessionsDialog dialog(library);
        dialog.show();
        auto *table = dialog.findChild<QTableView *>(u"sessionTable"_s);
        QCOMPARE(table->model()->rowCount(), 2);
        QTest::keyClicks(dialog.findChild<QLineEdit *>(u"sessionFilter"_s), u"bet"_s);
        QCOMPARE(table->model()->rowCount(), 1);
        QTest::keyClicks(dialog.findChild<QLineEdit *>(u"sessionFilter"_s), u"x"_s);
        const auto *empty = dialog.findChild<EmptyState *>(u"sessionsEmpty"_s);
        QVERIFY(empty->isVisible() && !table->isVisible());
        QVERIFY(empty->findChild<TextLabel *>()->text().contains(u"“betx”"));
        QTest::keyClick(dialog.findChild<QLineEdit *>(u"sessionFilter"_s), Qt::Key_Backspace);
        QVERIFY(table->isVisible() && !empty->isVisible());
        // Deleting asks first, and Cancel is what Enter means.
        const auto response = [&dialog](bool remove) {
            QTimer::singleShot(0, &dialog, [&dialog, remove] {
                auto *serverRequest = dialog.findChild<QMessageBox *>(u"deleteQuestion"_s);
                QVERIFY(serverRequest);
                for (QAbstractButton *button : serverRequest->buttons()) {
                    if ((serverRequest->buttonRole(button) == QMessageBox::DestructiveRole) == remove)
                        QTest::mouseClick(button, Qt::LeftButton);
                }
            });
            QTest::mouseClick(dialog.findChild<QPushButton *>(u"sessionRemove"_s), Qt::LeftButton);
        };
        response(false);
        QVERIFY(QFile::exists(paths[1]));
        response(true);
        QVERIFY(!QFile::exists(paths[1]));
        QVERIFY(QFile::exists(paths[0]));
        dialog.findChild<QLineEdit *>(u"sessionFilter"_s)->clear();
        QCOMPARE(table->model()->rowCount(), 1);
        QTest::mouseClick(dialog.findChild<QPushButton *>(u"sessionOpen"_s), Qt::LeftButton);
        QCOMPARE(dialog.chosenPath(), paths[0]);
    }

    void aDeletionNamesTheSessionAndTheSelectionStaysThere()
    {
        const QTemporaryDir folder;
        const SessionLibrary library(folder.path());
        for (const auto &name : {u"alpha"_s, u"beta"_s, u"gamma"_s})
            Session::create(library.newPath(name, QDateTime::currentDateTime()), name)->finish();
        SessionsDialog dialog(library);
        dialog.show();
        auto *table = dialog.findChild<QTableView *>(u"sessionTable"_s);
        const auto server = [table](int row) {
            return table->model()->index(row, SessionsModel::Server).data().toString();
        };
        table->selectRow(1);
        const QString going = server(1);
        const QString next = server(2);
        QString asked;
        QTimer::singleShot(0, &dialog, [&dialog, &asked] {
            auto *question = dialog.findChild<QMessageBox *>(u"deleteQuestion"_s);
            QVERIFY(question);
            asked = question->text();
            for (QAbstractButton *button : question->buttons()) {
                if (question->buttonRole(button) == QMessageBox::DestructiveRole)
                    QTest::mouseClick(button, Qt::LeftButton);
            }
        });
        QTest::mouseClick(dialog.findChild<QPushButton *>(u"sessionRemove"_s), Qt::LeftButton);
        QVERIFY2(asked.contains(u" · "_s + going), qPrintable(asked));
        QCOMPARE(table->model()->rowCount(), 2);
        const QModelIndexList selected = table->selectionModel()->selectedRows();
        QCOMPARE(selected.size(), 1);
        QCOMPARE(server(selected.first().row()), next);
    }

    void paletteFindsByPartsOfWords()
    {
        QList<GotoEntry> entries;
        for (const auto &text : {u"get-tiny-image"_s, u"echo"_s, u"get-sum"_s, u"trigger-long-running-operation"_s})
            entries.append({text, u"server"_s, u"tool"_s, text, {}});
        auto *palette = new GotoPalette(entries);
        palette->show();
        QSignalSpy chosen(palette, &GotoPalette::chosen);
        auto *line = palette->findChild<QLineEdit *>(u"gotoLine"_s);
        auto *list = palette->findChild<QListWidget *>(u"gotoList"_s);
        QCOMPARE(list->count(), 4);
        QCOMPARE(list->viewport()->height() % list->visualItemRect(list->item(0)).height(), 0);  // no row is cut
        QTest::keyClicks(line, u"sum"_s);
        QCOMPARE(list->count(), 1);
        line->clear();
        QTest::keyClicks(line, u"tlro"_s);  // the first letters, in order
        QCOMPARE(list->currentItem()->text(), u"trigger-long-running-operation"_s);
        // The keys may come when there is nothing to choose from.
        QTest::keyClicks(line, u"zzz"_s);
        QCOMPARE(list->count(), 0);
        auto *empty = palette->findChild<EmptyState *>(u"gotoEmpty"_s);
        QVERIFY(empty->isVisible() && !list->isVisible());
        QVERIFY(empty->findChild<TextLabel *>()->text().contains(u"“tlrozzz”"));
        QVERIFY(empty->findChildren<TextLabel *>().last()->text().contains(u"or command"));
        QTest::keyClick(line, Qt::Key_Down);
        QTest::keyClick(line, Qt::Key_Up);
        QTest::keyClick(line, Qt::Key_Return);
        QCOMPARE(chosen.size(), 0);
        line->clear();
        QVERIFY(list->isVisible() && !empty->isVisible());
        QTest::keyClick(line, Qt::Key_Down);
        QTest::keyClick(line, Qt::Key_Return);
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen.first().first().toString(), u"echo"_s);
    }

    void paletteFindsByTitlesToo()
    {
        GotoPalette palette({{u"inv_create"_s, u"billing"_s, u"tool"_s, 1, u"Write an invoice"_s},
                             {u"invite"_s, u"billing"_s, u"tool"_s, 2, {}}});
        auto *line = palette.findChild<QLineEdit *>(u"gotoLine"_s);
        const auto *list = palette.findChild<QListWidget *>(u"gotoList"_s);
        QTest::keyClicks(line, u"invoice"_s);
        QCOMPARE(list->count(), 1);
        QCOMPARE(list->item(0)->text(), u"inv_create"_s);
        QCOMPARE(list->item(0)->data(Qt::UserRole + 1).toString(), u"billing · Write an invoice"_s);
        line->clear();
        QTest::keyClicks(line, u"invi"_s);  // what begins with it comes first
        QCOMPARE(list->item(0)->text(), u"invite"_s);
    }

    void paletteFindsWordsInAnyOrder()
    {
        const auto entry = [](const QString &text, const QString &server, bool isCurrent = false) {
            return GotoEntry{text, server, u"tool"_s, text + u" of "_s + server, {}, isCurrent};
        };
        GotoPalette palette({entry(u"ask-die"_s, u"alpha"_s), entry(u"ask-die"_s, u"gamma"_s),
                             entry(u"die"_s, u"alpha"_s), entry(u"ask-die"_s, u"current"_s, true),
                             entry(u"Restart server"_s, u"F5"_s)});
        auto *line = palette.findChild<QLineEdit *>(u"gotoLine"_s);
        const auto *list = palette.findChild<QListWidget *>(u"gotoList"_s);
        const auto found = [&](const QString &typed) {
            line->setText(typed);
            QStringList texts;
            for (int i = 0; i < list->count(); ++i)
                texts << list->item(i)->text() + u'@' + list->item(i)->data(Qt::UserRole + 1).toString();
            return texts;
        };
        QCOMPARE(found(u"gamma ask-die"_s), QStringList{u"ask-die@gamma"_s});
        QCOMPARE(found(u"ask-die gamma"_s), QStringList{u"ask-die@gamma"_s});
        QCOMPARE(found(u"gam askdie"_s), QStringList{u"ask-die@gamma"_s});
        // What is preferred comes first among equals, but not before what matches better.
        QCOMPARE(found(u"ask"_s).first(), u"ask-die@current"_s);
        QCOMPARE(found(u"die"_s).first(), u"die@alpha"_s);
        QCOMPARE(found({}).first(), u"ask-die@current"_s);
        QCOMPARE(found(u"server restart"_s), QStringList{u"Restart server@F5"_s});
        QCOMPARE(found(u"f5"_s), QStringList{u"Restart server@F5"_s});
        QCOMPARE(found(u"gamma die x"_s), QStringList());
        QCOMPARE(found(u"rtrtsv"_s), QStringList());  // letter by letter a long text has everything
    }

    void recordedSessionsAreChosenByArrowsAndEnter()
    {
        const QTemporaryDir folder;
        const SessionLibrary library(folder.path());
        for (const auto &name : {u"alpha"_s, u"beta"_s, u"gamma"_s})
            Session::create(library.newPath(name, QDateTime::currentDateTime()), name)->finish();
        SessionsDialog dialog(library);
        dialog.show();
        auto *filter = dialog.findChild<QLineEdit *>(u"sessionFilter"_s);
        const auto *table = dialog.findChild<QTableView *>(u"sessionTable"_s);
        QVERIFY(filter->hasFocus() || QTest::qWaitForWindowActive(&dialog));
        QTest::keyClick(filter, Qt::Key_Down);
        QTest::keyClick(filter, Qt::Key_Down);
        QTest::keyClick(filter, Qt::Key_Up);
        QCOMPARE(table->selectionModel()->selectedRows().size(), 1);
        QCOMPARE(table->currentIndex().row(), 1);
        const QString server = table->model()->index(1, 1).data().toString();
        QTest::keyClick(filter, Qt::Key_Return);
        QCOMPARE(dialog.result(), int(QDialog::Accepted));
        QVERIFY2(dialog.chosenPath().contains(server), qPrintable(dialog.chosenPath()));
    }

    void recentSessionsAreThoseThatCanBeOpened()
    {
        SessionEntry broken;
        broken.path = u"/s/broken.mcpsession"_s;
        broken.problem = u"Not a Sonde session file."_s;
        SessionEntry replay;
        replay.path = u"/s/replay.mcpsession"_s;
        replay.serverName = u"billing"_s;
        replay.createdAt = QDateTime::currentDateTimeUtc();
        replay.isReplay = true;
        WelcomePanel panel;
        panel.setSessions({broken, replay});
        panel.resize(1200, 500);
        panel.show();
        const QList<QToolButton *> offered = panel.findChildren<QToolButton *>();
        QCOMPARE(offered.size(), 1);
        QVERIFY2(offered.first()->text().startsWith(u"billing   replayed today"), qPrintable(offered.first()->text()));
        QSignalSpy requested(&panel, &WelcomePanel::sessionRequested);
        QTest::mouseClick(offered.first(), Qt::LeftButton);
        QCOMPARE(requested.value(0).value(0).toString(), replay.path);
    }

    // Servers change their state all the time, and their order with it.
    void theFocusStaysAtItsServerOnTheStartPage()
    {
        WelcomePanel panel;
        const auto server = [](const QString &name, const QString &detail) {
            ServerItem item;
            item.name = name;
            item.detail = detail;
            return item;
        };
        panel.setServers({server(u"one"_s, u"stdio"_s), server(u"two"_s, u"stdio"_s)});
        panel.show();
        QVERIFY(QTest::qWaitForWindowActive(&panel));
        const auto focused = [] { return QApplication::focusWidget()->accessibleName(); };
        const QPointer<QWidget> button = panel.findChildren<QToolButton *>().value(1);
        button->setFocus();
        QCOMPARE(focused(), u"two   stdio"_s);
        panel.setServers({server(u"one"_s, u"stdio"_s), server(u"two"_s, u"stdio"_s)});
        QVERIFY(button->isVisible() && button->hasFocus());
        panel.setServers({server(u"two"_s, u"stdio · 4 ms"_s), server(u"one"_s, u"stdio"_s)});
        QCOMPARE(focused(), u"two   stdio · 4 ms"_s);
    }

    // On a small screen there is nothing to scroll sideways for.
    void longNamesDoNotWidenTheStartPage()
    {
        SessionEntry entry;
        entry.path = u"/s/long.mcpsession"_s;
        entry.serverName = QString(40, u'W');
        entry.createdAt = QDateTime::currentDateTimeUtc();
        WelcomePanel panel;
        panel.setSessions({entry});
        panel.resize(740, 340);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        QVERIFY2(panel.minimumSizeHint().width() <= panel.width(),
                 qPrintable(QString::number(panel.minimumSizeHint().width())));
        const auto *button = panel.findChild<QToolButton *>();
        QVERIFY2(button->text().contains(u'…'), qPrintable(button->text()));
        QVERIFY(button->accessibleName().startsWith(entry.serverName));
    }

    void aMessageIsSentAsEdited()
    {
        SendDialog dialog(
            "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"n\":9007199254740993,"
            "\"x\":1.0},\"extra\":[]}",
            "12");
        dialog.show();
        // Nothing but the id is another one.
        QCOMPARE(dialog.message(),
                 "{\"jsonrpc\":\"2.0\",\"id\":12,\"method\":\"tools/call\",\"params\":{\"n\":"
                 "9007199254740993,\"x\":1.0},\"extra\":[]}"_ba);
        QVERIFY(dialog.draft().text.isEmpty());
        auto *id = dialog.findChild<QComboBox *>(u"sendId"_s);
        auto *note = dialog.findChild<TextLabel *>(u"sendIdNote"_s);
        QCOMPARE(note->text(), u"new ID"_s);
        id->setCurrentIndex(1);
        QVERIFY(dialog.message().contains("\"id\":7,"));
        QVERIFY(note->text().startsWith(u"Original ID"));
        id->setEditText(u"\"mine\""_s);
        QVERIFY(dialog.message().contains("\"id\":\"mine\","));
        id->setEditText({});
        QVERIFY(!dialog.message().contains("\"id\""));
        auto *method = dialog.findChild<QLineEdit *>(u"sendMethod"_s);
        method->selectAll();
        QTest::keyClicks(method, u"a\"b"_s);
        dialog.findChild<JsonEditor *>(u"sendParams"_s)->setJson({});
        QCOMPARE(dialog.message(), "{\"jsonrpc\":\"2.0\",\"method\":\"a\\\"b\",\"extra\":[]}"_ba);
        QSignalSpy accepted(&dialog, &QDialog::accepted);
        QTest::mouseClick(dialog.findChild<QPushButton *>(u"sendMessage"_s), Qt::LeftButton);
        QCOMPARE(accepted.size(), 1);
    }

    // Sonde's own token is the id and goes with it. One that somebody chose stays.
    void theProgressTokenIsFreshToo()
    {
        const auto message = [](const char *id, const char *token) {
            return QByteArray(
                       R"({"jsonrpc":"2.0","id":ID,"method":"m","params":{"a":1.0,"_meta":{"t":1,"progressToken":TOKEN}}})")
                .replace("ID", id)
                .replace("TOKEN", token);
        };
        QCOMPARE(SendDialog(message("7", "7"), "12").message(), message("12", "12"));
        QCOMPARE(SendDialog(message("7", "\"mine\""), "12").message(), message("12", "\"mine\""));
        QCOMPARE(SendDialog(message("7", "7"), "12", {message("9", "9"), "9", {}}).message(), message("12", "12"));
        QCOMPARE(SendDialog(message("7", "7"), "12", {message("9", "55"), "9", {}}).message(), message("12", "55"));
    }

    void aMaskedSecretIsSaid()
    {
        SendDialog dialog(R"({"jsonrpc":"2.0","id":7,"method":"m","params":{"pin":"‹pin:1a2b3c4d›"}})", "8");
        dialog.show();
        auto *finding = dialog.findChild<TextLabel *>(u"sendFinding"_s);
        QVERIFY(finding->isVisible() && finding->text().contains(u"redacted in the session"));
        dialog.findChild<JsonEditor *>(u"sendParams"_s)->setJson(R"({"pin":"1234"})");
        Q_EMIT dialog.findChild<JsonEditor *>(u"sendParams"_s)->changed();
        QVERIFY(!finding->isVisible());
    }

    void brokenOnPurposeIsAllowedAndSaid()
    {
        SendDialog dialog("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\"}", "8");
        dialog.show();
        auto *modes = dialog.findChild<SegmentedControl *>(u"sendModes"_s);
        auto *text = dialog.findChild<JsonEditor *>(u"messageEditor"_s);
        auto *finding = dialog.findChild<TextLabel *>(u"sendFinding"_s);
        QVERIFY(!finding->isVisible());
        // No params are no mistake.
        QVERIFY(
            !dialog.findChild<JsonEditor *>(u"sendParams"_s)->findChild<TextLabel *>(u"jsonProblem"_s)->isVisible());
        QTest::mouseClick(modes->button(1), Qt::LeftButton);
        QVERIFY(text->isVisible());
        text->edit()->selectAll();
        QTest::keyClicks(text->edit(), u"{\"broken\":"_s);
        QTest::keyClick(text->edit(), Qt::Key_Return);
        QTest::keyClicks(text->edit(), u"oops"_s);
        QVERIFY(finding->isVisible() && finding->text().contains(u"not valid JSON"));
        QVERIFY2(text->problem().startsWith(u"line 2, column 1"), qPrintable(text->problem()));
        QCOMPARE(dialog.message(), "{\"broken\": oops"_ba);  // only the line's end would cut it in two
        // The parts cannot hold it: it stays.
        QTest::mouseClick(modes->button(0), Qt::LeftButton);
        QCOMPARE(modes->current(), 1);
        QVERIFY(text->isVisible());
        QVERIFY(dialog.findChild<QPushButton *>(u"sendMessage"_s)->isEnabled());
        // Valid JSON that is no JSON-RPC: a different finding.
        text->setJson("{\"method\":5}");
        Q_EMIT text->changed();
        QVERIFY(finding->isVisible() && !finding->text().contains(u"not valid JSON"));
    }

    void whatWasTypedIsNeverLost()
    {
        const QByteArray message = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\",\"params\":{}}";
        SendDraft draft;
        {
            SendDialog dialog(message, "8");
            dialog.show();
            dialog.findChild<JsonEditor *>(u"sendParams"_s)->setJson("{\"half\": ");
            QTest::keyClick(&dialog, Qt::Key_Escape);
            QVERIFY(!dialog.isVisible());
            draft = dialog.draft();
        }
        SendDialog dialog(message, "9", draft);
        dialog.show();
        // Broken parts come back as the whole text.
        auto *text = dialog.findChild<JsonEditor *>(u"messageEditor"_s);
        QVERIFY(text->isVisible() && text->json().contains("{\"half\":"));
        auto *startOver = dialog.findChild<QPushButton *>(u"sendStartOver"_s);
        QTest::mouseClick(startOver, Qt::LeftButton);
        QCOMPARE(dialog.message(), QByteArray(message).replace(":7", ":9"));
        QVERIFY(dialog.draft().text.isEmpty());
        QTest::mouseClick(startOver, Qt::LeftButton);
        QVERIFY(dialog.message().contains("{\"half\":"));
        // A draft that was whole gets an id of its own each time.
        SendDialog third(message, "10", {"{\"id\":9,\"method\":\"m\"}", "9", {}});
        QCOMPARE(third.message(), "{\"id\":10,\"method\":\"m\"}"_ba);
    }
};

SONDE_TEST(TestDialogs)
#include "tst_dialogs.moc"
