// What the doctor says about servers that do not come up, each for another reason, and about those that do.
// SPDX-License-Identifier: Apache-2.0
#include "core/authorization/tokenstore.h"
#include "core/doctor/doctor.h"
#include "core/secrets/secretstore.h"
#include "core/server/approval.h"
#include "core/transport/network.h"
#include "core/transport/process/loginshell.h"
#include "tests/support/fakehttpserver.h"
#include "tests/support/programs.h"
#include "tests/support/testcertificate.h"
#include "tests/support/testregistry.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QSslKey>
#include <QSslServer>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

using namespace sonde;
using namespace sonde::test;
using namespace Qt::StringLiterals;

using Kind = DoctorLine::Kind;
using State = Step::State;

namespace {

struct Examined {
    explicit Examined(const ServerSpec &spec, const ConnectionOptions &options = {})
        : connection(std::make_unique<Connection>(spec, options)), doctor(std::make_unique<Doctor>(connection.get()))
    {
        connection->open();
        [this] {
            QTRY_VERIFY(connection->state() == Connection::State::Connected ||
                        connection->state() == Connection::State::Disconnected);
            QTRY_VERIFY(connection->state() == Connection::State::Disconnected ||
                        connection->startSteps().constLast().state == Step::State::Done);
            doctor->examine();
            QTRY_VERIFY_WITH_TIMEOUT(doctor->isFinished(), 20'000);
        }();
    }

    const DoctorLine *line(Kind kind) const
    {
        const auto &lines = doctor->lines();
        const auto found =
            std::find_if(lines.begin(), lines.end(), [kind](const DoctorLine &each) { return each.kind == kind; });
        return found == lines.end() ? nullptr : &*found;
    }
    State state(Kind kind) const { return line(kind) ? line(kind)->state : State::Waiting; }
    QString text(Kind kind) const { return line(kind) ? line(kind)->text : u"no such line"_s; }
    QString detail(Kind kind) const { return line(kind)->detail; }
    std::optional<Kind> failure() const
    {
        return doctor->firstFailure() ? std::optional(doctor->firstFailure()->kind) : std::nullopt;
    }

    std::unique_ptr<Connection> connection;
    std::unique_ptr<Doctor> doctor;
};

ServerSpec process(const QString &command, const QStringList &arguments = {})
{
    ServerSpec spec;
    spec.name = u"a"_s;
    spec.command = command;
    spec.arguments = arguments;
    return spec;
}

ServerSpec shell(const QString &script)
{
    return process(u"/bin/sh"_s, {u"-c"_s, script});
}

ServerSpec address(const QUrl &url)
{
    ServerSpec spec;
    spec.name = u"a"_s;
    spec.kind = ServerSpec::Kind::Http;
    spec.url = url;
    return spec;
}

}  // namespace

class tst_Doctor : public QObject {
    Q_OBJECT
private:
    QString write(const QString &name, const QByteArray &text, bool isExecutable = true) const
    {
        QFile file(m_folder.filePath(name));
        if (!file.open(QIODevice::WriteOnly))
            return {};
        file.write(text);
        file.close();
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner |
                            (isExecutable ? QFile::ExeOwner : QFile::Permissions()));
        return file.fileName();
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
        write(u"login/only-at-login"_s,
              "#!/bin/sh\nexec '" + test::builtProgram(u"sonde-demo-server"_s).toUtf8() + "'\n");
    }
    void init()
    {
        qputenv("SHELL", m_folder.filePath(u"shell"_s).toLocal8Bit());
        LoginShell::forget();
    }
    void cleanupTestCase() { qputenv("SHELL", m_shell); }

    void runningServer()
    {
        const Examined e(process(test::builtProgram(QStringLiteral("sonde-demo-server"))));
        QVERIFY(!e.failure());
        for (const Kind kind :
             {Kind::CommandLine, Kind::Folder, Kind::Program, Kind::Start, Kind::Handshake, Kind::Lists})
            QVERIFY2(e.state(kind) == State::Done, qPrintable(nameOf(kind) + u": "_s + e.text(kind)));
        QVERIFY(e.text(Kind::Handshake).startsWith(u"revision 20"_s));
        QVERIFY2(e.text(Kind::Lists).startsWith(u"tools "_s), qPrintable(e.text(Kind::Lists)));
        QVERIFY(e.line(Kind::Handshake)->ms >= 0);
        QVERIFY(!LoginShell::wasAsked());  // nobody had a reason to
    }

    void missingProgram()
    {
        const Examined e(process(u"sonde-no-such-program"_s));
        QCOMPARE(e.failure(), Kind::Program);
        QVERIFY(e.text(Kind::Program).startsWith(u"not found in "_s));
        QVERIFY(e.detail(Kind::Program).contains(u"/usr/bin"_s));
        QVERIFY(
            e.line(Kind::Program)->note.startsWith(u"Your login shell does not find it either. Enter the full path"_s));
        QCOMPARE(e.doctor->remedy(), Remedy::EditServer);
        QCOMPARE(e.state(Kind::Start), State::Waiting);
        QCOMPARE(e.text(Kind::Start), u"not reached"_s);
        QCOMPARE(e.doctor->written(), QString());
    }

    void programThatTheLoginShellFinds()
    {
        const ServerSpec spec = process(u"only-at-login"_s);
        const Examined e(spec);
        QCOMPARE(e.failure(), Kind::Program);
        QCOMPARE(e.line(Kind::Program)->note,
                 u"Your login shell finds it: "_s + m_folder.filePath(u"login/only-at-login"_s));
        QCOMPARE(e.doctor->remedy(), Remedy::UseLoginShellPath);
        const Examined healed(*withRemedy(spec, e.doctor->remedy()));
        QVERIFY(!healed.failure());
        QCOMPARE(healed.connection->state(), Connection::State::Connected);
    }

    void programThatIsNotExecutable()
    {
        const Examined e(process(write(u"plain"_s, "#!/bin/sh\n", false)));
        QCOMPARE(e.failure(), Kind::Program);
        QCOMPARE(e.text(Kind::Program), m_folder.filePath(u"plain"_s) + u" is not executable"_s);
        QVERIFY(e.detail(Kind::Program).startsWith(u"rw-------"_s));
    }

    void missingInterpreter()
    {
        const Examined absolute(process(write(u"a.sh"_s, "#!/no/such/interpreter -x\n")));
        QCOMPARE(absolute.failure(), Kind::Runtime);
        QCOMPARE(absolute.text(Kind::Runtime), u"the script wants /no/such/interpreter, which cannot be run"_s);
        const Examined byName(process(write(u"b.sh"_s, "#!/usr/bin/env -S sonde-no-such-runtime\n")));
        QCOMPARE(byName.failure(), Kind::Runtime);
        QCOMPARE(byName.text(Kind::Runtime), u"the script wants “sonde-no-such-runtime”, which is not in PATH"_s);
        QVERIFY(byName.line(Kind::Runtime)->note.startsWith(u"Your login shell does not find it either."_s));
        QCOMPARE(byName.doctor->remedy(), Remedy::EditServer);
        const Examined atLogin(process(write(u"e.sh"_s, "#!/usr/bin/env only-at-login\n")));
        QCOMPARE(atLogin.failure(), Kind::Runtime);
        QCOMPARE(atLogin.doctor->remedy(), Remedy::UseLoginShellPath);
        const Examined windows(process(write(u"c.sh"_s, "#!/bin/sh\r\nexit 0\r\n")));
        QCOMPARE(windows.failure(), Kind::Runtime);
    }

    void wrongFirstLine_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QString>("text");
        QTest::newRow("nothing") << "#!\n"_ba << u"the first line of the script names no interpreter"_s;
        QTest::newRow("no path") << "#!sh\n"_ba << u"the script wants “sh”, which is not a full path"_s;
        QTest::newRow("tab") << "#!\t/no/such/thing\t-x\n"_ba
                             << u"the script wants /no/such/thing, which cannot be run"_s;
        QTest::newRow("env without -S") << "#!/usr/bin/env sh -e\n"_ba
                                        << u"env looks for a program with the name “sh -e”"_s;
    }
    void wrongFirstLine()
    {
        QFETCH(QByteArray, line);
        const Examined e(process(write(u"first"_s, line)));
        QCOMPARE(e.failure(), Kind::Runtime);
        QTEST(e.text(Kind::Runtime), "text");
        QCOMPARE(e.doctor->remedy(), Remedy::EditServer);
    }

    void envWithSplit()
    {
        const Examined e(process(write(u"split"_s, "#!/usr/bin/env -S sh -e\nexit 5\n")));
        QCOMPARE(e.state(Kind::Runtime), State::Done);
        QCOMPARE(e.failure(), Kind::Start);
    }

    void programOfAnotherSystem_data()
    {
        const auto elf = [](char machine, const QByteArray &loader) {
            QByteArray bytes(128, '\0');
            bytes.replace(0, 7,
                          QByteArray("\x7F"
                                     "ELF\x02\x01\x01",
                                     7));
            bytes[16] = 2;
            bytes[18] = machine;
            bytes[20] = 1;
            bytes[32] = 64;  // program headers
            bytes[54] = 56;
            bytes[56] = 1;
            bytes[64] = 3;  // PT_INTERP
            bytes[72] = 120;
            return bytes.left(120) + loader + '\0';
        };
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("text");
        QTest::newRow("no first line") << "echo hello\n"_ba
                                       << u"neither a program of this system nor a script that names its interpreter"_s;
        QTest::newRow("empty") << QByteArray()
                               << u"neither a program of this system nor a script that names its interpreter"_s;
        QTest::newRow("Windows") << "MZ\x90"_ba << u"the program is for Windows"_s;
        QTest::newRow("macOS") << "\xCF\xFA\xED\xFE"_ba << u"the program is for macOS"_s;
        QTest::newRow("cut") << "\x7F"
                                "ELF"_ba
                             << u"neither a program of this system nor a script that names its interpreter"_s;
#ifdef Q_PROCESSOR_X86_64
        QTest::newRow("processor") << elf(char(243), {}) << u"the program is for RISC-V; this computer is x86-64"_s;
        QTest::newRow("loader") << elf(62, "/lib/ld-no-such.so.1")
                                << u"the program needs the loader /lib/ld-no-such.so.1, which does not exist"_s;
#endif
    }
    void programOfAnotherSystem()
    {
        QFETCH(QByteArray, bytes);
        const Examined e(process(write(u"binary"_s, bytes)));
        QCOMPARE(e.failure(), Kind::Runtime);
        QTEST(e.text(Kind::Runtime), "text");
        QVERIFY(!e.doctor->explanation().isEmpty());
    }

    // The version is that of the runtime which the server's own environment finds.
    void versionOfTheRuntime()
    {
        QVERIFY(QDir(m_folder.path()).mkpath(u"node"_s));
        write(u"node/node"_s, "#!/bin/sh\n[ \"$*\" = --version ] && echo v99.1.2\nexit 0\n");
        ServerSpec spec = process(write(u"d.js"_s, "#!/usr/bin/env node\n"));
        spec.environment = {{u"PATH"_s, m_folder.filePath(u"node"_s) + u":/usr/bin:/bin"_s}};
        const Examined e(spec);
        QCOMPARE(e.state(Kind::Runtime), State::Done);
        QCOMPARE(e.text(Kind::Runtime), u"node v99.1.2"_s);
        // A version manager puts a script of its own in the place of the program.
        ServerSpec direct = process(u"node"_s, {u"x.js"_s});
        direct.environment = spec.environment;
        QCOMPARE(Examined(direct).text(Kind::Runtime), u"node v99.1.2"_s);
        QCOMPARE(e.failure(), Kind::Start);
        QCOMPARE(e.text(Kind::Start), u"exited with code 0 before the handshake"_s);
    }

    // As Node.js 12 and others do it: the reason, where it was found, advice.
    void theFirstErrorIsTheReason_data()
    {
        QTest::addColumn<QString>("said");
        QTest::addColumn<QString>("reason");
        QTest::newRow("node") << u"internal/modules/cjs/loader.js:818\n  throw err;\n  ^\n\n"
                                 "Error: Cannot find module '/x/server.js'\n    at Function.Module._load (x.js:1:1) {\n"
                                 "  code: 'MODULE_NOT_FOUND'\n}\n\nNode.js v18.0.0"_s
                              << u"Error: Cannot find module '/x/server.js'"_s;
        QTest::newRow("code of node") << u"a line\nError [ERR_REQUIRE_ESM]: require() of ES Module\n    at x\nlast"_s
                                      << u"Error [ERR_REQUIRE_ESM]: require() of ES Module"_s;
        QTest::newRow("python") << u"Traceback (most recent call last):\n  File \"x.py\", line 1, in <module>\n"
                                   "ModuleNotFoundError: No module named 'mcp'"_s
                                << u"ModuleNotFoundError: No module named 'mcp'"_s;
        QTest::newRow("npm")
            << u"npm ERR! code E404\nnpm ERR! 404 Not Found - GET https://x/y\nnpm ERR! A complete log"_s
            << u"npm ERR! 404 Not Found - GET https://x/y"_s;
        QTest::newRow("log") << u"[server] starting\n[server] fatal: no token\n[server] bye"_s
                             << u"[server] fatal: no token"_s;
        QTest::newRow("none") << u"first\nlast"_s << u"last"_s;
    }
    void theFirstErrorIsTheReason()
    {
        QFETCH(QString, said);
        QFETCH(QString, reason);
        const Examined e(shell(u"cat >&2 <<'END'\n"_s + said + u"\nEND\nexit 1"_s));
        QCOMPARE(e.failure(), Kind::Start);
        const QStringList lines = e.doctor->explanation().split(u'\n');
        QCOMPARE(lines.first(), reason);
        QCOMPARE(e.line(Kind::Output)->detail, reason);
    }

    void anOldRuntimeIsJudged_data()
    {
        QTest::addColumn<QByteArray>("version");
        QTest::addColumn<QByteArray>("said");
        QTest::addColumn<State>("state");
        QTest::addColumn<QString>("text");
        QTest::newRow("too old") << "v12.22.9"_ba
                                 << "SyntaxError: Unexpected token '?\?='"_ba << State::Failed
                                 << u"node v12.22.9 is too old for this program"_s;
        QTest::newRow("old, and another reason") << "v12.22.9"_ba
                                                 << "Error: no token"_ba << State::Warning
                                                 << u"node v12.22.9; the official SDK needs Node.js 18.0 or later"_s;
        QTest::newRow("new enough") << "v20.1.0"_ba
                                    << "SyntaxError: Unexpected token '}'"_ba << State::Done << u"node v20.1.0"_s;
    }
    void anOldRuntimeIsJudged()
    {
        QFETCH(QByteArray, version);
        QFETCH(QByteArray, said);
        QVERIFY(QDir(m_folder.path()).mkpath(u"node"_s));
        write(u"node/node"_s, "#!/bin/sh\n[ \"$*\" = --version ] && echo " + version + " && exit 0\ncat >&2 <<'END'\n" +
                                  said + "\n    at x.js:1\nEND\nexit 1\n");
        ServerSpec spec = process(write(u"d.js"_s, "#!/usr/bin/env node\n"));
        spec.environment = {{u"PATH"_s, m_folder.filePath(u"node"_s) + u":/usr/bin:/bin"_s}};
        const Examined e(spec);
        QTEST(e.state(Kind::Runtime), "state");
        QTEST(e.text(Kind::Runtime), "text");
        const QStringList lines = e.doctor->explanation().split(u'\n');
        QCOMPARE(lines.first(), QString::fromUtf8(said));
        if (e.state(Kind::Runtime) == State::Failed) {
            QCOMPARE(e.failure(), Kind::Runtime);
            QVERIFY2(lines.last().contains(u"Node.js 18"_s), qPrintable(lines.last()));
        }
    }

    void exitBeforeTheHandshake_data()
    {
        QTest::addColumn<QString>("script");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("written");
        QTest::newRow("exit 1") << u"echo broken >&2; exit 1"_s << u"exited with code 1 before the handshake"_s
                                << u"broken"_s;
        QTest::newRow("exit 127") << u"sonde-no-such-program 2>/dev/null"_s
                                  << u"exited with code 127 before the handshake"_s << QString();
        QTest::newRow("signal") << u"kill -SEGV $$"_s << u"terminated by SIGSEGV (Segmentation fault)"_s << QString();
    }
    void exitBeforeTheHandshake()
    {
        QFETCH(QString, script);
        QFETCH(QString, text);
        QFETCH(QString, written);
        const Examined e(shell(script));
        QCOMPARE(e.failure(), Kind::Start);
        QCOMPARE(e.text(Kind::Start), text);
        QCOMPARE(e.doctor->written(), written);
        QCOMPARE(e.state(Kind::Program), State::Done);
        QCOMPARE(e.state(Kind::Handshake), State::Waiting);
        QCOMPARE(e.text(Kind::Output), written.isEmpty()
                                           ? u"no message on standard output, nothing on standard error"_s
                                           : u"no message on standard output, 1 line on standard error"_s);
    }

    // It is Sonde that ends it then, which is no news about the server.
    void serverThatDoesNotRespond()
    {
        ConnectionOptions options;
        options.handshakeTimeout = std::chrono::milliseconds(200);
        const Examined e(shell(u"trap 'exit 7' TERM; while :; do sleep 0.1; done"_s), options);
        QCOMPARE(e.failure(), Kind::Handshake);
        QCOMPARE(e.state(Kind::Start), State::Done);
        QVERIFY(e.text(Kind::Handshake).contains(u"did not respond"_s));
    }

    void wordsInsteadOfMessages()
    {
        const Examined e(shell(u"echo Welcome; exit 0"_s));
        QCOMPARE(e.state(Kind::Output), State::Warning);
        QCOMPARE(e.detail(Kind::Output), u"Welcome"_s);
        QCOMPARE(Examined(shell(u"echo first >&2; echo last >&2; exit 1"_s)).detail(Kind::Output), u"last"_s);
    }

    void serverOfHttp()
    {
        const Examined e(shell(u"echo 'Listening on http://localhost:3000/mcp.' >&2; exit 1"_s));
        QCOMPARE(e.state(Kind::Output), State::Warning);
        const QString note = e.line(Kind::Output)->note;
        QVERIFY2(note.startsWith(u"It reports that it listens at http://localhost:3000/mcp, so"_s), qPrintable(note));
    }

    // Neither is run to ask it for its version, nor is its host contacted.
    void unapprovedServer()
    {
        ConnectionOptions options;
        options.profile.approvals = std::make_shared<ApprovalStore>(QString());
        QVERIFY(QDir(m_folder.path()).mkpath(u"planted"_s));
        const QString trace = m_folder.filePath(u"trace"_s);
        const Examined started(process(write(u"planted/node"_s, "#!/bin/sh\ntouch '" + trace.toUtf8() + "'\n")),
                               options);
        QCOMPARE(started.failure(), Kind::CommandLine);
        QVERIFY(started.text(Kind::CommandLine).contains(u"approved"_s));
        QCOMPARE(started.state(Kind::Program), State::Waiting);
        QVERIFY(!QFile::exists(trace));
        const QString late = m_folder.filePath(u"late/node"_s);
        const Examined missing(process(late), options);
        QCOMPARE(missing.failure(), Kind::Program);
        QVERIFY(QDir(m_folder.path()).mkpath(u"late"_s));
        QVERIFY(QFile::copy(m_folder.filePath(u"planted/node"_s), late));
        missing.doctor->examine();
        QTRY_VERIFY(missing.doctor->isFinished());
        QCOMPARE(missing.text(Kind::Runtime), late);
        QVERIFY(!QFile::exists(trace));
        const FakeHttpServer server;
        const Examined contacted(address(server.url()), options);
        QCOMPARE(contacted.failure(), Kind::Address);
        QCOMPARE(contacted.state(Kind::Network), State::Waiting);
        QCOMPARE(server.connections(), 0);
    }

    void badFolder()
    {
        ServerSpec spec = process(u"/bin/sh"_s);
        spec.workingDirectory = m_folder.filePath(u"none"_s);
        const Examined e(spec);
        QCOMPARE(e.failure(), Kind::Folder);
        QVERIFY(e.text(Kind::Folder).endsWith(u"none does not exist"_s));
        QCOMPARE(e.doctor->remedy(), Remedy::ChooseFolder);
        QCOMPARE(e.state(Kind::Program), State::Done);
    }

    void refusedPort()
    {
        QTcpServer once;
        QVERIFY(once.listen(QHostAddress::LocalHost));
        const quint16 port = once.serverPort();
        once.close();
        const Examined e(address(QUrl(u"http://127.0.0.1:%1/mcp"_s.arg(port))));
        QCOMPARE(e.failure(), Kind::Network);
        QCOMPARE(e.text(Kind::Network), u"Connection refused"_s);
        QCOMPARE(e.state(Kind::Host), State::Skipped);
        QCOMPARE(e.state(Kind::Handshake), State::Waiting);
    }

    void unknownHost()
    {
        const Examined e(address(QUrl(u"http://no-such-host.invalid/mcp"_s)));
        QCOMPARE(e.failure(), Kind::Host);
        QVERIFY(e.text(Kind::Host).startsWith(u"no-such-host.invalid is not known"_s));
        QCOMPARE(e.state(Kind::Network), State::Waiting);
    }

    void selfSignedCertificate()
    {
        const QString openssl = QStandardPaths::findExecutable(u"openssl"_s);
        if (openssl.isEmpty())
            QSKIP("needs openssl to make a certificate");
        QProcess make;
        make.start(openssl, {u"req"_s, u"-x509"_s, u"-newkey"_s, u"ec"_s, u"-pkeyopt"_s, u"ec_paramgen_curve:P-256"_s,
                             u"-nodes"_s, u"-days"_s, u"2"_s, u"-subj"_s, u"/CN=sonde.example"_s, u"-keyout"_s,
                             m_folder.filePath(u"key"_s), u"-out"_s, m_folder.filePath(u"cert"_s)});
        QVERIFY(make.waitForFinished() && make.exitCode() == 0);
        QFile key(m_folder.filePath(u"key"_s));
        QVERIFY(key.open(QIODevice::ReadOnly));
        QSslConfiguration configuration = QSslConfiguration::defaultConfiguration();
        configuration.setLocalCertificateChain(QSslCertificate::fromPath(m_folder.filePath(u"cert"_s)));
        configuration.setPrivateKey(QSslKey(&key, QSsl::Ec));
        QSslServer server;
        server.setSslConfiguration(configuration);
        QVERIFY(server.listen(QHostAddress::LocalHost));
        const Examined e(address(QUrl(u"https://127.0.0.1:%1/mcp"_s.arg(server.serverPort()))));
        QCOMPARE(e.failure(), Kind::Tls);
        QVERIFY2(e.text(Kind::Tls).contains(u"self-signed"_s), qPrintable(e.text(Kind::Tls)));
        QVERIFY(e.detail(Kind::Tls).startsWith(u"certificate of sonde.example, issued by sonde.example, valid from"_s));
        QCOMPARE(e.state(Kind::Network), State::Done);
    }

    // As the server's own settings say, not the system's.
    void networkSettings()
    {
        const TestCertificate authority(u"/CN=Test authority", u"DNS:authority.example");
        const TestCertificate certificate(u"/CN=billing.example", u"IP:127.0.0.1", &authority);
        if (authority.isNull())
            QSKIP("needs openssl to make certificates");
        FakeHttpServer server(certificate.server(),
                              [](const auto &, const FakeHttpServer::Peer &peer) { peer.response(500, {}, {}); });
        ServerSpec spec = address(server.url());
        const Examined unknown(spec);
        QCOMPARE(unknown.failure(), Kind::Tls);
        QCOMPARE(unknown.doctor->remedy(), Remedy::EditNetwork);
        QCOMPARE(unknown.doctor->refusedCertificate(),
                 http::fingerprintText(http::fingerprintOf(certificate.certificate())));
        QVERIFY(unknown.doctor->explanation().contains(
            http::fingerprintText(http::fingerprintOf(certificate.certificate()))));
        spec.network.caFile = authority.file();
        const Examined known(spec);
        QVERIFY(known.doctor->refusedCertificate().isEmpty());
        QCOMPARE(known.state(Kind::Tls), State::Done);
        QCOMPARE(known.failure(), Kind::HttpStatus);
        spec.network.caFile.clear();
        spec.network.acceptedCertificate = http::fingerprintText(http::fingerprintOf(certificate.certificate()));
        const Examined accepted(spec);
        QCOMPARE(accepted.state(Kind::Tls), State::Done);
        QVERIFY(accepted.text(Kind::Tls).endsWith(u", accepted by its fingerprint"_s));
        spec.network.caFile = m_folder.filePath(u"no.pem"_s);
        const Examined unreadable(spec);
        QCOMPARE(unreadable.failure(), Kind::Network);
        QVERIFY(unreadable.text(Kind::Network).contains(u"no.pem cannot be read"_s));
    }

    void proxyOfTheServer()
    {
        QTcpServer silent;
        QVERIFY(silent.listen(QHostAddress::LocalHost));
        const quint16 port = silent.serverPort();
        silent.close();
        const FakeHttpServer proxy([](const auto &, const FakeHttpServer::Peer &peer) { peer.response(407, {}, {}); });
        for (const QString &url : {u"http://mcp.example/mcp"_s, u"https://mcp.example/mcp"_s}) {
            ServerSpec spec = address(QUrl(url));
            spec.network.proxy = u"http://127.0.0.1:%1"_s.arg(port);
            const Examined closed(spec);
            QCOMPARE(closed.state(Kind::Host), State::Skipped);
            QCOMPARE(closed.text(Kind::Host), u"resolved by the proxy 127.0.0.1:%1"_s.arg(port));
            QCOMPARE(closed.failure(), Kind::Network);
            QCOMPARE(closed.doctor->remedy(), Remedy::EditNetwork);
            spec.network.proxy = u"http://127.0.0.1:%1"_s.arg(proxy.port());
            const Examined refused(spec);
            QCOMPARE(refused.failure(), spec.url.scheme() == u"http" ? Kind::HttpStatus : Kind::Network);
            QCOMPARE(refused.doctor->remedy(), Remedy::EditNetwork);
        }
    }

    // Of TLS where there is none, and the other way round.
    void otherScheme()
    {
        QTcpServer plain;
        QVERIFY(plain.listen(QHostAddress::LocalHost));
        connect(&plain, &QTcpServer::newConnection, this, [&plain] {
            QTcpSocket *client = plain.nextPendingConnection();
            connect(client, &QTcpSocket::readyRead, client, [client] {
                client->write("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
                client->disconnectFromHost();
            });
        });
        const Examined noTls(address(QUrl(u"https://127.0.0.1:%1/mcp"_s.arg(plain.serverPort()))));
        QCOMPARE(noTls.failure(), Kind::Tls);
        QCOMPARE(noTls.text(Kind::Tls), u"the server does not speak TLS on this port"_s);
        QCOMPARE(noTls.doctor->remedy(), Remedy::EditServer);
        const TestCertificate certificate(u"/CN=billing.example", u"IP:127.0.0.1");
        if (certificate.isNull())
            QSKIP("needs openssl to make certificates");
        FakeHttpServer tls(certificate.server(), {});
        QUrl url = tls.url();
        url.setScheme(u"http"_s);
        const Examined onlyTls(address(url));
        QVERIFY(onlyTls.failure());
        QCOMPARE(onlyTls.failure(), Kind::Tls);
        QCOMPARE(onlyTls.text(Kind::Tls), u"the server expects TLS on this port"_s);
        QCOMPARE(onlyTls.doctor->explanation(), u"Begin the URL with https://."_s);
    }

    void redirectToAnotherOrigin()
    {
        FakeHttpServer server([](const auto &, const FakeHttpServer::Peer &peer) {
            peer.response(307, {{"Location", "http://127.0.0.1:1/login"}}, {});
        });
        const Examined e(address(server.url()));
        QCOMPARE(e.failure(), Kind::HttpStatus);
        QVERIFY(e.connection->error().message.contains(u"redirects to another origin"_s));
        QCOMPARE(e.doctor->remedy(), Remedy::EditServer);
        QCOMPARE(e.state(Kind::Authorization), State::Waiting);
    }

    // Not what an authorization server said while somebody was to be signed in.
    void statusIsThatOfTheServer()
    {
        FakeHttpServer server([](const FakeHttpServer::Request &request, const FakeHttpServer::Peer &peer) {
            peer.response(request.path == "/mcp" ? 401 : 404, {{"WWW-Authenticate", "Bearer"}}, {});
        });
        ConnectionOptions options;
        options.hasPerson = false;
        auto vault = std::make_shared<SecretVault>(std::make_unique<MemorySecretStore>());
        options.profile.secrets = vault;
        options.profile.tokens = std::make_shared<TokenStore>(vault, m_folder.filePath(u"tokens"_s));
        const Examined e(address(server.url()), options);
        QVERIFY(server.requests().size() > 1);
        QCOMPARE(e.failure(), Kind::Authorization);
        QVERIFY2(e.text(Kind::HttpStatus).startsWith(u"401"_s), qPrintable(e.text(Kind::HttpStatus)));
        QCOMPARE(e.doctor->remedy(), Remedy::SignIn);
    }

    void connectionGoesMeanwhile()
    {
        auto connection = std::make_unique<Connection>(process(u"only-at-login"_s), ConnectionOptions());
        connection->open();
        QTRY_VERIFY(connection->error());
        Doctor doctor(connection.get());
        doctor.examine();
        QVERIFY(!doctor.isFinished());
        connection.reset();
        QTRY_VERIFY(LoginShell::wasAsked());
        QVERIFY(doctor.isFinished());
        QVERIFY(!doctor.lines().isEmpty() && doctor.written().isEmpty());
        doctor.examine();
    }

    void httpFailures_data()
    {
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("type");
        QTest::addColumn<DoctorLine::Kind>("kind");
        QTest::addColumn<QString>("text");
        QTest::addColumn<Remedy>("remedy");
        QTest::newRow("404") << 404 << "text/plain"_ba << Kind::HttpStatus << u"404"_s << Remedy::UseHttpSse;
        QTest::newRow("500") << 500 << "text/plain"_ba << Kind::HttpStatus << u"500"_s << Remedy::None;
        QTest::newRow("401") << 401 << "text/plain"_ba << Kind::Authorization << u"the server requires authentication"_s
                             << Remedy::AddHeader;
        QTest::newRow("403") << 403 << "text/plain"_ba << Kind::Authorization << u"the server refuses access"_s
                             << Remedy::AddHeader;
        QTest::newRow("web page") << 200 << "text/html; charset=utf-8"_ba << Kind::Protocol
                                  << u"the response is a web page, not an MCP message"_s << Remedy::EditServer;
    }
    void httpFailures()
    {
        QFETCH(int, status);
        QFETCH(QByteArray, type);
        QFETCH(DoctorLine::Kind, kind);
        QFETCH(QString, text);
        QFETCH(Remedy, remedy);
        FakeHttpServer server([=](const FakeHttpServer::Request &, const FakeHttpServer::Peer &peer) {
            peer.response(status, {{"Content-Type", type}}, "<html>hello</html>");
        });
        ServerSpec spec = address(server.url());
        spec.httpKind = ServerSpec::HttpKind::Streamable;
        const Examined e(spec);
        QCOMPARE(e.failure(), kind);
        QVERIFY2(e.text(kind).startsWith(text), qPrintable(e.text(kind)));
        QCOMPARE(e.doctor->remedy(), remedy);
        QCOMPARE(e.state(Kind::Network), State::Done);
        QCOMPARE(e.state(Kind::Tls), State::Skipped);
        QCOMPARE(e.state(Kind::Handshake), State::Waiting);
    }

    // What goes on is dropped when it is examined anew, or not examined any more.
    void examinationIsDropped()
    {
        Connection connection(process(u"only-at-login"_s), {});
        connection.open();
        QTRY_VERIFY(connection.error());
        auto doctor = std::make_unique<Doctor>(&connection);
        doctor->examine();
        QVERIFY(!doctor->isFinished());
        doctor->examine();
        QTRY_VERIFY(doctor->isFinished());
        QCOMPARE(doctor->remedy(), Remedy::UseLoginShellPath);
        LoginShell::forget();
        doctor->examine();
        doctor.reset();
        QTRY_VERIFY(LoginShell::wasAsked());
    }
};

Q_DECLARE_METATYPE(sonde::DoctorLine::Kind)
Q_DECLARE_METATYPE(sonde::Remedy)

SONDE_TEST(tst_Doctor)
#include "tst_doctor.moc"
