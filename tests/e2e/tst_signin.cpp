// Signing in to a server that oidc-provider guards, end to end: sonde-cli, a browser, a keychain, all of them real.
// SPDX-License-Identifier: Apache-2.0
#include "core/json/document.h"
#include "tests/e2e/peers.h"
#include "tests/support/files.h"
#include "tests/support/privatekeychain.h"
#include "tests/support/programs.h"
#include "tests/support/testregistry.h"

#include <QDirIterator>
#include <QRegularExpression>
#include <QTcpSocket>
#include <QTest>
#include <QUrl>
#include <QUrlQuery>

using namespace Qt::StringLiterals;
using namespace sonde;

class TestSignIn : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (const QString why = test::whyNoPeers(); !why.isEmpty())
            QSKIP(qPrintable(why));
        if (const QString why = test::PrivateKeychain::whyNot(); !why.isEmpty())
            QSKIP(qPrintable(why));
        QVERIFY(m_keychain.startKeyring());
    }

    void signsInStaysSoAndSignsOut()
    {
        const QString url = startServer();
        Said said = run({u"call"_s, u"who-am-i"_s, u"--url"_s, url});
        QCOMPARE(said.code, 3);
        QVERIFY2(said.err.contains(u"Sign in with sonde-cli login"_s), qPrintable(said.err));

        said = signIn(url);
        QCOMPARE(said.code, 0);
        QVERIFY2(said.out.contains(u"Signed in at "_s + QUrl(url).resolved(QUrl(u"/"_s)).toString().chopped(1)),
                 qPrintable(said.out));
        QVERIFY2(said.err.contains(u"Sign in at 127.0.0.1"_s), qPrintable(said.err));

        // Another program, which knows from the keychain.
        said = run({u"call"_s, u"who-am-i"_s, u"--url"_s, url});
        QCOMPARE(said.code, 0);
        QVERIFY2(said.out.contains(u"ada may notes:read"_s), qPrintable(said.out + said.err));

        const QStringList byHand{u"call"_s,     u"who-am-i"_s,
                                 u"--url"_s,    url,
                                 u"--header"_s, u"Authorization: Bearer "_s + QString::fromLatin1(lastToken())};
        QCOMPARE(run(byHand).code, 0);
        said = run({u"logout"_s, u"--url"_s, url});
        QCOMPARE(said.out.trimmed(), u"Signed out."_s);
        QCOMPARE(said.err, QString());
        QCOMPARE(run(byHand).code, 3);  // the authorization server was told
        QCOMPARE(run({u"logout"_s, u"--url"_s, url}).out.trimmed(), u"Not signed in."_s);
        QCOMPARE(run({u"call"_s, u"who-am-i"_s, u"--url"_s, url}).code, 3);
    }

    // Given by its name, like one that is removed from the list in the window.
    void signingOutOfASavedServerRevokesItsTokens()
    {
        const QString url = startServer();
        const QString file = m_keychain.path(u"mcp.json"_s);
        test::writeFile(file, "{\"mcpServers\":{\"guarded\":{\"url\":\"" + url.toUtf8() + "\"}}}");
        QCOMPARE(run({u"import"_s, file}).out.trimmed(), u"Added: guarded"_s);
        QCOMPARE(signIn(url).code, 0);
        QCOMPARE(run({u"call"_s, u"who-am-i"_s, u"--url"_s, url}).code, 0);
        const QStringList byHand{u"call"_s,     u"who-am-i"_s,
                                 u"--url"_s,    url,
                                 u"--header"_s, u"Authorization: Bearer "_s + QString::fromLatin1(lastToken())};
        QCOMPARE(run(byHand).code, 0);
        QCOMPARE(run({u"logout"_s, u"--server"_s, u"guarded"_s}).out.trimmed(), u"Signed out."_s);
        QCOMPARE(run(byHand).code, 3);  // the authorization server was told
    }

    void signsInForPrograms()
    {
        const QString url = startServer();
        for (const Said &said : {signIn(url, {u"--json"_s}), run({u"login"_s, u"--url"_s, url, u"--json"_s})}) {
            QVERIFY2(said.code == 0, qPrintable(said.out + said.err));
            const json::Value printed = json::parse(said.out.toUtf8());
            QCOMPARE(printed[u"outcome"].string(), u"ok"_s);
            const json::Value &result = printed[u"result"];
            QVERIFY2(url.startsWith(result[u"issuer"].string()), qPrintable(said.out));
            QCOMPARE(result[u"scopes"].bytes(), "[\"notes:read\"]"_ba);
            QCOMPARE(result[u"missingScopes"].bytes(), "[]"_ba);
            QVERIFY(result[u"isKept"].toBool());
        }
    }

    void aResponseOfAnotherSignInIsSaid()
    {
        const Said said = signIn(startServer(), {}, "?code=x&state=wrong");
        QCOMPARE(said.code, 0);
        QVERIFY2(said.err.contains(u"A response without the right state"_s), qPrintable(said.err));
    }

    // What a command lacked the next sign-in asks for, in addition to what there is.
    void signsInAgainForAMissingScope_data()
    {
        QTest::addColumn<bool>("signsOut");
        QTest::newRow("signed in") << false;
        QTest::newRow("signed out in between") << true;
    }
    void signsInAgainForAMissingScope()
    {
        QFETCH(bool, signsOut);
        const QString url = startServer();
        QCOMPARE(signIn(url).code, 0);
        const QStringList write{u"call"_s, u"write-note"_s, u"--url"_s, url};
        Said said = run(write);
        QCOMPARE(said.code, 3);
        QVERIFY2(said.err.contains(u"requires the scope notes:write"_s), qPrintable(said.err));
        QVERIFY2(said.err.contains(u"Notes are read-only"_s), qPrintable(said.err));
        QVERIFY2(said.err.contains(u"sonde-cli login"_s), qPrintable(said.err));
        const json::Value error = json::parse(run(write + QStringList{u"--json"_s}).out.toUtf8())[u"error"];
        QCOMPARE(error[u"code"].toInteger(), 403);
        QCOMPARE(error[u"data"][u"requiredScopes"].bytes(), "[\"notes:write\"]"_ba);
        QCOMPARE(error[u"data"][u"grantedScopes"].bytes(), "[\"notes:read\"]"_ba);
        if (signsOut)
            QCOMPARE(run({u"logout"_s, u"--url"_s, url}).code, 0);
        said = signIn(url);
        QVERIFY2(said.code == 0, qPrintable(said.out + said.err));
        const QUrlQuery page(QUrl(said.out.section(u'\n', 0, 0)));
        QCOMPARE(page.queryItemValue(u"scope"_s, QUrl::FullyDecoded), u"notes:read notes:write offline_access"_s);
        QVERIFY2(said.out.contains(u"notes:read notes:write"_s), qPrintable(said.out));
        said = run(write);
        QVERIFY2(said.out.contains(u"ada may notes:read notes:write"_s), qPrintable(said.out + said.err));
        // There is nothing left to ask for.
        QVERIFY(run({u"login"_s, u"--url"_s, url}).out.startsWith(u"Signed in at"_s));
    }

    // A refresh token that is good for one use only, and programs that use it at the same time.
    void severalProgramsRefreshInTurns()
    {
        const QString url = startServer();
        QCOMPARE(signIn(url).code, 0);
        QVERIFY(!m_server.readAllStandardOutput().isEmpty());
        m_server.write("refuse\n");
        QVERIFY(QTest::qWaitFor([this] { return m_server.canReadLine(); }, test::Patience));
        QList<QProcess *> all;
        for (int i = 0; i < 6; ++i) {
            auto *process = new QProcess(this);
            process->setProcessEnvironment(m_keychain.environment());
            process->start(cli(), {u"call"_s, u"who-am-i"_s, u"--url"_s, url});
            all.append(process);
        }
        for (QProcess *process : all) {
            QTRY_COMPARE(process->state(), QProcess::NotRunning);
            QVERIFY2(process->exitCode() == 0, process->readAllStandardError().constData());
        }
        qDeleteAll(all);
    }

    // s13: no file of Sonde holds a token, the recording of all of it included.
    void s13_tokensAreInNoFile()
    {
        const QString url = startServer();
        const QString recording = m_keychain.path(u"signin.mcpsession"_s);
        const Said said = signIn(url, {u"--record"_s, recording});
        QCOMPARE(said.code, 0);
        const QByteArray state = QUrl(said.out.section(u'\n', 0, 0)).query(QUrl::FullyEncoded).toLatin1();
        QVERIFY(state.contains("state="));
        const Said token = run({u"call"_s, u"who-am-i"_s, u"--url"_s, url, u"--json"_s});
        QCOMPARE(token.code, 0);
        QFile file(recording);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray recorded = file.readAll();
        // What went over the wire is there, and each secret of it as a mark.
        for (const QByteArray &name : {"access_token"_ba, "refresh_token"_ba, "code_verifier"_ba}) {
            QVERIFY2(recorded.contains(name), name.constData());
            const QRegularExpression open(QString::fromLatin1(name) + u"(\\\\\":\\\\\"|=)[A-Za-z0-9_-]"_s);
            QVERIFY2(!open.match(QString::fromUtf8(recorded)).hasMatch(), name.constData());
        }
        // The server told the token to nobody but us: what stands in the keychain stands nowhere else.
        const QByteArray secret = lastToken();
        QVERIFY(!secret.isEmpty());
        QDirIterator files(m_keychain.path({}), QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
        int count = 0;
        while (files.hasNext()) {
            QFile each(files.next());
            if (!each.open(QIODevice::ReadOnly))
                continue;
            ++count;
            QVERIFY2(!each.readAll().contains(secret), qPrintable(each.fileName()));
        }
        QVERIFY(count > 2);
    }

    void cleanup()
    {
        m_server.kill();
        m_server.waitForFinished();
    }

private:
    struct Said {
        int code = -1;
        QString out;
        QString err;
    };

    static QString cli() { return test::builtProgram(QStringLiteral("sonde-cli")); }

    // The address of its MCP endpoint. Each token that it is shown it prints.
    QString startServer()
    {
        m_server.setProgram(test::peerNode());
        m_server.setArguments({QStringLiteral(SONDE_SOURCE_DIR "/tests/peers/guarded-server.mjs")});
        m_server.start();
        return QTest::qWaitFor([this] { return m_server.canReadLine(); }, test::Patience)
                   ? QString::fromUtf8(m_server.readLine().trimmed())
                   : QString();
    }
    QByteArray lastToken() { return m_server.readAllStandardOutput().trimmed().split('\n').last(); }

    Said end(QProcess *process)
    {
        if (!QTest::qWaitFor([&] { return process->state() == QProcess::NotRunning; }, 60'000))
            process->kill();
        return {process->exitCode(), QString::fromUtf8(process->readAllStandardOutput()),
                QString::fromUtf8(process->readAllStandardError())};
    }

    Said run(const QStringList &arguments)
    {
        QProcess process;
        process.setProcessEnvironment(m_keychain.environment());
        process.start(cli(), arguments);
        process.closeWriteChannel();
        return end(&process);
    }

    Said signIn(const QString &url, const QStringList &more = {}, const QByteArray &stray = {})
    {
        QProcess process;
        process.setProcessEnvironment(m_keychain.environment());
        process.start(cli(), QStringList{u"login"_s, u"--url"_s, url} + more);
        process.closeWriteChannel();
        const bool isJson = more.contains(u"--json"_s);
        if (isJson)
            process.setReadChannel(QProcess::StandardError);  // standard output is one JSON object
        QByteArray address;
        while (!address.startsWith("http")) {
            (void)QTest::qWaitFor([&] { return process.canReadLine() || process.state() == QProcess::NotRunning; },
                                  60'000);
            if (!process.canReadLine())
                return end(&process);
            address = process.readLine();
        }
        if (!stray.isEmpty()) {  // somebody else, first
            const QUrl back(QUrlQuery(QUrl(QString::fromUtf8(address.trimmed())))
                                .queryItemValue(u"redirect_uri"_s, QUrl::FullyDecoded));
            QTcpSocket socket;
            socket.connectToHost(back.host(), quint16(back.port()));
            socket.write("GET " + back.path().toLatin1() + stray + " HTTP/1.1\r\nHost: " + back.authority().toLatin1() +
                         "\r\n\r\n");
            (void)QTest::qWaitFor([&] { return socket.state() == QTcpSocket::UnconnectedState; }, 60'000);
        }
        QProcess browser;
        browser.start(test::peerNode(), {QStringLiteral(SONDE_SOURCE_DIR "/tests/peers/browser.mjs"),
                                         QString::fromUtf8(address.trimmed()), u"ada"_s});
        const Said seen = end(&browser);
        Said said = end(&process);
        if (!isJson)
            said.out.prepend(QString::fromUtf8(address));
        if (said.code != 0)
            said.err += seen.out + seen.err;
        return said;
    }

    test::PrivateKeychain m_keychain;
    QProcess m_server;
};

SONDE_TEST(TestSignIn)
#include "tst_signin.moc"
