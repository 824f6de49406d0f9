// Long recordings: what is done with all of their steps or questions leaves the event loop free.
// SPDX-License-Identifier: Apache-2.0
#include "core/transport/monotonicclock.h"
#include "tests/core/replay/replayfixture.h"
#include "tests/support/handmadesession.h"
#include "tests/support/programs.h"
#include "tests/support/testregistry.h"
#include "tests/support/turns.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;
using namespace sonde::test;
using Status = ReplayStep::Status;

namespace {

constexpr int LimitMs = 60'000;

HandmadeSession opening(const QByteArray &openFacts)
{
    HandmadeSession lines;
    lines.add(WireEvent::Kind::Open, Direction::Local, {}, openFacts);
    lines.sent(R"({"jsonrpc":"2.0","id":"i","method":"initialize","params":{"capabilities":{"elicitation":{}}}})");
    lines.received(R"({"jsonrpc":"2.0","id":"i","result":{"protocolVersion":"2025-11-25",)"
                   R"("capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}})");
    return lines;
}

// Calls whose answers differ in many places from those with other words.
QByteArray manyCalls(int calls, const QByteArray &word)
{
    constexpr int Members = 100;
    HandmadeSession lines = opening(R"({"transport":"stdio","argv":["s"]})");
    QByteArray members;
    for (int i = 0; i < Members; ++i)
        members += (i > 0 ? ",\"m" : "\"m") + QByteArray::number(i) + "\":\"" + word + " of many\"";
    for (int i = 1; i <= calls; ++i) {
        const QByteArray id = "{\"jsonrpc\":\"2.0\",\"id\":" + QByteArray::number(i);
        lines.sent(id + R"(,"method":"tools/call","params":{"name":"t","arguments":{"n":)" + QByteArray::number(i) +
                   "}}}");
        lines.received(id + R"(,"result":{"content":[],"structuredContent":{)" + members + "}}}");
    }
    return lines.text();
}

Message serverRequest(int number)
{
    return Message::parse(R"({"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"No. )" +
                          QByteArray::number(number) + R"("}})");
}

// That many questions in the course of no call, each otherwise.
QByteArray manyServerRequests(int count)
{
    const QByteArray stream = R"({"stream":9})";
    HandmadeSession lines = opening(R"({"transport":"http","url":"http://127.0.0.1:1/"})");
    for (int i = 0; i < count; ++i) {
        const QByteArray id = "{\"jsonrpc\":\"2.0\",\"id\":" + QByteArray::number(i);
        lines.add(WireEvent::Kind::Message, Direction::FromServer,
                  id + R"(,"method":"elicitation/create","params":{"message":"No. )" + QByteArray::number(i) + "\"}}",
                  stream);
        lines.sent(id + R"(,"result":{"action":"decline"}})");
    }
    return lines.text();
}

}  // namespace

class tst_ManySteps : public QObject {
    Q_OBJECT private Q_SLOTS : void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(m_folder->isValid());
    }

    void otherRulesAreAppliedInSlices()
    {
        constexpr int Calls = 150;
        write(u"now.mcpsession"_s, manyCalls(Calls, "new"));
        write(u"then.mcpsession"_s, manyCalls(Calls, "old"));
        const std::unique_ptr<Session> recording = opened(u"then.mcpsession"_s);
        ServerSpec mock;
        mock.name = u"mock"_s;
        mock.command = test::builtProgram(QStringLiteral("sonde-cli"));
        mock.arguments = QStringList{u"mock"_s, m_folder->filePath(u"now.mcpsession"_s)};
        Replay replay(*recording, mock);
        QVERIFY(replay.run());
        Replayer &replayer = replay.replayer;
        QCOMPARE(replayer.count(Status::Changed), Calls);

        // Looks at every difference, and ignores it.
        const ReplayRules rules = *ReplayRules::parse(R"({"ignore":[{"regex":"^(?:old|new) "}]})", u"rules"_s);
        QSignalSpy judged(&replayer, &Replayer::judged);
        Turns turns;
        replayer.setRules(rules, Calls);
        QVERIFY(replayer.isJudging());
        QVERIFY(replayer.steps()[Calls].status == Status::Same);  // somebody looks at it
        QVERIFY(replayer.steps()[Calls - 1].status == Status::Changed);
        QVERIFY(turns.runUntil([&] { return !replayer.isJudging(); }, LimitMs));
        QCOMPARE(replayer.count(Status::Same), Calls + 1);
        QCOMPARE(judged.size(), 1);

        // Others before those have been applied to all: the last ones hold.
        replayer.setRules({});
        replayer.setRules(rules);
        replayer.setRules({});
        QVERIFY(replayer.isJudging());
        QVERIFY(turns.runUntil([&] { return !replayer.isJudging(); }, LimitMs));
        QCOMPARE(replayer.count(Status::Changed), Calls);
        QCOMPARE(judged.size(), 2);
    }

    void serverRequestsAreFoundAmongVeryMany()
    {
        constexpr int Many = 20'000;
        write(u"s.mcpsession"_s, manyServerRequests(Many));
        const std::unique_ptr<Session> recording = opened(u"s.mcpsession"_s);
        RecordedServerRequests serverRequests = replayMaterial(*recording).serverRequests;
        QCOMPARE(serverRequests.size(), Many);
        QVERIFY(serverRequests.awaitsBefore(recording->size()));
        const qint64 begin = monotonicNs();
        // The last ones first, so that all others could be looked at in vain.
        for (int i = Many - 1; i >= 0; i -= 10)
            QCOMPARE(serverRequests.take(*recording, serverRequest(i), -1), i);
        QCOMPARE(serverRequests.takenSince(begin).size(), Many / 10);
        // What is none of them gets the next, until none is left.
        for (int i = 0; i < Many - Many / 10; ++i)
            QVERIFY(serverRequests.take(*recording, serverRequest(-1), -1) >= 0);
        QCOMPARE(serverRequests.take(*recording, serverRequest(-1), -1), -1);
        QVERIFY(!serverRequests.awaitsBefore(recording->size()));
        QVERIFY(serverRequests.left(-1).isEmpty());
    }

private:
    void write(const QString &name, const QByteArray &text)
    {
        QFile file(m_folder->filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
    }

    std::unique_ptr<Session> opened(const QString &name) const
    {
        Result<std::unique_ptr<Session>> session = Session::open(m_folder->filePath(name));
        return session ? std::move(session).value() : nullptr;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

SONDE_TEST(tst_ManySteps)
#include "tst_manysteps.moc"
