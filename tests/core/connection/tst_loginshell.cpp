// The PATH of the login shell: asked once, and used where the person wants it.
// SPDX-License-Identifier: Apache-2.0
#include "core/connection/connection.h"
#include "core/server/transportoptions.h"
#include "core/transport/process/loginshell.h"
#include "core/transport/process/programlookup.h"
#include "tests/support/programs.h"
#include "tests/support/testregistry.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace sonde;
using namespace Qt::StringLiterals;

namespace {

void writeProgram(const QString &path, const QByteArray &text)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
    file.close();
    QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
}

QByteArray contentsOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}  // namespace

class tst_LoginShell : public QObject {
    Q_OBJECT
private:
    LoginShell::Path asked()
    {
        std::optional<LoginShell::Path> path;
        LoginShell::ask(this, [&path](const LoginShell::Path &answer) { path = answer; });
        [&path] { QTRY_VERIFY(path); }();
        return path.value_or(LoginShell::Path());
    }

    QTemporaryDir m_folder;
    QByteArray m_shell;

private Q_SLOTS:
    void initTestCase()
    {
        m_shell = qgetenv("SHELL");
        QVERIFY(QDir(m_folder.path()).mkdir(u"bin"_s));
        // Its start files print something, and tell how often they were run.
        writeProgram(m_folder.filePath(u"shell"_s),
                     "#!/bin/sh\n[ \"$1$2$3\" = -l-i-c ] || exit 3\necho PATH=/not/this/one\necho run >>'" +
                         m_folder.filePath(u"log"_s).toUtf8() + "'\nPATH='" + m_folder.filePath(u"bin"_s).toUtf8() +
                         "':$PATH\nexport PATH\neval \"$4\"\n");
        writeProgram(m_folder.filePath(u"bin/only-at-login"_s),
                     "#!/bin/sh\nexec '" + test::builtProgram(u"sonde-demo-server"_s).toUtf8() + "' \"$@\"\n");
    }

    void init()
    {
        LoginShell::forget();
        QFile::remove(m_folder.filePath(u"log"_s));
        qputenv("SHELL", m_folder.filePath(u"shell"_s).toLocal8Bit());
    }

    void cleanup()
    {
        qputenv("SHELL", m_shell);
        LoginShell::forget();
    }

    void isAskedOnce()
    {
        QVERIFY(!LoginShell::wasAsked());
        QCOMPARE(asked().path, m_folder.filePath(u"bin"_s) + u':' + qEnvironmentVariable("PATH"));
        QVERIFY(LoginShell::wasAsked());
        QCOMPARE(asked().path, LoginShell::known().path);
        QCOMPARE(contentsOf(m_folder.filePath(u"log"_s)), "run\n"_ba);
    }

    void failureIsTold()
    {
        qputenv("SHELL", "/bin/false");
        const LoginShell::Path path = asked();
        QVERIFY(path.path.isEmpty());
        QCOMPARE(path.error.message, u"The login shell /bin/false did not report its PATH."_s);
        LoginShell::forget();
        qputenv("SHELL", "/no/such/shell");
        QCOMPARE(asked().error.message, u"File “/no/such/shell” does not exist."_s);
    }

    void serverIsFoundThere()
    {
        ServerSpec spec;
        spec.name = u"a"_s;
        spec.command = u"only-at-login"_s;
        QVERIFY(findProgram(stdioOptions(spec)).error);
        Connection connection(spec, {});
        connection.open();
        QTRY_VERIFY(connection.error());
        QVERIFY(contentsOf(m_folder.filePath(u"log"_s)).isEmpty());  // nobody wanted it

        spec.loginShellPath = true;
        connection.setSpec(spec);
        connection.open();
        QTRY_COMPARE(connection.state(), Connection::State::Connected);
        QCOMPARE(connection.resolvedTarget(), m_folder.filePath(u"bin/only-at-login"_s));
        connection.restart();
        QTRY_COMPARE(connection.state(), Connection::State::Connected);
        QCOMPARE(contentsOf(m_folder.filePath(u"log"_s)), "run\n"_ba);
    }

    void startIsCancelledWhileTheShellRuns()
    {
        ServerSpec spec;
        spec.name = u"a"_s;
        spec.command = u"only-at-login"_s;
        spec.loginShellPath = true;
        Connection connection(spec, {});
        connection.open();
        QCOMPARE(connection.state(), Connection::State::Connecting);
        connection.close();
        QTRY_COMPARE(connection.state(), Connection::State::Disconnected);
        QCOMPARE(asked().error.message, QString());
        QCOMPARE(connection.state(), Connection::State::Disconnected);
    }

    void failureIsTheReasonWhyAServerDidNotStart()
    {
        qputenv("SHELL", "/bin/false");
        ServerSpec spec;
        spec.name = u"a"_s;
        spec.command = u"only-at-login"_s;
        spec.loginShellPath = true;
        Connection connection(spec, {});
        connection.open();
        QTRY_COMPARE(connection.state(), Connection::State::Disconnected);
        QCOMPARE(connection.error().message, u"The login shell /bin/false did not report its PATH."_s);
        qputenv("SHELL", m_folder.filePath(u"shell"_s).toLocal8Bit());
        connection.open();  // asks again
        QTRY_COMPARE(connection.state(), Connection::State::Connected);
    }

    // What is set for the server comes last.
    void ownPathWins()
    {
        QVERIFY(!asked().path.isEmpty());
        ServerSpec spec;
        spec.command = u"only-at-login"_s;
        spec.loginShellPath = true;
        QCOMPARE(findProgram(stdioOptions(spec)).path, m_folder.filePath(u"bin/only-at-login"_s));
        spec.environment = {{u"PATH"_s, u"/usr/bin"_s}};
        QCOMPARE(findProgram(stdioOptions(spec)).searchPath, u"/usr/bin"_s);
    }

    void standsInTheFile()
    {
        const QByteArray text = R"({"command":"a","loginShellPath":true})";
        const Result<ServerSpec> spec = ServerSpec::fromJson(u"a"_s, json::parse(text));
        QVERIFY(spec.ok());
        QVERIFY(spec->loginShellPath);
        ServerSpec changed = *spec;
        changed.loginShellPath = false;
        QVERIFY(!changed.toJson().contains("loginShellPath"));
        changed.loginShellPath = true;
        QVERIFY(json::parse(changed.toJson())[u"loginShellPath"].toBool());
    }
};

SONDE_TEST(tst_LoginShell)
#include "tst_loginshell.moc"
