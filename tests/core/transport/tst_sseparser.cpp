// SPDX-License-Identifier: Apache-2.0
#include "core/json/document.h"
#include "core/transport/http/ssecommentlimiter.h"
#include "core/transport/http/sseparser.h"
#include "tests/support/testregistry.h"

#include <QFile>
#include <QTest>

using namespace sonde;

class SseParserTest : public QObject {
    Q_OBJECT
private:
    struct Outcome {
        QStringList events;  // type|data|last id, as the standard dispatches them
        std::optional<qint64> retry;
        QByteArray lastId;
    };
    static void drain(SseParser &parser, Outcome &outcome)
    {
        do {
            while (const std::optional<SseParser::Event> event = parser.next()) {
                if (!event->isComment && event->hasData)
                    outcome.events += dispatched(*event);
            }
        } while (parser.isBusy());
    }
    static QString dispatched(const SseParser::Event &event)
    {
        const QString type = event.type.isEmpty() ? QStringLiteral("message") : QString::fromUtf8(event.type);
        return type + QLatin1Char('|') + QString::fromUtf8(event.data) + QLatin1Char('|') + QString::fromUtf8(event.id);
    }
    static Outcome parseInTwo(const QByteArray &stream, qsizetype split)
    {
        SseParser parser(1 << 20);
        Outcome outcome;
        parser.append(QByteArrayView(stream).first(split));
        drain(parser, outcome);
        parser.append(QByteArrayView(stream).sliced(split));
        drain(parser, outcome);
        outcome.retry = parser.retryMs();
        outcome.lastId = parser.lastEventId();
        return outcome;
    }
    static QList<QByteArray> withOtherLineEnds(const QByteArray &stream)
    {
        const QByteArray plain = QByteArray(stream).replace("\r\n", "\n").replace('\r', '\n');
        return {stream, plain, QByteArray(plain).replace('\n', "\r\n"), QByteArray(plain).replace('\n', '\r')};
    }

private Q_SLOTS:
    void webPlatformTests_data()
    {
        QFile file(QStringLiteral(SONDE_SOURCE_DIR "/../shared/suites/wpt-eventsource/cases.json"));
        if (!file.open(QIODevice::ReadOnly))
            QSKIP("the web platform's event source cases are not beside the source tree");
        QTest::addColumn<QByteArray>("stream");
        QTest::addColumn<QStringList>("expected");
        QTest::addColumn<qint64>("retry");
        QTest::addColumn<QByteArray>("lastId");
        const json::Value cases = json::parse(file.readAll());
        int count = 0;
        for (const json::Value &entry : cases[u"cases"]) {
            ++count;
            if (entry[u"expect_error"].toBool())
                continue;  // the media type is refused before anything is parsed: see the HTTP tests
            QStringList expected;
            for (const json::Value &event : entry[u"expect"]) {
                expected += event[u"event"].string() + QLatin1Char('|') + event[u"data"].string() + QLatin1Char('|') +
                            event[u"lastEventId"].string();
            }
            QTest::newRow(qPrintable(entry[u"name"].string()))
                << QByteArray::fromHex(entry[u"stream_hex"].string().toLatin1()) << expected
                << entry[u"retry"].toInteger().value_or(-1)
                << (entry[u"reconnect_last_event_id"].exists()
                        ? entry[u"reconnect_last_event_id"]
                        : entry[u"expect"].at(entry[u"expect"].size() - 1)[u"lastEventId"])
                       .string()
                       .toUtf8();
        }
        QCOMPARE(count, 25);
    }
    void webPlatformTests()
    {
        QFETCH(QByteArray, stream);
        QFETCH(QStringList, expected);
        QFETCH(qint64, retry);
        QFETCH(QByteArray, lastId);
        for (const QByteArray &variant : withOtherLineEnds(stream)) {
            for (qsizetype split = 0; split <= variant.size(); ++split) {
                const Outcome outcome = parseInTwo(variant, split);
                if (outcome.events != expected || outcome.retry.value_or(-1) != retry)
                    qWarning() << "split at" << split << "of" << variant.toPercentEncoding();
                QCOMPARE(outcome.events, expected);
                QCOMPARE(outcome.retry.value_or(-1), retry);
                QCOMPARE(outcome.lastId, lastId);
            }
        }
    }

    void anUnfinishedEventIsKeptAsBytes()
    {
        SseParser parser(1000);
        parser.append("id: 1\ndata: whole\n\nid: 2\ndata: half\ndata: of i");
        Outcome outcome;
        drain(parser, outcome);
        QCOMPARE(outcome.events, QStringList{QStringLiteral("message|whole|1")});
        QCOMPARE(parser.takeRest(), QByteArray("half\ndata: of i"));
        QCOMPARE(parser.lastEventId(), QByteArray("1"));
    }

    void floodsOfCommentsAreCounted()
    {
        SseCommentLimiter comments;
        qint64 nowNs = 1;
        for (qint64 i = 0; i < SseCommentLimiter::Burst; ++i)
            QVERIFY(comments.allow(nowNs));
        QVERIFY(!comments.takeHasLeftOut());
        for (int i = 0; i < 1000; ++i)
            QVERIFY(!comments.allow(++nowNs));
        nowNs += SseCommentLimiter::NsPerComment;
        QVERIFY(comments.allow(nowNs));
        QVERIFY(comments.takeHasLeftOut());
        QCOMPARE(comments.count(), SseCommentLimiter::Burst + 1001);
        QVERIFY(!comments.allow(++nowNs));
        // Those that only keep a connection alive are all recorded.
        for (int i = 0; i < 1000; ++i)
            QVERIFY(comments.allow(nowNs += 15'000'000'000));
    }

    void commentsAndPrimingEventsAreHandedOut()
    {
        SseParser parser(1000);
        parser.append(": ping\n\nid: 7\nretry: 250\n\n");
        const auto comment = parser.next();
        QVERIFY(comment && comment->isComment);
        QCOMPARE(comment->data, QByteArray(" ping"));
        const auto priming = parser.next();
        QVERIFY(priming && !priming->hasData && priming->hasId);
        QCOMPARE(priming->id, QByteArray("7"));
        QCOMPARE(priming->retryMs, std::optional<qint64>(250));
        QVERIFY(!parser.next());
    }

    void anEventThatIsTooLongIsCutAndTheNextOneIsNot()
    {
        const QByteArray line = "data: " + QByteArray(200, 'x');
        for (const QByteArray &stream : {QByteArray(line + "\n\ndata: ok\n\n"),
                                         QByteArray("data: 0123456789\n").repeated(30) + "\ndata: ok\n\n"}) {
            SseParser parser(100);
            parser.append(stream);
            std::optional<SseParser::Event> cut;
            while (!(cut = parser.next()) && parser.isBusy()) {
            }
            QVERIFY(cut && cut->isCut);
            QVERIFY(cut->length > 100);
            QVERIFY(cut->data.size() <= 100);
            const auto next = parser.next();
            QVERIFY(next && !next->isCut);
            QCOMPARE(next->data, QByteArray("ok"));
        }
    }
};

SONDE_TEST(SseParserTest)
#include "tst_sseparser.moc"
