// form-probe as other programs use it: a line in, a line out.
// SPDX-License-Identifier: Apache-2.0
#include "core/json/document.h"
#include "tests/support/programs.h"
#include "tests/support/testregistry.h"

#include <QProcess>
#include <QTest>

using namespace Qt::StringLiterals;
namespace json = sonde::json;

class TestFormProbe : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void responsesEachLineAtOnce();
    void saysWhatIsWrong();
    void brokenLinesDoNotEndIt();
    void generatedSchemasHaveNoFaults();

private:
    QByteArray ask(const QByteArray &line);
    QProcess m_probe;
};

void TestFormProbe::init()
{
    m_probe.start(sonde::test::builtProgram(QStringLiteral("form-probe")), QStringList());
    QVERIFY(m_probe.waitForStarted());
}

void TestFormProbe::cleanup()
{
    m_probe.closeWriteChannel();
    QVERIFY(m_probe.waitForFinished());
    QCOMPARE(m_probe.exitStatus(), QProcess::NormalExit);
    QCOMPARE(m_probe.exitCode(), 0);
}

QByteArray TestFormProbe::ask(const QByteArray &line)
{
    m_probe.write(line + '\n');
    while (!m_probe.canReadLine()) {
        if (!m_probe.waitForReadyRead(30'000))
            return "no answer: " + m_probe.readAllStandardError();
    }
    return m_probe.readLine().trimmed();
}

void TestFormProbe::responsesEachLineAtOnce()
{
    const QByteArray schema = R"({"type":"object","properties":{"n":{"type":"number"},"s":{"type":"string"}}})";
    QCOMPARE(ask("{\"schema\":" + schema + R"(,"value":{"s":"\u00e9","x":1.0,"n":1e-7}})"),
             R"({"value":{"s":"\u00e9","x":1.0,"n":1e-7},"fallbacks":[],"issues":[]})");
    QCOMPARE(ask("{\"schema\":" + schema + '}'), R"({"value":{},"fallbacks":[],"issues":[]})");
}

void TestFormProbe::saysWhatIsWrong()
{
    const json::Value said = json::parse(ask(
        R"({"schema":{"type":"object","required":["q"],"properties":{"q":{"type":"string"},"n":{"type":"integer"}}},"value":{"n":"x"}})"));
    QCOMPARE(said[u"value"].bytes(), R"({"n":"x"})");
    QCOMPARE(said[u"fallbacks"].bytes(), R"(["/n"])");
    QStringList places;
    const json::Value issues = said[u"issues"];
    for (const json::Value &issue : issues) {
        places.append(issue[u"place"].string());
        QVERIFY(!issue[u"message"].string().isEmpty());
    }
    places.sort();
    QCOMPARE(places, QStringList({u"/n"_s, u"/q"_s}));
}

void TestFormProbe::brokenLinesDoNotEndIt()
{
    for (const char *line : {"", "nonsense", "[]", "{\"value\":{}}", "{\"schema\":{}"})
        QVERIFY2(json::parse(ask(line))[u"error"].isString(), line);
    QCOMPARE(ask(R"({"schema":{},"value":{"a":[]}})"), R"({"value":{"a":[]},"fallbacks":[],"issues":[]})");
}

// As many as are quick; form-probe makes as many as one likes.
void TestFormProbe::generatedSchemasHaveNoFaults()
{
    QProcess probe;
    probe.start(sonde::test::builtProgram(QStringLiteral("form-probe")), {u"--generate"_s, u"60"_s});
    QVERIFY(probe.waitForFinished(240'000));
    const QByteArray said = probe.readAllStandardOutput();
    QVERIFY2(probe.exitStatus() == QProcess::NormalExit && probe.exitCode() == 0, said.constData());
    QCOMPARE(json::parse(said)[u"tools"].numberText(), "60");
}

SONDE_TEST(TestFormProbe)
#include "tst_formprobe.moc"
