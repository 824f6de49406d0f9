// SPDX-License-Identifier: Apache-2.0
#include "tests/core/transport/stdiofixture.h"
#include "tests/support/testregistry.h"

#include <QDir>
#include <QTemporaryDir>

#include <unistd.h>

using namespace sonde;
using namespace sonde::test;
using Kind = WireEvent::Kind;

class StdioTransportTest : public QObject {
    Q_OBJECT
private:
    static QString writeScript(const QString &path, const QByteArray &text, bool isExecutable = true)
    {
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            return {};
        file.close();
        if (isExecutable)
            file.setPermissions(file.permissions() | QFile::ExeOwner);
        return path;
    }
    static QStringList strings(const json::Value &list)
    {
        QStringList result;
        for (const json::Value &entry : list)
            result += entry.string();
        return result;
    }

private Q_SLOTS:
    void messagesGoThereAndBack()
    {
        Stdio s({QStringLiteral("echo")});
        QCOMPARE(s.transport->state(), Transport::State::Opening);
        QCOMPARE(s.probe->opened, 0);  // never from within open()
        QTRY_COMPARE(s.probe->opened, 1);
        QVERIFY(s.transport->processId() > 0);
        const Message request = Message::request(RequestId(1), u"ping");
        QVERIFY(!s.transport->send(request));
        QVERIFY(s.probe->received.isEmpty());
        QTRY_COMPARE(s.probe->received.size(), 1);
        QCOMPARE(s.probe->received.first().raw(), request.raw());
        const QList<WireEvent> messages = s.probe->of(Kind::Message);
        QCOMPARE(messages.size(), 2);
        QCOMPARE(messages.at(0).direction, Direction::ToServer);
        QCOMPARE(messages.at(1).direction, Direction::FromServer);
        QCOMPARE(messages.at(1).terminator, 1);
        QVERIFY(messages.at(0).monotonicNs > 0 && messages.at(0).monotonicNs <= messages.at(1).monotonicNs);
        s.transport->close();
        QVERIFY(!s.probe->closed);
        QTRY_VERIFY(s.probe->closed);
        QVERIFY(s.probe->closed->kind == Error::Kind::None);
        QCOMPARE(s.probe->facts(Kind::State, QStringLiteral("exited"))[u"code"].toInteger(), std::optional<qint64>(0));
        QVERIFY(s.probe->facts(Kind::State, QStringLiteral("signalled")).kind() == json::Kind::Missing);
    }

    void theRecordSaysWhatWasStarted()
    {
        StdioOptions options;
        options.environment = {{QStringLiteral("TOKEN"), QStringLiteral("a")},
                               {QStringLiteral("TERM"), QStringLiteral("mine")}};
        options.workingDirectory = QDir::tempPath();
        Stdio s({QStringLiteral("cwd"), QStringLiteral("waiteof")}, options);
        QTRY_VERIFY(s.probe->told(QStringLiteral("cwd")).exists());
        QCOMPARE(QDir(s.probe->told(QStringLiteral("cwd")).string()), QDir(QDir::tempPath()));
        const json::Value spawned = s.probe->facts(Kind::State, QStringLiteral("spawned"));
        QCOMPARE(spawned[u"pid"].toInteger(), std::optional<qint64>(s.transport->processId()));
        QVERIFY(spawned[u"program"].string().startsWith(QLatin1Char('/')));
        QCOMPARE(strings(spawned[u"argv"]).mid(1), (QStringList{QStringLiteral("cwd"), QStringLiteral("waiteof")}));
        QCOMPARE(spawned[u"cwd"].string(), QDir::tempPath());
        // Whoever writes it down replaces what is secret.
        const json::Value open = s.probe->facts(Kind::Open, {});
        QCOMPARE(strings(open[u"environment"]), (QStringList{QStringLiteral("TOKEN"), QStringLiteral("TERM")}));
        QHash<QString, QString> variables;
        for (const json::Value &pair : open[u"variables"])
            variables.insert(pair.at(0).string(), pair.at(1).string());
        QCOMPARE(variables.value(QStringLiteral("TOKEN")), QStringLiteral("a"));
        QCOMPARE(variables.value(QStringLiteral("TERM")), QStringLiteral("mine"));
        QCOMPARE(variables.value(QStringLiteral("PATH")), qEnvironmentVariable("PATH"));
        QCOMPARE(open[u"inherited"].size(), 0);
    }

    void argumentsArriveByteForByte()
    {
        const QStringList odd{QStringLiteral("args"),    QStringLiteral("argsbegin"), QStringLiteral("; rm -rf /"),
                              QStringLiteral("$(id)"),   QStringLiteral("a\nb"),      QString(),
                              QStringLiteral("ü😀'\"\\"), QStringLiteral("*")};
        Stdio s(odd);
        QTRY_VERIFY(s.probe->told(QStringLiteral("args")).exists());
        QCOMPARE(strings(s.probe->told(QStringLiteral("args"))), odd);
    }

    void s15_theChildSeesTheBaseListAndWhatWasAdded()
    {
        qputenv("SONDE_CANARY", "secret");
        qputenv("LC_TEST_ONLY", "x");
        qputenv("SONDE_\xff", "a name in no encoding");
        StdioOptions options;
        options.environment = {{QStringLiteral("ADDED"), QStringLiteral("1=2")},
                               {QStringLiteral("TERM"), QStringLiteral("mine")}};
        Stdio s({QStringLiteral("env"), QStringLiteral("waiteof")}, options);
        QTRY_VERIFY(s.probe->told(QStringLiteral("env")).exists());
        const QStringList base = strings(s.probe->told(QStringLiteral("env")));
        QVERIFY(base.contains(QStringLiteral("ADDED=1=2")));
        QVERIFY(base.contains(QStringLiteral("TERM=mine")));
        QVERIFY(base.contains(QStringLiteral("LC_TEST_ONLY=x")));
        QVERIFY(base.contains(QStringLiteral("PATH=") + qEnvironmentVariable("PATH")));
        QVERIFY(base.filter(QStringLiteral("SONDE_CANARY")).isEmpty());
        QVERIFY(base.filter(QStringLiteral("a name in no encoding")).isEmpty());
        qunsetenv("SONDE_\xff");

        options.inheritEnvironment = true;
        Stdio all({QStringLiteral("env"), QStringLiteral("waiteof")}, options);
        QTRY_VERIFY(all.probe->told(QStringLiteral("env")).exists());
        QVERIFY(strings(all.probe->told(QStringLiteral("env"))).contains(QStringLiteral("SONDE_CANARY=secret")));
        qunsetenv("SONDE_CANARY");
        qunsetenv("LC_TEST_ONLY");
    }

    void onlyTheThreePipesAreOpenInTheChild()
    {
        SONDE_NEEDS_PROCESS_GROUPS("what a library opened without close-on-exec is inherited.");
        QFile leaky(QStringLiteral("/dev/null"));
        QVERIFY(leaky.open(QIODevice::ReadOnly));
        const int inherited = ::dup(leaky.handle());  // dup clears close-on-exec: a library might
        QVERIFY(inherited > 2);
        StdioOptions options;
        options.program = QStringLiteral("/bin/sh");
        Stdio s({QStringLiteral("-c"),
                 QStringLiteral("for f in /proc/$$/fd/*; do printf '%s ' \"${f##*/}\" >&2; done; echo >&2")},
                options);
        QTRY_VERIFY(s.probe->closed);
        ::close(inherited);
        // 10 and up are the shell's own.
        QCOMPARE(s.transport->stderrTail().value(0).split(QLatin1Char(' '), Qt::SkipEmptyParts).mid(0, 3).join(u' '),
                 QStringLiteral("0 1 2"));
        QVERIFY(!s.transport->stderrTail().value(0).contains(QStringLiteral(" %1 ").arg(inherited)));
    }

    void whatTheServerWritesElsewhereIsKeptAndMarked()
    {
        Stdio s({QStringLiteral("say:Server starting…"), QStringLiteral("say:{\"level\":\"info\"}"),
                 QStringLiteral("err:warming up"), QStringLiteral("say:{\"jsonrpc\":\"2.0\",\"method\":\"hello\"}\\r"),
                 QStringLiteral("say:"), QStringLiteral("raw:half a li"), QStringLiteral("exit:0")});
        QTRY_VERIFY(s.probe->closed);
        QCOMPARE(s.probe->received.size(), 1);
        QCOMPARE(s.probe->of(Kind::Message).first().terminator, 2);
        const QList<WireEvent> junk = s.probe->of(Kind::Junk);
        QCOMPARE(junk.size(), 3);
        QCOMPARE(junk.at(0).bytes, QByteArray("Server starting…"));
        QCOMPARE(junk.at(1).bytes, QByteArray("{\"level\":\"info\"}"));
        QCOMPARE(junk.at(2).bytes, QByteArray());
        QCOMPARE(s.probe->of(Kind::Partial).value(0).bytes, QByteArray("half a li"));
        QCOMPARE(s.probe->of(Kind::Stderr).value(0).bytes, QByteArray("warming up"));
        QCOMPARE(s.transport->stderrTail(), QStringList{QStringLiteral("warming up")});
        QVERIFY(s.probe->failed.isEmpty());
    }

    void lineBreaksInAMessageBecomeSpaces()
    {
        Stdio s({QStringLiteral("echo")});
        QTRY_COMPARE(s.probe->opened, 1);
        const Message pretty = Message::request(RequestId(1), u"tools/call", "{\n  \"a\": 1,\r\n  \"b\": \"x\\ny\"\n}");
        QVERIFY(!s.transport->send(pretty));
        QTRY_COMPARE(s.probe->received.size(), 1);
        QVERIFY(!s.probe->received.first().raw().contains('\n'));
        QCOMPARE(s.probe->received.first().params()[u"b"].string(), QStringLiteral("x\ny"));
        // The record holds what went over the wire.
        QCOMPARE(s.probe->of(Kind::Message).first().bytes, s.probe->received.first().raw());
    }

    void aProgramThatIsNotThereIsExplained()
    {
        QTemporaryDir dir;
        const QString notExecutable = writeScript(dir.filePath(QStringLiteral("tool")), "#!/bin/sh\n", false);
        const QString lost = writeScript(dir.filePath(QStringLiteral("lost")), "#!/no/such/interpreter\n");
        const QString noProgram = writeScript(dir.filePath(QStringLiteral("format")), "just text\n");
        struct Case {
            QString program;
            QString directory;
            QString said;
            QString detail;
        };
        const QList<Case> cases{
            {QStringLiteral("no-such-program"),
             {},
             QStringLiteral("not found in PATH"),
             QStringLiteral("PATH: ") + dir.path()},
            {QStringLiteral("tool"), {}, QStringLiteral("not executable"), QStringLiteral("PATH: ")},
            {QStringLiteral("/no/such/file"), {}, QStringLiteral(" does not exist"), QStringLiteral("/no/such/file")},
            {notExecutable, {}, QStringLiteral("not executable"), notExecutable},
            {dir.path(), {}, QStringLiteral("is a directory"), dir.path()},
            {lost, {}, QStringLiteral("interpreter"), lost},
            {noProgram, {}, QStringLiteral("cannot be run"), noProgram},
            {QStringLiteral("/bin/sh"), QStringLiteral("/no/such/dir"), QStringLiteral("does not exist"),
             QStringLiteral("/bin/sh")},
            {QStringLiteral("/bin/sh"), QStringLiteral("/etc/passwd"), QStringLiteral("not a directory"),
             QStringLiteral("/etc/passwd")},
        };
        for (const Case &c : cases) {
            StdioOptions options;
            options.program = c.program;
            options.workingDirectory = c.directory;
            options.environment = {{QStringLiteral("PATH"), dir.path()}};
            Stdio s({QStringLiteral("argument")}, options);
            QVERIFY(!s.probe->closed);
            QTRY_VERIFY(s.probe->closed);
            QCOMPARE(s.probe->opened, 0);
            QVERIFY(s.probe->closed->kind == Error::Kind::Local);
            QVERIFY2(s.probe->closed->message.contains(c.said), qPrintable(s.probe->closed->message));
            QVERIFY2(s.probe->closed->detail.contains(c.detail), qPrintable(s.probe->closed->detail));
            QVERIFY(s.probe->closed->detail.contains(QStringLiteral("argument")));
            QCOMPARE(s.transport->state(), Transport::State::Closed);
            QVERIFY(!s.probe->facts(Kind::Open)[u"program"].string().isEmpty());
        }
    }

    void relativePathEntriesAreNeverSearched()
    {
        QTemporaryDir dir;
        QVERIFY(!writeScript(dir.filePath(QStringLiteral("planted")), "#!/bin/sh\n").isEmpty());
        for (const char *path : {".", "", ":", "sub:.", "./:/usr/bin"}) {
            StdioOptions options;
            options.program = QStringLiteral("planted");
            options.workingDirectory = dir.path();
            options.environment = {{QStringLiteral("PATH"), QString::fromLatin1(path)}};
            const QString before = QDir::currentPath();
            QDir::setCurrent(dir.path());
            const ProgramLookup lookup = findProgram(options);
            QDir::setCurrent(before);
            QVERIFY2(lookup.path.isEmpty(), path);
            QVERIFY(lookup.error.detail.contains(QStringLiteral("never searched")));
        }
        StdioOptions options;
        options.program = QStringLiteral("planted");
        options.environment = {{QStringLiteral("PATH"), QStringLiteral("/nowhere:") + dir.path()}};
        QCOMPARE(findProgram(options).path, dir.filePath(QStringLiteral("planted")));
        options.program = QStringLiteral("./planted");  // named with a path: meant
        options.workingDirectory = dir.path();
        QCOMPARE(findProgram(options).path, dir.filePath(QStringLiteral("planted")));
    }

    void impossibleEnvironmentIsRefused()
    {
        for (const QString &name : {QString(), QStringLiteral("A=B"), QStringLiteral("A\0B")}) {
            StdioOptions options;
            options.environment = {{name, QStringLiteral("x")}};
            if (name.startsWith(QLatin1Char('A')) && !name.contains(QLatin1Char('=')))
                options.environment = {{QStringLiteral("A"), QString(QChar(0))}};
            Stdio s({QStringLiteral("hang")}, options);
            QTRY_VERIFY(s.probe->closed);
            QVERIFY(s.probe->closed->kind == Error::Kind::Local);
        }
    }

    void canBeOpenedAgain()
    {
        Stdio s({QStringLiteral("pid"), QStringLiteral("waiteof")});
        QTRY_COMPARE(s.probe->received.size(), 1);
        const qint64 first = s.transport->processId();
        s.transport->close();
        QTRY_COMPARE(s.probe->closings, 1);
        s.transport->open();
        QTRY_COMPARE(s.probe->received.size(), 2);
        QVERIFY(s.transport->processId() != first);
        QCOMPARE(s.transport->state(), Transport::State::Open);
        QVERIFY(!isRunning(first));
    }

    void aSlotMayDeleteTheTransport_data()
    {
        QTest::addColumn<QString>("when");
        for (const char *when : {"opened", "received", "failed", "closed"})
            QTest::newRow(when) << QString::fromLatin1(when);
    }
    void aSlotMayDeleteTheTransport()
    {
        QFETCH(QString, when);
        StdioOptions options;
        options.maxMessageBytes = 1000;
        Stdio s({QStringLiteral("flood:100"), QStringLiteral("noise:2000"), QStringLiteral("flood:100"),
                 QStringLiteral("exit:1")},
                options);
        bool deleted = false;
        const auto die = [&] {
            deleted = true;
            s.transport.reset();
        };
        if (when == QLatin1String("opened"))
            connect(s.transport.get(), &Transport::opened, this, die);
        else if (when == QLatin1String("received"))
            connect(s.transport.get(), &Transport::received, this, die);
        else if (when == QLatin1String("failed"))
            connect(s.transport.get(), &Transport::failed, this, die);
        else
            connect(s.transport.get(), &Transport::closed, this, die);
        QTRY_VERIFY(deleted);
        QCoreApplication::processEvents();
    }

    void sendingWhileClosedIsAnError()
    {
        StdioTransport transport{StdioOptions{}};
        const Error error = transport.send(Message::request(RequestId(1), u"ping"));
        QVERIFY(error.kind == Error::Kind::Transport);
    }
};

SONDE_TEST(StdioTransportTest)
#include "tst_stdiotransport.moc"
