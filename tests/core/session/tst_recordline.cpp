// One line of the file, and the small tools that it is made with.
// SPDX-License-Identifier: Apache-2.0
#include "core/json/document.h"
#include "core/json/stringcodec.h"
#include "core/session/crc32.h"
#include "core/session/linestore.h"
#include "core/session/recordline.h"
#include "tests/support/sessionscript.h"
#include "tests/support/testregistry.h"

#include <QDir>
#include <QTest>
#include <limits>

using namespace sonde;
using namespace sonde::test;

class RecordLineTest : public QObject {
    Q_OBJECT

    static void comesBack(const QByteArray &bytes)
    {
        RecordLine record;
        record.number = 1;
        record.hasPayload = true;
        record.payload = bytes;
        QByteArray line;
        const bool isText = appendRecordLine(line, record, {});
        QCOMPARE(isText, QString::fromUtf8(bytes).toUtf8() == bytes);
        RecordLine back;
        QByteArray again;
        QCOMPARE(readRecordLine(QByteArrayView(line).chopped(1), &back, again), LineState::Good);
        QCOMPARE(again, bytes);
        if (isText)
            QCOMPARE(json::parse(line)[u"raw"].string().toUtf8(), bytes);
    }

private Q_SLOTS:
    void checksums()
    {
        QCOMPARE(crc32(""), 0U);
        QCOMPARE(crc32("123456789"), 0xCBF43926U);
        QCOMPARE(crc32("The quick brown fox jumps over the lazy dog"), 0x414FA339U);
        const QByteArray text(1000, 'z');
        for (qsizetype i = 0; i <= 40; ++i)  // in two parts of every length
            QCOMPARE(crc32(QByteArrayView(text).sliced(i), crc32(QByteArrayView(text).first(i))), crc32(text));
    }

    // However many bytes are taken at once.
    void checksumsBitByBit()
    {
        QByteArray text;
        for (quint32 i = 0; i < 400; ++i)
            text.append(char(i * i + 7 * i));
        quint32 crc = 0xFFFFFFFF;
        for (qsizetype length = 0; length < text.size(); ++length) {
            QCOMPARE(crc32(QByteArrayView(text).first(length)), ~crc);
            crc ^= quint8(text.at(length));
            for (int bit = 0; bit < 8; ++bit)
                crc = (crc >> 1) ^ ((crc & 1) ? 0xEDB88320U : 0U);
        }
    }

    void knownLine()
    {
        RecordLine record;
        record.number = 7;
        record.timeNs = 1;
        record.wallUs = 2;
        record.connection = 3;
        record.direction = Direction::FromServer;
        record.kind = WireEvent::Kind::Message;
        record.facts = R"({"stream":1})";
        record.about = 6;
        record.hasPayload = true;
        record.wireLength = 9;
        record.terminator = 1;
        record.payload = "{\"a\":\n1}\xC3\xA9";
        QByteArray line;
        appendRecordLine(line, record, {{1, 2, "secret", false}, {4, 5, "query", true}});
        const QByteArray expected =
            R"({"n":7,"t":1,"w":2,"c":3,"d":"<","k":"msg","m":{"stream":1},"re":6,"len":9,"nl":1,)"
            "\"raw\":\"{\\\"a\\\":\\n1}"
            "\xC3\xA9"
            R"(","red":[[1,2,"secret"],[4,5,"query","m"]],"crc":")";
        QCOMPARE(line.left(line.size() - 11), expected);
        QVERIFY(line.endsWith("\"}\n"));
        RecordLine back;
        QByteArray bytes;
        QCOMPARE(readRecordLine(QByteArrayView(line).chopped(1), &back, bytes), LineState::Good);
        QCOMPARE(readRecordLine(QByteArrayView(line).chopped(1), &back), LineState::Good);
        QCOMPARE(bytes, record.payload.toByteArray());
        QCOMPARE(back.facts, record.facts);
        QCOMPARE(back.number, 7U);
        QCOMPARE(back.about, 6U);
        QCOMPARE(back.terminator, 1);
    }

    void linesOfOthers_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<int>("state");
        const int good = int(LineState::Good);
        const int damaged = int(LineState::Damaged);
        QTest::addRow("spaces") << QByteArray(R"({ "n" : 1, "d" : "<", "k" : "junk", "raw" : "x\u00e9/\/" )") << good;
        QTest::addRow("order") << QByteArray(R"({"raw":"x\u00c3\u00A9","k":"junk","d":"<","n":1)") << good;
        QTest::addRow("no number") << QByteArray(R"({"d":"<","k":"junk","raw":"x")") << damaged;
        QTest::addRow("large number") << QByteArray(R"({"n":4294967296,"d":"<","k":"junk","raw":"x")") << damaged;
        QTest::addRow("negative") << QByteArray(R"({"n":-1,"d":"<","k":"junk","raw":"x")") << damaged;
        QTest::addRow("no object") << QByteArray(R"([1)") << damaged;
        QTest::addRow("base64") << QByteArray(R"({"n":1,"d":"<","k":"junk","b64":"eHg=")") << good;
        QTest::addRow("bad base64") << QByteArray(R"({"n":1,"d":"<","k":"junk","b64":"e*")") << damaged;
        QTest::addRow("our order, then more")
            << QByteArray(R"({"n":1,"t":2,"w":3,"c":1,"d":"<","k":"junk","len":2,"nl":0,"raw":"xy","z":"")") << good;
        QTest::addRow("unknown") << QByteArray(R"({"n":1,"d":"<","k":"dream")") << int(LineState::Unknown);
        QTest::addRow("direction") << QByteArray(R"({"n":1,"d":"?","k":"junk")") << int(LineState::Unknown);
        QTest::addRow("surrogates") << QByteArray(R"({"n":1,"d":"<","k":"junk","raw":"\ud83d\ude00")") << good;
    }

    void linesOfOthers()
    {
        QFETCH(QByteArray, line);
        QFETCH(int, state);
        appendChecksum(line, 0);
        RecordLine record;
        QByteArray bytes;
        QCOMPARE(int(readRecordLine(line, &record, bytes)), state);
        QCOMPARE(int(readRecordLine(line, &record)), state);
        if (state != int(LineState::Good))
            return;
        QCOMPARE(record.kind, WireEvent::Kind::Junk);
        QCOMPARE(record.wireLength, bytes.size());
    }

    // Whatever a line claims can be reckoned with.
    void extremeNumbers()
    {
        const QByteArray least = "-9223372036854775808";
        const QByteArray most = "9223372036854775807";
        const QByteArray own = R"({"n":1,"t":%,"w":%,"c":1,"d":"<","k":"junk","len":%,"nl":0,"raw":"x")";
        const QByteArray foreign = R"({"k":"junk","n":1,"t":%,"w":%,"c":1,"d":"<","len":%,"raw":"x")";
        const auto read = [](QByteArray line, const QByteArray &number) {
            line.replace('%', number);
            appendChecksum(line, 0);
            RecordLine record;
            QByteArray bytes;
            const bool good = readRecordLine(line, &record, bytes) == LineState::Good;
            return good ? record : RecordLine();
        };
        for (const QByteArray &pattern : {own, foreign}) {
            const RecordLine low = read(pattern, least);
            const RecordLine high = read(pattern, most);
            QCOMPARE(low.number, 1U);
            QCOMPARE(low.timeNs, 0);
            QCOMPARE(low.wireLength, 0);
            QCOMPARE(high.number, 1U);
            constexpr qint64 room = std::numeric_limits<qint64>::max() / 32;
            QVERIFY(high.timeNs > 0 && high.timeNs < room);
            QVERIFY(high.wireLength > 0 && high.wireLength < room);
            QVERIFY(low.wallUs > -room && high.wallUs < room);
        }
        const RecordLine usual = read(own, "1795225845409000");
        QCOMPARE(usual.wallUs, 1795225845409000);
        QCOMPARE(usual.timeNs, 1795225845409000);
    }

    // However long a message may be, its line stays one that can be read.
    void whatEscapingMakesMuchLonger_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<bool>("isText");
        QTest::addRow("control characters") << QByteArray(100'000, '\x01') << false;
        QTest::addRow("half of them") << QByteArray("a\x01").repeated(50'000) << false;
        QTest::addRow("at the end") << QByteArray(40'000, 'a') + QByteArray(60'000, '\x02') << false;
        QTest::addRow("quotes") << QByteArray(100'000, '"') << true;
        QTest::addRow("some of them") << QByteArray("abcdefg\x01").repeated(20'000) << true;
        QTest::addRow("colours in a short line") << QByteArray("\x1b[0m\x1b[1m\x1b[K").repeated(50) << true;
    }

    void whatEscapingMakesMuchLonger()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(bool, isText);
        RecordLine record;
        record.number = 1;
        record.kind = WireEvent::Kind::Junk;
        record.hasPayload = true;
        record.wireLength = bytes.size();
        record.payload = bytes;
        QByteArray line;
        QCOMPARE(appendRecordLine(line, record, {}), isText);
        QVERIFY(line.size() <= 2 * bytes.size() + 5000);
        RecordLine back;
        QByteArray again;
        QCOMPARE(readRecordLine(QByteArrayView(line).chopped(1), &back, again), LineState::Good);
        QCOMPARE(again, bytes);
        QCOMPARE(back.needsDecoding, !isText);
    }

    void realTexts()
    {
        const QDir suite(QStringLiteral(SONDE_SOURCE_DIR "/../shared/suites/JSONTestSuite/test_parsing"));
        const QStringList files = suite.entryList(QDir::Files);
        if (files.isEmpty())
            QSKIP("JSONTestSuite is not here");
        int inBase64 = 0;
        for (const QString &file : files) {
            const QByteArray bytes = readFile(suite.filePath(file));
            RecordLine record;
            record.number = 1;
            record.hasPayload = true;
            record.payload = bytes;
            QByteArray line;
            appendRecordLine(line, record, {});
            QCOMPARE(line.count('\n'), 1);
            QVERIFY(json::Document::parse(line).isValid());
            RecordLine back;
            QByteArray again;
            QCOMPARE(readRecordLine(QByteArrayView(line).chopped(1), &back, again), LineState::Good);
            QCOMPARE(again, bytes);
            inBase64 += back.isBase64 ? 1 : 0;
        }
        QVERIFY(inBase64 > 0 && inBase64 < files.size() / 4);
    }

    // Wherever in a block of bytes, however near to the end, and at the seam of two pieces of a long text.
    void everyPlace()
    {
        const QList<QByteArray> specials = {"\"",       "\\",  "\n", "\x01", "\x7F", "\xC3\xA9", "\xF0\x9F\x98\x80",
                                            "\"\\\t\"", "\xC3"};
        for (const QByteArray &special : specials) {
            for (qsizetype length = 0; length < 70; ++length) {
                for (qsizetype place = 0; place <= length; ++place)
                    comesBack(QByteArray(length, 'x').insert(place, special));
            }
            for (qsizetype length = 4080; length < 4100; ++length)
                comesBack(QByteArray(length, 'x') + special + QByteArray(9000, 'y') + special);
        }
    }

    void utf8()
    {
        const auto isValid = [](QByteArrayView bytes) {
            return json::utf8Length(bytes.data(), bytes.data() + bytes.size()) == bytes.size();
        };
        for (const char *good : {"a", "\x7F", "\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xEE\x80\x80",
                                 "\xEF\xBF\xBF", "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF"})
            QVERIFY(isValid(good));
        for (const char *bad : {"\x80", "\xC0\x80", "\xC1\xBF", "\xC2", "\xC2\x41", "\xE0\x9F\xBF", "\xED\xA0\x80",
                                "\xE2\x82", "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF"})
            QVERIFY(!isValid(bad));
    }

    void linesInMemory()
    {
        LineStore store;
        QList<std::pair<qint64, QByteArray>> lines;
        for (int i = 0; i < 3000; ++i) {
            const QByteArray line(i % 17 == 0 ? 900'000 : i, char('a' + i % 26));
            QByteArray whole = line;
            lines.append({i % 50 == 0 ? store.adopt(std::move(whole)) : store.append(line), line});
            if (lines.size() > 40)
                lines.removeFirst();
            for (const auto &[position, text] : std::as_const(lines)) {
                if (i % 500 == 0)
                    QCOMPARE(store.read(position, text.size()), QByteArrayView(text));
            }
        }
    }
};

SONDE_TEST(RecordLineTest)

#include "tst_recordline.moc"
