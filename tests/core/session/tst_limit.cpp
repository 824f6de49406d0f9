// A session records so much and no more: calls go on, what a server sends unasked is counted.
// SPDX-License-Identifier: Apache-2.0
#include "core/json/document.h"
#include "core/session/recordinglimit.h"
#include "tests/support/sessionscript.h"
#include "tests/support/testregistry.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;
using namespace sonde::test;

namespace {

constexpr qint64 SmallLimit = 20'000;

class SmallDisk : public FileOps {
public:
    qint64 freeBytes(int) override { return free; }
    qint64 free = 0;
};

QByteArray logged(int number)
{
    return "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"data\":" +
           QByteArray::number(number) + "}}";
}

void flood(Session &session, int count)
{
    for (int i = 0; i < count; ++i) {
        session.append(received(logged(i)), 1);
        if (i % 5 == 4)
            session.flush();
    }
    session.flush();
}

QByteArray request(int id)
{
    return "{\"jsonrpc\":\"2.0\",\"id\":" + QByteArray::number(id) +
           ",\"method\":\"tools/call\",\"params\":{\"name\":\"add\"}}";
}

QByteArray response(int id)
{
    return "{\"jsonrpc\":\"2.0\",\"id\":" + QByteArray::number(id) + ",\"result\":{}}";
}

QByteArray ping(int id)
{
    return "{\"jsonrpc\":\"2.0\",\"id\":" + QByteArray::number(id) + ",\"method\":\"ping\"}";
}

int countOf(const Session &session, QStringView method, Direction direction)
{
    int count = 0;
    for (qsizetype row = 0; row < session.size(); ++row)
        count += session.at(row).direction == direction && session.name(session.at(row).method) == method ? 1 : 0;
    return count;
}

// The notes of that kind added up.
LeftOut notedIn(const Session &session)
{
    LeftOut sum;
    for (qsizetype row = 0; row < session.size(); ++row) {
        if (session.at(row).kind != WireEvent::Kind::Note)
            continue;
        const json::Document facts = json::Document::parse(session.facts(row));
        if (facts.root()[u"what"].string() != u"left out")
            continue;
        sum.notifications += facts.root()[u"notifications"].toInteger().value_or(0);
        sum.others += facts.root()[u"others"].toInteger().value_or(0);
        sum.bytes += facts.root()[u"bytes"].toInteger().value_or(0);
    }
    return sum;
}

int notesOf(const Session &session, QStringView what)
{
    int count = 0;
    for (qsizetype row = 0; row < session.size(); ++row)
        count += json::Document::parse(session.facts(row)).root()[u"what"].string() == what ? 1 : 0;
    return count;
}

}  // namespace

class LimitTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void callsGoOnAndTheRestIsCounted_data()
    {
        QTest::addColumn<bool>("hasFile");
        QTest::newRow("in a file") << true;
        QTest::newRow("in memory") << false;
    }

    void callsGoOnAndTheRestIsCounted()
    {
        QFETCH(bool, hasFile);
        const QString path = m_dir.filePath(u"flood"_s);
        const std::unique_ptr<Session> session =
            hasFile ? Session::create(path, u"demo"_s) : std::make_unique<Session>();
        session->setLimit(SmallLimit);
        QCOMPARE(session->limit(), SmallLimit);
        QSignalSpy isNear(session.get(), &Session::limitNear);
        QSignalSpy isReached(session.get(), &Session::limitReached);
        session->append(sent(request(1)), 1);
        flood(*session, 10);
        QCOMPARE(isNear.size(), 0);
        flood(*session, 1000);
        QCOMPARE(isNear.size(), 1);
        QCOMPARE(isReached.size(), 1);
        const qsizetype full = session->size();
        QVERIFY(full < 400);
        const qint64 notifications = session->leftOut().notifications;
        QCOMPARE(notifications + countOf(*session, u"notifications/message", Direction::FromServer), 1010);
        QVERIFY(session->recorded() < SmallLimit + 1000);

        flood(*session, 1000);
        session->append(happening(WireEvent::Kind::Stderr, Direction::FromServer, "a line"), 1);
        session->append(happening(WireEvent::Kind::Junk, Direction::FromServer, "hello"), 1);
        session->append(received(response(777)), 1);  // to nothing
        session->flush();
        QCOMPARE(session->size(), full);
        QCOMPARE(session->leftOut().notifications, notifications + 1000);
        QCOMPARE(session->leftOut().others, 3);

        // Of a call everything is kept, whoever makes it.
        session->append(received(response(1)), 1);
        session->append(sent(request(2)), 1);
        session->append(received("{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":-32603,\"message\":\"no\"}}"), 1);
        session->append(received(ping(5)), 1);
        session->append(sent(response(5)), 1);
        session->append(sent("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\"}"), 1);
        session->flush();
        QCOMPARE(session->size(), full + 6);
        QCOMPARE(session->at(full).outcome, RowOutcome::Ok);
        QCOMPARE(session->at(full + 2).outcome, RowOutcome::ProtocolError);
        QCOMPARE(session->partnerOf(full + 4), full + 3);
        QCOMPARE(isReached.size(), 1);
        session->finish();
        QCOMPARE(notedIn(*session), session->leftOut());
        QCOMPARE(notesOf(*session, u"limit reached"), 1);
        if (!hasFile)
            return;
        const auto reopened = Session::open(path);
        QVERIFY(reopened);
        QVERIFY((*reopened)->damage().isEmpty());
        QCOMPARE(describeAll(**reopened), describeAll(*session));
        QCOMPARE(notedIn(**reopened), session->leftOut());
    }

    // The count is in the file soon, not only at the end: a program may be killed.
    void theCountIsWrittenMeanwhile()
    {
        const std::unique_ptr<Session> session = Session::create(m_dir.filePath(u"meanwhile"_s), u"demo"_s);
        session->setLimit(SmallLimit);
        flood(*session, 1000);
        QVERIFY(session->leftOut().records() > 0);
        QTRY_COMPARE(notedIn(*session), session->leftOut());
        QCOMPARE(notesOf(*session, u"left out"), 1);
    }

    void aTenthOfTheDiskIsTheMost()
    {
        const auto calls = std::make_shared<SmallDisk>();
        calls->free = 200'000;
        const std::unique_ptr<Session> session = Session::create(m_dir.filePath(u"small"_s), u"demo"_s, calls);
        QCOMPARE(session->limit(), session->fileSize() + 20'000);
        session->setLimit(10'000);
        QCOMPARE(session->limit(), 10'000);
        calls->free = -1;  // not known
        session->setLimit(Session::UsualLimit);
        QCOMPARE(session->limit(), Session::UsualLimit);
        QCOMPARE(Session().limit(), Session::UsualMemory);
    }

    void aHigherLimitRecordsAgain()
    {
        const std::unique_ptr<Session> session = Session::create(m_dir.filePath(u"higher"_s), u"demo"_s);
        QSignalSpy isReached(session.get(), &Session::limitReached);
        session->setLimit(SmallLimit);
        flood(*session, 1000);
        const LeftOut before = session->leftOut();
        session->setLimit(10 * SmallLimit);
        const qsizetype rows = session->size();
        flood(*session, 10);
        QCOMPARE(session->leftOut(), before);
        QCOMPARE(notedIn(*session), before);
        QCOMPARE(session->size(), rows + 11);  // with the note
        flood(*session, 10'000);
        QCOMPARE(isReached.size(), 2);
    }

    // Otherwise a server could fill the disk with them.
    void aFloodOfRequestsEndsAtTwiceTheLimit()
    {
        const std::unique_ptr<Session> session = Session::create(m_dir.filePath(u"pings"_s), u"demo"_s);
        session->setLimit(SmallLimit);
        for (int id = 1; id <= 5000; ++id) {
            session->append(received(ping(id)), 1);
            session->append(sent(response(id)), 1);
            session->flush();
        }
        QVERIFY(session->recorded() < 2 * SmallLimit + 3000);
        const int kept = countOf(*session, u"ping", Direction::FromServer);
        QVERIFY(kept > 50);
        QCOMPARE(countOf(*session, u"ping", Direction::ToServer), kept);  // each with its response
        QCOMPARE(session->leftOut().others, 2 * (5000 - kept));
        const qsizetype rows = session->size();
        session->append(sent(request(9000)), 1);
        session->append(received(response(9000)), 1);
        session->flush();
        QCOMPARE(session->size(), rows + 2);
    }

    // A batch is recorded for the sake of what belongs to a call in it, and otherwise counted like its elements.
    void batches_data()
    {
        QTest::addColumn<QByteArray>("element");
        QTest::newRow("responses to nothing") << response(777);
        QTest::newRow("notifications") << logged(1);
        QTest::newRow("server requests") << ping(5);
        QTest::newRow("nonsense") << "{}"_ba;
        QTest::newRow("large: responses to nothing") << response(777);
        QTest::newRow("large: notifications") << logged(1);
        QTest::newRow("large: server requests") << ping(5);
    }
    void batches()
    {
        QFETCH(const QByteArray, element);
        const bool isLarge = QByteArray(QTest::currentDataTag()).startsWith("large");
        const QByteArray elements = (element + ',').repeated((isLarge ? 300'000 : 600) / element.size()) + element;
        const std::unique_ptr<Session> session =
            Session::create(m_dir.filePath(u"batches"_s), u"demo"_s, {}, Session::IfTaken::NumberIt);
        session->setLimit(isLarge ? 400'000 : SmallLimit);
        session->append(sent(request(1)), 1);
        for (int i = 0; i < (isLarge ? 12 : 100); ++i) {
            session->append(received('[' + elements + ']'), 1);
            session->flush();
        }
        QVERIFY2(session->recorded() < 3 * session->limit() + 300'000,
                 qPrintable(QString::number(session->recorded())));
        QVERIFY(session->leftOut().records() > (isLarge ? 4 : 50));
        QCOMPARE(session->leftOut().notifications > 0, element.contains("\"notifications/"));
        const qsizetype rows = session->size();
        session->append(received('[' + elements + ',' + response(1) + ']'), 1);
        session->append(sent('[' + logged(1) + ']'), 1);
        session->flush();
        QCOMPARE(session->size(), rows + 2);
        QCOMPARE(session->at(0).outcome, RowOutcome::Ok);
        session->finish();
        QCOMPARE(notedIn(*session), session->leftOut());
    }

    void whatNotesSay()
    {
        RecordingLimit limit;
        limit.moveToFile(0, 1'000'000);
        QCOMPARE(limit.limit(), 100'000);
        QVERIFY(limit.isBeyond(99'990, 11) && !limit.isBeyond(99'989, 11));
        QVERIFY(limit.takeReachedNote().isEmpty() && limit.takeLeftOutNote().isEmpty());
        const auto text = [](const QByteArray &facts) { return json::parse(facts)[u"text"].string(); };
        limit.count(RecordingLimit::Unasked::Notification, 1);
        QVERIFY(text(limit.takeReachedNote()).contains(u"100000 bytes"));
        QCOMPARE(text(limit.takeLeftOutNote()), u"1 notification (1 byte) was counted but not stored."_s);
        limit.count(RecordingLimit::Unasked::Notification, 7);
        limit.count(RecordingLimit::Unasked::Other, 8);
        QVERIFY(limit.takeReachedNote().isEmpty());
        QCOMPARE(text(limit.takeLeftOutNote()),
                 u"1 notification and 1 other record (15 bytes) were counted but not stored."_s);
        for (int i = 0; i < 1204; ++i)
            limit.count(RecordingLimit::Unasked::Notification, 1);
        QCOMPARE(text(limit.takeLeftOutNote()),
                 u"1\u2009204 notifications (1\u2009204 bytes) were counted but not stored."_s);
        limit.moveToMemory();
        QCOMPARE(limit.limit(), Session::UsualMemory);
        QVERIFY(!limit.isFull());
    }

private:
    QTemporaryDir m_dir;
};

SONDE_TEST(LimitTest)

#include "tst_limit.moc"
