// SPDX-License-Identifier: Apache-2.0
#include "core/transport/lineframer.h"
#include "tests/support/testregistry.h"

#include <QTest>

using sonde::LineFramer;

class LineFramerTest : public QObject {
    Q_OBJECT
private:
    // Everything that comes out when the stream arrives in pieces of this size.
    static QList<LineFramer::Line> feed(const QByteArray &stream, qsizetype step, qint64 limit = 1000,
                                        LineFramer::Ends ends = LineFramer::Ends::Lf)
    {
        LineFramer framer(limit, ends);
        QList<LineFramer::Line> lines;
        const auto drain = [&] {
            do {
                while (auto line = framer.next())
                    lines += *line;
            } while (framer.isBusy());
        };
        for (qsizetype at = 0; at < stream.size(); at += step) {
            framer.append(QByteArrayView(stream).sliced(at, qMin(step, stream.size() - at)));
            drain();
        }
        if (auto rest = framer.takeRest())
            lines += *rest;
        return lines;
    }
    static QString shown(const QList<LineFramer::Line> &lines)
    {
        QString text;
        for (const LineFramer::Line &line : lines) {
            text += QStringLiteral("[%1|%2|%3%4]")
                        .arg(QString::fromLatin1(line.bytes))
                        .arg(line.length)
                        .arg(line.terminator)
                        .arg(line.isCut ? QLatin1String("|cut") : QLatin1String());
        }
        return text;
    }

private Q_SLOTS:
    void linesComeOutAlikeHoweverTheyArrive_data()
    {
        QTest::addColumn<QByteArray>("stream");
        QTest::addColumn<bool>("anyEnd");
        QTest::addColumn<QString>("expected");
        QTest::newRow("lf") << QByteArray("a\nbc\n") << false << "[a|1|1][bc|2|1]";
        QTest::newRow("crlf") << QByteArray("a\r\nbc\r\n") << false << "[a|1|2][bc|2|2]";
        QTest::newRow("empty lines") << QByteArray("\n\r\na\n") << false << "[|0|1][|0|2][a|1|1]";
        QTest::newRow("unfinished") << QByteArray("a\nbc") << false << "[a|1|1][bc|2|0]";
        QTest::newRow("unfinished cr") << QByteArray("a\nbc\r") << false << "[a|1|1][bc\r|3|0]";
        QTest::newRow("inner cr") << QByteArray("a\rb\n") << false << "[a\rb|3|1]";
        QTest::newRow("any: all three") << QByteArray("a\rb\nc\r\nd") << true << "[a|1|1][b|1|1][c|1|2][d|1|0]";
        QTest::newRow("any: blank") << QByteArray("\r\r\n\n") << true << "[|0|1][|0|2][|0|1]";
    }
    void linesComeOutAlikeHoweverTheyArrive()
    {
        QFETCH(QByteArray, stream);
        QFETCH(bool, anyEnd);
        QFETCH(QString, expected);
        for (qsizetype step = 1; step <= stream.size(); ++step) {
            QString got = shown(feed(stream, step, 1000, anyEnd ? LineFramer::Ends::Any : LineFramer::Ends::Lf));
            // A CR LF that arrives in two pieces counts as a CR: the line was whole without the LF.
            if (anyEnd)
                got.replace(QLatin1String("|2]"), QLatin1String("|1]"));
            QString wanted = expected;
            if (anyEnd)
                wanted.replace(QLatin1String("|2]"), QLatin1String("|1]"));
            QCOMPARE(got, wanted);
        }
    }

    void theLimitIsExact_data()
    {
        QTest::addColumn<QByteArray>("end");
        QTest::addColumn<bool>("anyEnd");
        QTest::newRow("lf") << QByteArray("\n") << false;
        QTest::newRow("crlf") << QByteArray("\r\n") << false;
        QTest::newRow("any lf") << QByteArray("\n") << true;
        QTest::newRow("any crlf") << QByteArray("\r\n") << true;
        QTest::newRow("any cr") << QByteArray("\r") << true;
    }
    void theLimitIsExact()
    {
        QFETCH(QByteArray, end);
        QFETCH(bool, anyEnd);
        const LineFramer::Ends ends = anyEnd ? LineFramer::Ends::Any : LineFramer::Ends::Lf;
        for (const qsizetype size : {9, 10, 11, 40}) {
            const QByteArray line = QByteArray("0123456789").repeated(4).left(size);
            const QByteArray digest = QCryptographicHash::hash(line, QCryptographicHash::Sha256).toHex();
            const QByteArray stream = "ok" + end + line + end + "ok" + end;
            for (qsizetype step = 1; step <= stream.size(); ++step) {
                const QList<LineFramer::Line> lines = feed(stream, step, 10, ends);
                QCOMPARE(lines.size(), 3);
                QCOMPARE(lines.at(1).isCut, size > 10);
                QCOMPARE(lines.at(1).length, size);
                QCOMPARE(lines.at(1).bytes, line.left(10));
                QCOMPARE(lines.at(1).sha256, size > 10 ? digest : QByteArray());
                QCOMPARE(lines.at(2).bytes, QByteArray("ok"));
            }
        }
    }

    void aLineThatIsTooLongAndNeverEndsIsReportedAtTheEnd()
    {
        const QByteArray stream = "ok\n" + QByteArray(30, 'x') + '\r';
        for (qsizetype step = 1; step <= stream.size(); ++step) {
            const QList<LineFramer::Line> lines = feed(stream, step, 10);
            QCOMPARE(lines.size(), 2);
            QVERIFY(lines.at(1).isCut);
            QCOMPARE(lines.at(1).terminator, 0);
            QCOMPARE(lines.at(1).length, 31);
            QCOMPARE(lines.at(1).sha256,
                     QCryptographicHash::hash(QByteArray(30, 'x') + '\r', QCryptographicHash::Sha256).toHex());
        }
    }

    void bigLinesAreWhole()
    {
        const QByteArray big(300'000, 'b');
        const QList<LineFramer::Line> lines = feed("small\n" + big + "\r\nafter\n" + big + "\n", 65'536, 1'000'000);
        QCOMPARE(lines.size(), 4);
        QCOMPARE(lines.at(1).bytes, big);
        QCOMPARE(lines.at(1).terminator, 2);
        QCOMPARE(lines.at(2).bytes, QByteArray("after"));
        QCOMPARE(lines.at(3).bytes, big);
    }

    // Skipping digests megabytes; a single call must not do it all.
    void skippingGoesInSteps()
    {
        LineFramer framer(1'000'000);
        framer.append(QByteArray(1'500'000, 'x') + "\nok\n");
        int calls = 0;
        std::optional<LineFramer::Line> line;
        while (!(line = framer.next()) && framer.isBusy())
            ++calls;
        QVERIFY(line);
        QVERIFY(line->isCut);
        QVERIFY2(calls >= 4, "the whole backlog was digested in one go");
        QCOMPARE(framer.next()->bytes, QByteArray("ok"));
    }
};

SONDE_TEST(LineFramerTest)
#include "tst_lineframer.moc"
