// Proxies and certificates on the command line.
// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/message.h"
#include "tests/app/cli/clirun.h"
#include "tests/core/transport/tunnelproxy.h"
#include "tests/support/fakehttpserver.h"
#include "tests/support/testcertificate.h"
#include "tests/support/testregistry.h"

#include <QSignalSpy>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;
using namespace sonde::test;

namespace {

// While the servers of this process respond.
CliRun ping(const QStringList &options)
{
    QProcess process;
    QSignalSpy finished(&process, &QProcess::finished);
    process.start(cliProgram(), QStringList{u"ping"_s, u"--revision=2025-11-25"_s} + options);
    CliRun run;
    if (!finished.wait(test::Patience))
        return run;
    run.exitCode = process.exitCode();
    run.out = process.readAllStandardOutput();
    run.err = process.readAllStandardError();
    return run;
}

}  // namespace

class TestCliNetwork : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (m_authority.isNull())
            QSKIP("needs openssl to make certificates");
    }

    void httpsToAPortWithoutTls()
    {
        QTcpServer server;
        QVERIFY(server.listen(QHostAddress::LocalHost));
        connect(&server, &QTcpServer::newConnection, &server, [&server] {
            QTcpSocket *socket = server.nextPendingConnection();
            connect(socket, &QTcpSocket::readyRead, socket, [socket] {
                socket->write("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
                socket->disconnectFromHost();
            });
        });
        const CliRun run = ping({u"--url"_s, u"https://127.0.0.1:%1/"_s.arg(server.serverPort())});
        QVERIFY2(run.exitCode == 3 && run.err.contains("does not speak TLS"), run.describe().constData());
        QVERIFY2(run.err.contains("begin its URL with http://"), run.describe().constData());
        QVERIFY2(!run.err.contains("certificate"), run.describe().constData());
    }

    void trust_data()
    {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<int>("exitCode");
        const QString mine = QString::fromLatin1(m_server.certificate().digest(QCryptographicHash::Sha256).toHex(':'));
        QTest::newRow("unknown authority") << QStringList() << 3;
        QTest::newRow("its authority") << QStringList{u"--ca"_s, m_authority.file()} << 0;
        QTest::newRow("accepted") << QStringList{u"--accept-certificate"_s, mine} << 0;
        QTest::newRow("another one accepted") << QStringList{u"--accept-certificate"_s, QString(64, u'0')} << 3;
        QTest::newRow("no fingerprint") << QStringList{u"--accept-certificate"_s, u"abc"_s} << 4;
        QTest::newRow("no file") << QStringList{u"--ca"_s, u"/nowhere.pem"_s} << 4;
        QTest::newRow("no proxy") << QStringList{u"--proxy"_s, u"nothing"_s} << 4;
    }
    void trust()
    {
        QFETCH(QStringList, options);
        QFETCH(int, exitCode);
        FakeHttpServer server(m_server.server(), sonde::test::respondWithoutOffers);
        const CliRun run = ping(options + QStringList{u"--url"_s, server.url().toString()});
        QVERIFY2(run.exitCode == exitCode, run.describe().constData());
        if (options.isEmpty())
            QVERIFY2(run.err.contains("--accept-certificate") && run.err.contains("SHA-256"),
                     run.describe().constData());
    }

    void aClientCertificateAndAProxy()
    {
        const TestCertificate client(u"/CN=ada", u"email:ada@example.com", &m_authority);
        QSslConfiguration asking = m_server.server();
        asking.setPeerVerifyMode(QSslSocket::VerifyPeer);
        asking.setCaCertificates({m_authority.certificate()});
        FakeHttpServer server(asking, sonde::test::respondWithoutOffers);
        TunnelProxy proxy(false, {});
        const QStringList options{u"--ca"_s,    m_authority.file(),
                                  u"--url"_s,   server.url().toString(),
                                  u"--proxy"_s, u"http://127.0.0.1:%1"_s.arg(proxy.port())};
        CliRun run = ping(options);
        QVERIFY2(run.exitCode == 3, run.describe().constData());
        run = ping(options + QStringList{u"--client-cert"_s, client.file(), u"--client-key"_s, client.keyFile()});
        QVERIFY2(run.exitCode == 0, run.describe().constData());
        QVERIFY(proxy.targets().size() >= 2);
    }

    void aCommandHasNoNetwork()
    {
        for (const QString &option : {u"--proxy=none"_s, u"--ca=/etc/passwd"_s, u"--allow-host=h"_s}) {
            const CliRun run = ping({option, u"--"_s, u"/bin/true"_s});
            QVERIFY2(run.exitCode == 4 && run.err.contains("require a URL"), run.describe().constData());
        }
    }

private:
    const TestCertificate m_authority{u"/CN=Test authority", u"DNS:authority"};
    const TestCertificate m_server{u"/CN=billing.example", u"IP:127.0.0.1", &m_authority};
};

SONDE_TEST(TestCliNetwork)
#include "tst_clinetwork.moc"
