// The official conformance suite against both ends: the demo server, and sonde-cli as a client.
// SPDX-License-Identifier: Apache-2.0
#include "tests/e2e/driver.h"
#include "tests/e2e/peers.h"
#include "tests/support/testregistry.h"

#include <QFileInfo>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;

namespace {

constexpr int Patience = 120'000;

struct Verdict {
    int exitCode = -1;
    QByteArray text;
};

Verdict runSuite(const QStringList &arguments)
{
    QTemporaryDir folder;  // where it leaves its reports
    QProcess suite;
    suite.setWorkingDirectory(folder.path());
    suite.setProcessChannelMode(QProcess::MergedChannels);
    suite.start(test::peerNode(), QStringList{test::peerScript(u"conformance"_s)} + arguments);
    const bool ended = suite.waitForFinished(Patience);
    return {ended ? suite.exitCode() : -1, suite.readAll()};
}

}  // namespace

class tst_Conformance : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (const QString why = test::whyNoPeers(); !why.isEmpty())
            QSKIP(why.toUtf8().constData());
        if (!QFileInfo::exists(test::peerScript(u"conformance"_s)))
            QSKIP("the conformance suite is not installed: run 'npm ci --ignore-scripts' in tests/peers");
        m_demo = test::HttpProcess::demo();
        QVERIFY(m_demo->isListening());
    }

    // Those scenarios that do not ask for tools and resources of the suite's own invention.
    void demoServer_data()
    {
        QTest::addColumn<QString>("scenario");
        for (const char *scenario :
             {"server-initialize", "ping", "logging-set-level", "completion-complete", "tools-list", "resources-list",
              "prompts-list", "server-sse-multiple-streams", "dns-rebinding-protection"})
            QTest::newRow(scenario) << QString::fromLatin1(scenario);
    }
    void demoServer()
    {
        QFETCH(QString, scenario);
        const Verdict verdict =
            runSuite({u"server"_s, u"--url"_s, m_demo->spec().url.toString(), u"--scenario"_s, scenario});
        QVERIFY2(verdict.exitCode == 0, verdict.text.right(900).constData());
        QVERIFY2(verdict.text.contains(" 0 failed"), verdict.text.right(900).constData());
    }

    void commandLine_data()
    {
        QTest::addColumn<QString>("scenario");
        QTest::addColumn<QString>("words");
        QTest::newRow("initialize") << u"initialize"_s << u"info"_s;
        QTest::newRow("tools_call") << u"tools_call"_s << u"call add_numbers a=5 b=3"_s;
        QTest::newRow("sse-retry") << u"sse-retry"_s << u"call test_reconnection"_s;
    }
    void commandLine()
    {
        QFETCH(QString, scenario);
        QFETCH(QString, words);
        // The suite adds the address of its server.
        const QString command = QStringLiteral(SONDE_BIN_DIR "/sonde-cli ") + words + u" --url"_s;
        const Verdict verdict = runSuite({u"client"_s, u"--command"_s, command, u"--scenario"_s, scenario});
        QVERIFY2(verdict.exitCode == 0, verdict.text.right(900).constData());
        QVERIFY2(verdict.text.contains(" 0 failed"), verdict.text.right(900).constData());
    }

private:
    std::unique_ptr<test::HttpProcess> m_demo;
};

SONDE_TEST(tst_Conformance)
#include "tst_conformance.moc"
