// SPDX-License-Identifier: Apache-2.0
#include "core/client/requesthistory.h"
#include "tests/support/testregistry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;

namespace {

constexpr qint64 NsPerSecond = 1'000'000'000;

bool none(const RequestId &)
{
    return false;
}

}  // namespace

class TestRequestHistory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void explainsEveryEnding_data()
    {
        QTest::addColumn<int>("ending");
        QTest::addColumn<QString>("finding");
        QTest::newRow("answered") << int(RequestHistory::Ending::Answered)
                                  << u"Duplicate response to request 7 (tools/call); the first one counts."_s;
        QTest::newRow("cancelled") << int(RequestHistory::Ending::Cancelled)
                                   << u"Response to a cancelled request: 7 (tools/call), cancelled 2.5 s earlier."_s;
        QTest::newRow("timed out") << int(RequestHistory::Ending::TimedOut)
                                   << u"Late response to request 7 (tools/call), which timed out 2.5 s earlier."_s;
        QTest::newRow("failed") << int(RequestHistory::Ending::Failed)
                                << u"Late response to request 7 (tools/call), which failed 2.5 s earlier."_s;
    }
    void explainsEveryEnding()
    {
        QFETCH(int, ending);
        QFETCH(QString, finding);
        RequestHistory history;
        history.add(RequestId(7), u"tools/call"_s, RequestHistory::Ending(ending), NsPerSecond);
        QCOMPARE(history.explain(RequestId(7), none, NsPerSecond * 7 / 2), finding);
    }

    void idsOfTheOtherType_data()
    {
        QTest::addColumn<QByteArray>("id");
        QTest::addColumn<QByteArray>("other");  // empty: there is none
        QTest::newRow("number") << "12"_ba
                                << R"("12")"_ba;
        QTest::newRow("negative") << R"("-3")"_ba
                                  << "-3"_ba;
        QTest::newRow("string") << R"("\u00312")"_ba
                                << "12"_ba;
        QTest::newRow("word") << R"("a")"_ba
                              << ""_ba;
        QTest::newRow("null") << "null"_ba
                              << ""_ba;
    }
    void idsOfTheOtherType()
    {
        QFETCH(QByteArray, id);
        QFETCH(QByteArray, other);
        const std::optional<RequestId> found = idOfOtherType(RequestId::fromValue(json::parse(id)));
        QCOMPARE(found ? found->toJson() : QByteArray(""), other);
    }

    void forgetsTheOldest()
    {
        RequestHistory history;
        for (qint64 i = 1; i <= 2000; ++i)
            history.add(RequestId(i), u"ping"_s, RequestHistory::Ending::Answered, 0);
        history.add(RequestId(1), u"ping"_s, RequestHistory::Ending::Cancelled, 0);  // used again: young again
        QVERIFY(history.contains(RequestId(1)));
        QVERIFY(history.contains(RequestId(2)));
        history.add(RequestId(2001), u"ping"_s, RequestHistory::Ending::Answered, 0);
        QVERIFY(history.contains(RequestId(1)));
        QVERIFY(!history.contains(RequestId(2)));
        QVERIFY(history.explain(RequestId(2), none, 0).startsWith(u"Unmatched"_s));
    }
};

SONDE_TEST(TestRequestHistory)
#include "tst_requesthistory.moc"
