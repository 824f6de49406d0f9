// What must be agreed to before a server is started, and that nothing gets past it.
// SPDX-License-Identifier: Apache-2.0
#include "core/connection/connection.h"
#include "core/protocol/visibletext.h"
#include "core/secrets/secretstore.h"
#include "core/server/approval.h"
#include "tests/support/fakehttpserver.h"
#include "tests/support/files.h"
#include "tests/support/testregistry.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>
#include <algorithm>

using namespace Qt::StringLiterals;
using namespace sonde;

class TestApproval : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(QDir(m_folder->path()).mkpath(u"a"_s) && QDir(m_folder->path()).mkpath(u"b"_s));
        program(u"b/tool"_s);
        m_store = std::make_shared<ApprovalStore>(path(u"config/approvals.json"_s));
    }

    void aNewServerIsAskedForOnce()
    {
        Connection connection(spec(), options());
        QSignalSpy asked(&connection, &Connection::approvalNeeded);
        connection.open();
        QTRY_COMPARE(asked.size(), 1);
        QVERIFY(connection.approval()->before.isEmpty());
        QCOMPARE(connection.startSteps().first().state, Step::State::Paused);
        QVERIFY(!wasStarted());
        connection.decline();
        QTRY_COMPARE(connection.state(), Connection::State::Disconnected);
        QVERIFY(!connection.approval());
        QVERIFY(!wasStarted());
        connection.open();
        QTRY_COMPARE(asked.size(), 2);
        QVERIFY(!connection.approve());
        QTRY_VERIFY(wasStarted());
        end(connection);
        connection.open();
        end(connection);
        QCOMPARE(asked.size(), 2);
        // Another program of Sonde knows it, too.
        m_store = std::make_shared<ApprovalStore>(path(u"config/approvals.json"_s));
        Connection other(spec(), options());
        QSignalSpy again(&other, &Connection::approvalNeeded);
        other.open();
        end(other);
        QVERIFY(again.isEmpty());
    }

    void s3_anyChangeAsksAgain_data()
    {
        QTest::addColumn<QString>("what");
        for (const char *what : {"program", "argument", "argument added", "argument removed", "variable", "secret",
                                 "variable added", "folder", "inherit"})
            QTest::newRow(what) << QString::fromLatin1(what);
    }
    void s3_anyChangeAsksAgain()
    {
        QFETCH(QString, what);
        approve(spec());
        ServerSpec changed = spec();
        if (what == u"program")
            changed.command = program(u"b/other"_s);
        else if (what == u"argument")
            changed.arguments[0] = u"-c"_s;
        else if (what == u"argument added")
            changed.arguments.append(u"; rm -rf ~"_s);
        else if (what == u"argument removed")
            changed.arguments.removeLast();
        else if (what == u"variable")
            changed.environment[1].second = u"2"_s;
        else if (what == u"secret")
            changed.environment[2].second = u"another-secret-9876543210"_s;
        else if (what == u"variable added")
            changed.environment.append({u"LD_PRELOAD"_s, u"/tmp/evil.so"_s});
        else if (what == u"folder")
            changed.workingDirectory = path(u"a"_s);
        else
            changed.inheritEnvironment = true;
        Connection connection(changed, options());
        QSignalSpy asked(&connection, &Connection::approvalNeeded);
        connection.open();
        QTRY_COMPARE(asked.size(), 1);
        QVERIFY(!wasStarted());
        const QList<Approval::Row> rows = connection.approval()->rows();
        QCOMPARE(std::ranges::count_if(rows,
                                       [](const Approval::Row &row) {
                                           return row.state != Approval::Row::State::Same &&
                                                  row.state != Approval::Row::State::Before;
                                       }),
                 1);
    }

    void s3_addressesAreAskedForToo_data()
    {
        QTest::addColumn<QString>("what");
        for (const char *what : {"nothing", "url", "header", "secret header", "issuer", "proxy"})
            QTest::newRow(what) << QString::fromLatin1(what);
    }
    void s3_addressesAreAskedForToo()
    {
        QFETCH(QString, what);
        test::FakeHttpServer server;
        ServerSpec known;
        known.name = u"one"_s;
        known.kind = ServerSpec::Kind::Http;
        known.url = server.url(u"/mcp"_s);
        known.headers = {{u"X-Tenant"_s, u"acme"_s}, {u"Authorization"_s, u"${keychain:one}"_s}};
        (void)m_store->approve(known.name, launchLines(known));
        ServerSpec changed = known;
        if (what == u"url")
            changed.url = server.url(u"/other"_s);
        else if (what == u"header")
            changed.headers[0].second = u"other"_s;
        else if (what == u"secret header")  // of another server, perhaps
            changed.headers[1].second = u"${keychain:two}"_s;
        else if (what == u"issuer")
            changed.oauth.issuer = u"https://evil.example"_s;
        else if (what == u"proxy")
            changed.network.proxy = u"http://127.0.0.1:1"_s;
        Connection connection(changed, options());
        QSignalSpy asked(&connection, &Connection::approvalNeeded);
        connection.open();
        if (what == u"nothing") {
            QTRY_VERIFY(server.connections() > 0);
            QVERIFY(asked.isEmpty());
        } else {
            QTRY_COMPARE(asked.size(), 1);
            QCOMPARE(server.connections(), 0);
        }
    }

    // While the question is open another program edits the list: what was asked about is not what would start.
    void s3_aChangeUnderAnOpenQuestionIsAnotherQuestion()
    {
        Connection connection(spec(), options());
        QSignalSpy asked(&connection, &Connection::approvalNeeded);
        connection.open();
        QTRY_COMPARE(asked.size(), 1);
        ServerSpec changed = spec();
        changed.arguments = {u"--evil"_s};
        connection.setSpec(changed);
        QTRY_COMPARE(asked.size(), 2);
        QVERIFY(!wasStarted());
        const QList<LaunchLine> lines = connection.approval()->lines;
        QVERIFY(
            std::any_of(lines.begin(), lines.end(), [](const LaunchLine &line) { return line.value == u"--evil"; }));
        QVERIFY(!connection.approve());
        QTRY_VERIFY(wasStarted());
        QVERIFY(m_store->question(u"one"_s, launchLines(spec())));
    }

    void s3_aChangeWhileTheKeychainIsReadAsks()
    {
        ServerSpec known = spec();
        known.environment.append({u"KEY"_s, u"${keychain:key}"_s});
        approve(known);
        ConnectionOptions options = this->options();
        options.profile.secrets = std::make_shared<SecretVault>(std::make_unique<MemorySecretStore>());
        options.profile.secrets->keepForSession(u"key"_s, "value");
        Connection connection(known, options);
        QSignalSpy asked(&connection, &Connection::approvalNeeded);
        connection.open();
        ServerSpec changed = known;
        changed.arguments = {u"--evil"_s};
        connection.setSpec(changed);
        QTRY_COMPARE(asked.size(), 1);
        QVERIFY(!wasStarted());
    }

    void s4_whatWouldRunCanBeSeen()
    {
        ServerSpec process = spec();
        process.environment.append({u"NODE_OPTIONS"_s, u"--require=./node_modules/x1/evil.js"_s});
        process.environment.append({u"X"_s, u"/tmp/Ab1-2Cd3Ef4Gh5Ij6/kL7mN8oP9qR.so"_s});
        const LaunchLine options = lineOf(process, u"NODE_OPTIONS"_s);
        QVERIFY(options.secret.isEmpty() && options.value.contains(u"evil.js"_s));
        QVERIFY(lineOf(process, u"X"_s).secret.isEmpty());
        QCOMPARE(lineOf(process, u"API_TOKEN"_s).value, LaunchLine::secretMark());

        ServerSpec address;
        address.kind = ServerSpec::Kind::Http;
        address.url = QUrl(u"https://api.github.com:hidden-123@evil.example/mcp"_s);
        address.network.proxy = u"http://me:hidden-456@proxy.example:8080"_s;
        QCOMPARE(lineOf(address, {}).value, u"https://evil.example/mcp"_s);
        QCOMPARE(lineOf(address, u"user"_s).value, u"api.github.com"_s);
        QCOMPARE(lineOf(address, u"proxy"_s).value, u"http://proxy.example:8080"_s);
        for (const LaunchLine &line : launchLines(address))
            QVERIFY2(!line.value.contains(u"hidden"_s), qPrintable(line.label()));
        address.url = QUrl(u"https://ghp0aB1cD2eF3gH4iJ5kL6mN7oP8qR9s@evil.example/mcp?api_key=hidden-123&page=2"_s);
        QCOMPARE(lineOf(address, {}).value, u"https://evil.example/mcp?api_key=(secret)&page=2"_s);
        QCOMPARE(lineOf(address, {}).secret, u"hidden-123"_s);
        QCOMPARE(lineOf(address, u"user"_s).value, LaunchLine::secretMark());
        approve(address);
        ServerSpec other = address;
        other.url = QUrl(QString(address.url.text()).replace(u"hidden-123"_s, u"hidden-124"_s));
        QVERIFY(m_store->question(address.name, launchLines(other)));
        ServerSpec changed = address;
        changed.network.proxy = u"http://me:hidden-789@proxy.example:8080"_s;
        QVERIFY(m_store->question(address.name, launchLines(changed)));
    }

    // A program, a path or a host decides what happens; a name that speaks of a secret does not hide it.
    void s4_programsPathsAndHostsAreShown_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("shown");
        const auto add = [](const char *name, const char *value, const char *shown = nullptr) {
            QTest::addRow("%s %s", name, value) << QString::fromLatin1(name) << QString::fromLatin1(value)
                                                << QString::fromLatin1(shown ? shown : value);
        };
        add("GIT_ASKPASS", "/tmp/x/steal");
        add("SSH_ASKPASS", "steal");
        add("SSH_AUTH_SOCK", "/tmp/x/agent.1");
        add("RESTIC_PASSWORD_COMMAND", "sh -c 'curl evil.example'");
        add("KEY", "/home/me/key.pem");
        add("API_TOKEN_FILE", "~/token");
        add("API_TOKEN", "/bPxRfiCYwJalrXUtnFEMIK7MDENGabcdefghijk", "(secret)");
        add("API_TOKEN", "secret-0123456789", "(secret)");
        // An address within a secret is no reason to show the rest of it.
        add("API_TOKEN", "{\"token_uri\":\"https://issuer.example/t\",\"private_key\":\"hidden-1234567\"}", "(secret)");
        add("npm_config_registry", "https://me:hidden-1234567@evil.example:4873/npm/",
            "https://me:(secret)@evil.example:4873/npm/");
        add("UV_INDEX_URL", "https://me:hid@den-1234567@evil.example/simple",
            "https://me:(secret)@evil.example/simple");
        add("UV_EXTRA_INDEX_URL", "https://a:hidden-1234567@one.example/s https://b:hidden-7654321@two.example/s",
            "https://a:(secret)@one.example/s https://b:(secret)@two.example/s");
        add("HTTPS_PROXY", "http://me:hidden-1234567@proxy.example:8080", "http://me:(secret)@proxy.example:8080");
        add("HTTPS_PROXY", "me:hidden-1234567@proxy.example:8080", "me:(secret)@proxy.example:8080");
        add("GIT_URL", "https://ghp0aB1cD2eF3gH4iJ5kL6mN7oP8qR9s@evil.example/x", "https://(secret)@evil.example/x");
        add("HOOK_TOKEN", "https://hooks.example/services/T0/B0/hidden", "https://hooks.example/(secret)");
        add("ENDPOINT", "https://evil.example/a?api_key=hidden-1234567&b=1",
            "https://evil.example/a?api_key=(secret)&b=1");
        // None of the hosts that a reader of addresses might take is hidden.
        add("REGISTRY", "https://evil.example\\@good.example/");
        add("REGISTRY", "https://good.example#:x@evil.example/");
        add("REGISTRY", "https://evil.example/:x@good.example/");
    }
    void s4_programsPathsAndHostsAreShown()
    {
        QFETCH(QString, name);
        QFETCH(QString, value);
        QFETCH(QString, shown);
        ServerSpec one = spec();
        one.environment = {{name, value}};
        const LaunchLine line = lineOf(one, name);
        QCOMPARE(line.value, shown);
        QCOMPARE(line.secret.isEmpty(), value == shown);
        // Whatever is hidden, another value is another question.
        approve(one);
        QVERIFY(!m_store->question(one.name, launchLines(one)));
        one.environment[0].second += u"x"_s;
        QVERIFY(m_store->question(one.name, launchLines(one)));
    }

    void aChangedSecretSaysSo()
    {
        using State = Approval::Row::State;
        const auto changesTo = [this](const QString &before, const QString &after) {
            ServerSpec one = spec();
            one.environment = {{u"HTTPS_PROXY"_s, before}};
            approve(one);
            one.environment[0].second = after;
            QList<Approval::Row> changed = m_store->question(one.name, launchLines(one))->rows();
            changed.removeIf([](const Approval::Row &row) { return row.state == State::Same; });
            return changed;
        };
        QList<Approval::Row> rows =
            changesTo(u"http://me:one-1234567@p.example"_s, u"http://me:two-1234567@p.example"_s);
        QCOMPARE(rows.size(), 1);
        QCOMPARE(rows.at(0).state, State::OtherSecret);
        QCOMPARE(rows.at(0).line.text(), u"HTTPS_PROXY = http://me:(secret)@p.example"_s);
        rows = changesTo(u"http://me:one-1234567@p.example"_s, u"http://me:one-1234567@evil.example"_s);
        QCOMPARE(rows.size(), 2);
        QCOMPARE(rows.at(0).line.text(), u"HTTPS_PROXY = http://me:(secret)@p.example"_s);
        QCOMPARE(rows.at(0).state, State::Before);
        QCOMPARE(rows.at(1).line.text(), u"HTTPS_PROXY = http://me:(secret)@evil.example"_s);
        QCOMPARE(rows.at(1).state, State::Now);
        rows = changesTo(u"http://me:one-1234567@p.example"_s, u"http://me:two-1234567@evil.example"_s);
        QCOMPARE(rows.at(1).state, State::NowWithOtherSecret);
    }

    // What an earlier version has stored is known, but for what it could not show.
    void approvalsOfTheFormerForm()
    {
        approve(spec());
        const QString file = path(u"config/approvals.json"_s);
        QByteArray text = test::readFile(file);
        const QByteArray hash = text.mid(text.indexOf("hmac-sha256:"), 12 + 64);
        const qsizetype from = text.indexOf("\"value\": \"(secret)\"");
        QVERIFY(from > 0);
        text.replace(from, text.indexOf('}', from) - from, "\"value\": \"" + hash + "\", \"isSecret\": true");
        test::writeFile(file, text);
        QVERIFY(!m_store->question(u"one"_s, launchLines(spec())));
    }

    void theOrderOfVariablesDoesNotCount()
    {
        ServerSpec known = spec();
        approve(known);
        std::swap(known.environment[0], known.environment[1]);
        QVERIFY(!m_store->question(known.name, launchLines(known)));
        known.arguments = {u"y"_s, u"-x"_s};
        QVERIFY(m_store->question(known.name, launchLines(known)));
        // Of two of one name the last one counts.
        known = spec();
        known.environment.append({u"DEBUG"_s, u"2"_s});
        approve(known);
        std::swap(known.environment[1], known.environment[3]);
        QVERIFY(m_store->question(known.name, launchLines(known)));
    }

    // Nobody has agreed to it, whether its program is there or not.
    void theKeychainIsNotReadForAnUnknownServer()
    {
        class Counting final : public SecretStore {
        public:
            void read(const QString &, QObject *context, const ReadDone &done) override
            {
                ++reads;
                QMetaObject::invokeMethod(
                    context, [done] { done(Value("value")); }, Qt::QueuedConnection);
            }
            void write(const QString &, const QByteArray &, QObject *, const Done &) override {}
            void remove(const QString &, QObject *, const Done &) override {}
            int reads = 0;
        };
        auto *secrets = new Counting;
        ServerSpec unknown = spec();
        unknown.command = path(u"a/nothing"_s);
        unknown.environment.append({u"KEY"_s, u"${keychain:key}"_s});
        ConnectionOptions options = this->options();
        options.profile.secrets = std::make_shared<SecretVault>(std::unique_ptr<SecretStore>(secrets));
        Connection connection(unknown, options);
        connection.open();
        QTRY_COMPARE(connection.state(), Connection::State::Disconnected);
        QVERIFY2(connection.error().message.contains(u"nothing"_s), qPrintable(connection.error().message));
        QCOMPARE(secrets->reads, 0);
    }

    // Under the same name another program comes first on the PATH.
    void s17_anotherProgramOfThatNameIsAskedFor()
    {
        ServerSpec named = spec();
        named.command = u"tool"_s;
        approve(named);
        program(u"a/tool"_s);
        Connection connection(named, options());
        QSignalSpy asked(&connection, &Connection::approvalNeeded);
        connection.open();
        QTRY_COMPARE(asked.size(), 1);
        QVERIFY(!wasStarted());
        const QList<Approval::Row> rows = connection.approval()->rows();
        QCOMPARE(rows.at(0).state, Approval::Row::State::Before);
        QCOMPARE(rows.at(0).line.value, path(u"b/tool"_s));
        QCOMPARE(rows.at(1).state, Approval::Row::State::Now);
        QCOMPARE(rows.at(1).line.value, path(u"a/tool"_s));
    }

    void s4_nothingHidesBehindSpaces()
    {
        const QString shown = revealedText(u"-y"_s + QString(10'000, u' ') + u"; rm -rf ~\n\x1b[2K"_s);
        QVERIFY2(shown.size() < 80, qPrintable(shown));
        QVERIFY2(shown.contains(u"rm -rf"_s) && shown.contains(u"‹ESC›"_s), qPrintable(shown));
    }

    void s13_s14_theFileIsPrivateAndHoldsNoSecret()
    {
        const mode_t before = umask(0);
        approve(spec());
        umask(before);
        QFile file(path(u"config/approvals.json"_s));
        QCOMPARE(file.permissions() & (QFileDevice::ReadGroup | QFileDevice::ReadOther | QFileDevice::WriteOther),
                 QFileDevice::Permissions());
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = file.readAll();
        QVERIFY(text.contains("hmac-sha256:"));
        QVERIFY(!text.contains("secret-0123456789"));
    }

    void aFileThatCannotBeReadApprovesNothing_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("no JSON") << "{\"servers\":"_ba;
        QTest::newRow("no key") << "{\"servers\":{\"one\":[]}}"_ba;
    }
    void aFileThatCannotBeReadApprovesNothing()
    {
        QFETCH(QByteArray, content);
        approve(spec());
        QFile file(path(u"config/approvals.json"_s));
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write(content);
        file.close();
        QVERIFY(m_store->question(u"one"_s, launchLines(spec())));
        approve(spec());
        QVERIFY(!m_store->question(u"one"_s, launchLines(spec())));
    }

    void whatCannotBeRememberedStartsAllTheSame()
    {
        m_store = std::make_shared<ApprovalStore>(u"/proc/nowhere/approvals.json"_s);
        Connection connection(spec(), options());
        QSignalSpy asked(&connection, &Connection::approvalNeeded);
        connection.open();
        QTRY_COMPARE(asked.size(), 1);
        QVERIFY(connection.approve());
        QTRY_VERIFY(wasStarted());
    }

    // What could not be written at first does not outlive what was written later.
    void whatIsRememberedReplacesWhatWasNot()
    {
        const QString folder = path(u"later"_s);
        QFile inTheWay(folder);
        QVERIFY(inTheWay.open(QIODevice::WriteOnly));
        inTheWay.close();
        ApprovalStore store(folder + u"/approvals.json"_s);
        ServerSpec other = spec();
        other.arguments.append(u"more"_s);
        QVERIFY(store.approve(u"one"_s, launchLines(spec())));
        QVERIFY(!store.question(u"one"_s, launchLines(spec())));
        QVERIFY(inTheWay.remove());
        QVERIFY(!store.approve(u"one"_s, launchLines(other)));
        QVERIFY(!store.question(u"one"_s, launchLines(other)));
        QVERIFY(store.question(u"one"_s, launchLines(spec())));
    }

    void whereNobodyCanBeAskedItFails()
    {
        Connection connection(spec(), options());
        connection.open();
        QTRY_COMPARE(connection.state(), Connection::State::Disconnected);
        QVERIFY2(connection.error().message.contains(u"approved"_s), qPrintable(connection.error().message));
        QVERIFY(!wasStarted());
    }

    // Nobody was asked about a program that was not there; it comes while the keychain is read.
    void s17_aProgramThatComesMeanwhileIsNotStarted()
    {
        ServerSpec late = spec();
        late.command = path(u"a/late"_s);
        late.environment.append({u"KEY"_s, u"${keychain:key}"_s});
        approve(late);
        ConnectionOptions options = this->options();
        options.profile.secrets = std::make_shared<SecretVault>(std::make_unique<MemorySecretStore>());
        options.profile.secrets->keepForSession(u"key"_s, "value");
        Connection connection(late, options);
        QSignalSpy asked(&connection, &Connection::approvalNeeded);
        connection.open();
        QCOMPARE(connection.startSteps().at(1).state, Step::State::Running);
        program(u"a/late"_s);
        QTRY_COMPARE(connection.state(), Connection::State::Disconnected);
        QVERIFY(connection.error());
        QVERIFY(!wasStarted());
        connection.open();
        QTRY_COMPARE(asked.size(), 1);
        QVERIFY(!wasStarted());
    }

    void theConnectionMayGoMeanwhile()
    {
        auto connection = std::make_unique<Connection>(spec(), options());
        QSignalSpy asked(connection.get(), &Connection::approvalNeeded);
        connection->open();
        QTRY_COMPARE(asked.size(), 1);
        connection->restart();
        QTRY_COMPARE(asked.size(), 2);
        connection.reset();
        QVERIFY(!wasStarted());
    }

    void whatIsRemovedIsAskedForAgain()
    {
        approve(spec());
        QVERIFY(!m_store->question(u"one"_s, launchLines(spec())));
        QVERIFY(!m_store->remove(u"one"_s));
        QVERIFY(m_store->question(u"one"_s, launchLines(spec())));
    }

private:
    QString path(const QString &name) const { return m_folder->filePath(name); }

    // Leaves a trace and ends.
    QString program(const QString &name)
    {
        QFile file(path(name));
        if (file.open(QIODevice::WriteOnly))
            file.write("#!/bin/sh\ntouch " + path(u"trace"_s).toUtf8() + '\n');
        file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ExeOwner);
        return path(name);
    }
    bool wasStarted() const { return QFileInfo::exists(path(u"trace"_s)); }

    ServerSpec spec() const
    {
        ServerSpec spec;
        spec.name = u"one"_s;
        spec.command = path(u"b/tool"_s);
        spec.arguments = {u"-x"_s, u"y"_s};
        spec.workingDirectory = m_folder->path();
        spec.environment = {{u"PATH"_s, path(u"a"_s) + u':' + path(u"b"_s) + u":/usr/bin:/bin"_s},
                            {u"DEBUG"_s, u"1"_s},
                            {u"API_TOKEN"_s, u"secret-0123456789"_s}};
        return spec;
    }
    ConnectionOptions options() const
    {
        ConnectionOptions options;
        options.profile.approvals = m_store;
        return options;
    }
    void approve(const ServerSpec &spec) { QVERIFY(!m_store->approve(spec.name, launchLines(spec))); }
    static LaunchLine lineOf(const ServerSpec &spec, const QString &name)
    {
        for (const LaunchLine &line : launchLines(spec)) {
            if (line.name == name && line.kind != u"program")
                return line;
        }
        return {};
    }
    static void end(Connection &connection)
    {
        connection.close();
        QTRY_COMPARE(connection.state(), Connection::State::Disconnected);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::shared_ptr<ApprovalStore> m_store;
};

SONDE_TEST(TestApproval)
#include "tst_approval.moc"
