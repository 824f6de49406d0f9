// SPDX-License-Identifier: Apache-2.0
#include "core/connection/readcache.h"
#include "core/protocol/methods.h"
#include "tests/core/client/clockedclient.h"
#include "tests/support/faketransport.h"
#include "tests/support/testregistry.h"

#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;
using namespace sonde::test;

class TestReadCache : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_cache.clear();
        m_transport.openNow();
    }

    void hints_data()
    {
        QTest::addColumn<QByteArray>("members");
        QTest::addColumn<qint64>("freshMs");
        QTest::addColumn<bool>("isPublic");
        QTest::newRow("public") << "{\"ttlMs\":60000,\"cacheScope\":\"public\"}"_ba << qint64(60'000) << true;
        QTest::newRow("private") << "{\"ttlMs\":60000,\"cacheScope\":\"private\"}"_ba << qint64(60'000) << false;
        QTest::newRow("no scope is private") << "{\"ttlMs\":1}"_ba << qint64(1) << false;
        QTest::newRow("not to be used again") << "{\"ttlMs\":0}"_ba << qint64(0) << false;
        QTest::newRow("negative") << "{\"ttlMs\":-5}"_ba << qint64(0) << false;
        QTest::newRow("beyond every date")
            << "{\"ttlMs\":9223372036854775807}"_ba << qint64(366) * 24 * 3600 * 1000 << false;
        QTest::newRow("none") << "{\"cacheScope\":\"public\"}"_ba << qint64(-1) << false;
        QTest::newRow("no integer") << "{\"ttlMs\":\"60000\"}"_ba << qint64(-1) << false;
    }
    void hints()
    {
        QFETCH(QByteArray, members);
        QFETCH(qint64, freshMs);
        const QDateTime received = QDateTime::currentDateTimeUtc();
        const std::optional<CacheHint> hint = CacheHint::of(json::parse(members), received);
        QCOMPARE(hint.has_value(), freshMs >= 0);
        if (!hint)
            return;
        QCOMPARE(received.msecsTo(hint->freshUntil), freshMs);
        QTEST(hint->isPublic, "isPublic");
        QCOMPARE(hint->isFreshAt(received), freshMs > 0);
        QVERIFY(!hint->isFreshAt(received.addMSecs(freshMs)));
    }

    void aFreshReadIsFoundUntilItIsStale()
    {
        read(u"demo://a"_s, 60'000);
        const QDateTime now = QDateTime::currentDateTimeUtc();
        const Outcome *outcome = m_cache.find(u"demo://a"_s, now);
        QVERIFY(outcome);
        QCOMPARE(outcome->result()[u"contents"].at(0)[u"text"].string(), u"1"_s);
        QVERIFY(!m_cache.find(u"demo://a"_s, now.addSecs(61)));
        QVERIFY(!m_cache.find(u"demo://b"_s, now));
        m_cache.clear();
        QVERIFY(!m_cache.find(u"demo://a"_s, now));
    }

    void theNewestReadCounts()
    {
        read(u"demo://a"_s, 60'000);
        read(u"demo://a"_s, 60'000, "2");
        QCOMPARE(text(u"demo://a"_s), u"2"_s);
        read(u"demo://a"_s, 0, "3");  // and this one must not be shown again
        QCOMPARE(text(u"demo://a"_s), QString());
    }

    void aChangeOfTheResourceOrAPartOfItInvalidates_data()
    {
        QTest::addColumn<QString>("changed");
        QTest::addColumn<bool>("isStale");
        QTest::newRow("itself") << u"demo://a"_s << true;
        QTest::newRow("a part") << u"demo://a/part"_s << true;
        QTest::newRow("another") << u"demo://ab"_s << false;
        QTest::newRow("what it is a part of") << u"demo://"_s << false;
    }
    void aChangeOfTheResourceOrAPartOfItInvalidates()
    {
        QFETCH(QString, changed);
        read(u"demo://a"_s, 60'000);
        m_cache.invalidate(changed);
        QTEST(text(u"demo://a"_s).isEmpty(), "isStale");
    }

    void whatFailedIsNotKept()
    {
        Call *call = m_client.request(methods::ReadResource, "{\"uri\":\"demo://a\"}");
        connect(call, &Call::finished, this, [&, call](const Outcome &outcome) { m_cache.keep(*call, outcome); });
        const Message request = m_transport.expectSent(methods::ReadResource);
        m_transport.inject("{\"jsonrpc\":\"2.0\",\"id\":" + request.id().toJson() +
                           ",\"error\":{\"code\":-32602,\"message\":\"No such resource\"}}");
        QCOMPARE(text(u"demo://a"_s), QString());
    }

    // Whoever reads by hand may ask for more than the resource.
    void aReadWithOtherParamsIsNotKept()
    {
        read(u"demo://a"_s, 60'000, "1", ",\"extra\":1");
        QCOMPARE(text(u"demo://a"_s), QString());
    }

    void theOldestGoWhenThereAreTooMany()
    {
        for (size_t i = 0; i <= ReadCache::MaxResults; ++i)
            read(u"demo://%1"_s.arg(i), 60'000);
        QCOMPARE(text(u"demo://0"_s), QString());
        QCOMPARE(text(u"demo://1"_s), u"1"_s);
    }

private:
    void read(const QString &uri, qint64 ttlMs, const QByteArray &text = "1", const QByteArray &extra = {})
    {
        Call *call = m_client.request(methods::ReadResource, "{\"uri\":\"" + uri.toUtf8() + '"' + extra + '}');
        QSignalSpy finished(call, &Call::finished);
        connect(call, &Call::finished, this, [&, call](const Outcome &outcome) { m_cache.keep(*call, outcome); });
        m_transport.response(m_transport.expectSent(methods::ReadResource),
                             "{\"contents\":[{\"uri\":\"" + uri.toUtf8() + "\",\"text\":\"" + text +
                                 "\"}],\"ttlMs\":" + QByteArray::number(ttlMs) + '}');
        QCOMPARE(finished.size(), 1);
    }
    // Empty when it is not there, or not fresh any more.
    QString text(const QString &uri) const
    {
        const Outcome *outcome = m_cache.find(uri, QDateTime::currentDateTimeUtc());
        return outcome ? outcome->result()[u"contents"].at(0)[u"text"].string() : QString();
    }

    FakeTransport m_transport;
    ClockedClient m_client{&m_transport};
    ReadCache m_cache;
};

SONDE_TEST(TestReadCache)

#include "tst_readcache.moc"
