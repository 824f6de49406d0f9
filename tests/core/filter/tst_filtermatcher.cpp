// Which rows a filter lets through, whoever wrote the file.
// SPDX-License-Identifier: Apache-2.0
#include "core/filter/filtermatcher.h"
#include "tests/support/handmadesession.h"
#include "tests/support/sessionscript.h"
#include "tests/support/testregistry.h"

#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QTest>

using namespace sonde;
using namespace sonde::test;
using namespace Qt::StringLiterals;

using RowNumbers = QList<qsizetype>;

class FilterMatcherTest : public QObject {
    Q_OBJECT

private:
    static RowNumbers rowsOf(const Session &session, const QString &text)
    {
        const Filter::Parsed parsed = Filter::parse(text);
        if (parsed.problem)
            return {-1};
        FilterMatcher matcher(parsed.filter, &session);
        RowNumbers rows;
        for (qsizetype row = 0; row < session.size(); ++row) {
            if (matcher.matches(row))
                rows.append(row);
        }
        return rows;
    }

    // Backwards and with a matcher for each row: no response may hang on what was asked before.
    static RowNumbers rowsOneByOne(const Session &session, const QString &text)
    {
        RowNumbers rows;
        for (qsizetype row = session.size() - 1; row >= 0; --row) {
            if (FilterMatcher(Filter::parse(text).filter, &session).matches(row))
                rows.prepend(row);
        }
        return rows;
    }

    static void write(HandmadeSession &file)
    {
        using Kind = WireEvent::Kind;
        const qint64 ms = 1000'000;
        file.add(Kind::Open, Direction::Local, {}, R"({"transport":"stdio","argv":["node","server.js"]})");
        file.at(10 * ms).sent(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{}})");
        file.at(20 * ms).received(R"({"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25"}})");
        file.at(30 * ms).add(Kind::Stderr, Direction::FromServer,
                             "Gr\xC3\xB6\xC3\x9F"
                             "e ready \xE2\x9C\x93");
        file.at(1000 * ms).sent(
            R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"limit":10,)"
            R"("a/b":[true,null,{"~":"x"}],"big":12345678901234567890123}}})");
        file.at(1031 * ms + 200000).received(R"({"jsonrpc":"2.0","id":1,"result":{"content":[],"isError":true}})");
        file.at(2000 * ms).sent(
            R"({"jsonrpc":"2.0","id":"1","method":"tools/call","params":{"name":"get sum","arguments":)"
            R"({"\u006cimit":"10","n":1e1}}})");
        // Escaped quotes and two slashes within a raw string are more than moc can read.
        file.at(2500 * ms).received(
            "{\"jsonrpc\":\"2.0\",\"id\":\"1\",\"error\":{\"code\":-32602,\"message\":\"No \\\"sum\\\".\"}}");
        file.at(3000 * ms).received(
            R"({"jsonrpc":"2.0","method":"notifications/message","params":{"data":"a\nnew C:\\temp"}})");
        file.at(4000 * ms).sent(R"({"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"file:x y"}})");
        file.at(4100 * ms).add(Kind::HttpResponse, Direction::FromServer, "line one\nline two\t\x1b[0m",
                               "{\"stream\":1,\"status\":500,\"reason\":\"Oops \\\"really\\\"\"}");
        file.add(Kind::Note, Direction::Local, {}, R"({"text":"A remark."})");
        file.at(5000 * ms).add(Kind::Junk, Direction::FromServer, QByteArray("\xFF raw \x00 bytes", 13));
        file.at(6000 * ms).over(2).sent(
            R"({"jsonrpc":"2.0","id":3,"method":"prompts/get","params":{"name":"hello","_meta":)"
            R"({"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}})");
        file.at(6000 * ms).received(R"({"jsonrpc":"2.0","id":3,"result":{"messages":[]}})");
        file.at(7000 * ms).received(R"({"jsonrpc":"2.0","id":77,"result":{}})");
        file.at(8000 * ms).sent(R"([{"jsonrpc":"2.0","method":"batched","":7}])");
    }

    std::unique_ptr<Session> reopen(const QByteArray &text)
    {
        const QString path = m_dir.filePath(QString::number(++m_files));
        writeFile(path, text);
        Result<std::unique_ptr<Session>> session = Session::open(path);
        return session ? std::move(session).value() : nullptr;
    }

private Q_SLOTS:
    void initTestCase()
    {
        HandmadeSession file;
        write(file);
        m_own = reopen(file.text());
        m_foreign = reopen(file.foreignText());
        QVERIFY(m_own && m_foreign);
        QCOMPARE(m_own->size(), 17);
        QCOMPARE(m_own->damage().size(), 0);
        QCOMPARE(m_foreign->size(), 17);
        QCOMPARE(m_foreign->damage().size(), 0);
        for (qsizetype row = 0; row < m_own->size(); ++row) {
            QCOMPARE(m_own->at(row).needsDecoding, row == 12);
            QCOMPARE(m_foreign->bytes(row), m_own->bytes(row));
        }
        QVERIFY(m_foreign->at(4).needsDecoding);
    }

    void rows_data()
    {
        QTest::addColumn<RowNumbers>("rows");
        const auto add = [](const char *text, const RowNumbers &rows) { QTest::addRow("%s", text) << rows; };
        const RowNumbers all{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
        add("", all);
        add("\"\"", all);
        // Words.
        add("isERROR", {5});
        add("gr\xC3\xB6\xC3\x9F"
            "e",
            {3});
        add("server.js", {0});
        add("search", {4, 5});  // the response by its request's name
        add("\"get sum\"", {6, 7});
        add("get sum", {6, 7});
        add("sum get", {6, 7});
        add("get not code", {6, 13, 14});  // "prompts/get"
        add("crc", {});                    // what is only in the file's line
        add("raw", {12});
        add("temp", {8});
        add("'C:\\\\temp'", {});  // the bytes hold two backslashes
        add("'C:\\\\\\\\temp'", {8});
        add("'\\nnew'", {8});
        add("nnew", {8});  // behind the message's own backslash
        add("'one\nline'", {10});
        add("nline", {});  // behind the line's own backslash
        add("'two\t'", {10});
        add("ttwo", {});
        add("001b", {});
        add("'\x1b[0'", {10});
        add("'No \\\\\"sum'", {7});
        add("'really\\\\\"'", {10});  // facts, as they stand
        add("' bytes'", {12});
        add("remark", {11});
        // Names.
        add("method == tools/call", {4, 5, 6, 7});
        add("method != tools/call", {1, 2, 8, 9, 13, 14});
        add("not method == tools/call", {0, 1, 2, 3, 8, 9, 10, 11, 12, 13, 14, 15, 16});
        add("method ~ ^(tools|prompts)/", {4, 5, 6, 7, 13, 14});
        add("method ~ (?i)^TOOLS/", {4, 5, 6, 7});
        add("method == none and kind == msg", {15, 16});
        add("tool == search", {4, 5});
        add("tool == \"get sum\"", {6, 7});
        add("tool != none", {4, 5, 6, 7});
        add("tool < h", {6, 7});
        add("prompt == hello", {13, 14});
        add("uri ~ \"x y$\"", {9});
        add("server == \"demo server\" and id == 0", {1, 2});
        // Ids are numbers or text.
        add("id == 1", {4, 5});
        add("id == \"1\"", {6, 7});
        add("id == 1.0", {4, 5});
        add("id > 2", {13, 14, 15});
        add("id != none", {1, 2, 4, 5, 6, 7, 9, 13, 14, 15});
        // Choices.
        add("dir == local", {0, 11});
        add("dir == out", {1, 4, 6, 9, 13, 16});
        add("dir != in and dir != out", {0, 11});
        add("kind == request", {1, 4, 6, 9, 13});
        add("kind == msg and kind != request and kind != result", {7, 8, 16});
        add("kind == stderr or kind == junk", {3, 12});
        add("kind ~ ^http", {10});
        add("outcome == ok", {1, 2, 13, 14, 15});
        add("outcome ~ error", {4, 5, 6, 7});
        add("outcome == tool-error", {4, 5});
        add("outcome == no-response", {9});
        add("outcome == no-answer", {9});  // its name in 0.1.0
        add("outcome == none and kind == msg", {8, 16});
        // Numbers.
        add("ms == 31.2", {4, 5});
        add("ms == 31.2000000000000000000000001", {});
        add("ms > 31.19999999999999999999", {4, 5, 6, 7});
        add("ms >= 31.2 and ms < 500", {4, 5});
        add("ms <= 0.312e2 and ms > 10", {4, 5});
        add("ms == 0", {13, 14});
        add("ms > -1e999", {1, 2, 4, 5, 6, 7, 13, 14});
        add("ms < 1e99999999999999999999", {1, 2, 4, 5, 6, 7, 13, 14});
        add("ms == none and kind == request", {9});
        add("size == 13", {12});
        add("size < 1", {0, 11});
        add("status >= 500", {10});
        add("status != none", {10});
        add("status != 200", {10});
        // Revisions.
        add("revision == 2025-11-25", {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
        add("revision >= 2026", {13, 14});
        add("revision == none", {0, 1, 15, 16});
        // Problems.
        add("finding == true", {11, 12, 15});
        add("problem == true", {11, 12, 15});  // its name in 0.1.0
        add("finding == false and kind == note", {});
        add("finding ~ remark", {11});
        add("finding != none", {11, 12, 15});
        // Times.
        add("time < 0.02", {0, 1});
        add("time >= 6", {13, 14, 15, 16});
        add("time > 2026-01-31T12:00:06Z", {15, 16});
        add("time == 2026-01-31T12:00:06Z", {13, 14});
        add("time > 2026-02-02", {});
        // Places.
        add("/params/arguments/limit == 10", {4});
        add("/params/arguments/limit == 10.0", {4});
        add("/params/arguments/limit == \"10\"", {6});  // its key is written with an escape
        add("/params/arguments/limit > 9", {4});
        add("/params/arguments/limit != none", {4, 6});
        add("/params/arguments/n == 10", {6});
        add("/params/arguments/big == 12345678901234567890123", {4});
        add("/params/arguments/big > 12345678901234567890122", {4});
        add("/params/arguments/big > 12345678901234567890123", {});
        add("/params/arguments/a~1b/0 == true", {4});
        add("/params/arguments/a~1b/0 != true", {});
        add("/params/arguments/a~1b/1 == null", {4});
        add("\"/params/arguments/a~1b/2/~0\" == x", {4});
        add("/params/arguments/a~1b/2/~0 == x", {4});
        add("/error/code == -32602", {7});
        add("/error/message ~ \"^No .sum\"", {7});
        add("/error != none", {7});
        add("/result == none and kind == result", {});
        add("/result/content ~ \"^\\[\\]$\"", {5});
        add("/0/method == batched", {16});
        add("/0/ == 7", {16});  // a name may be empty
        add("/ == 7", {});
        add("\"\" != none", {1, 2, 4, 5, 6, 7, 8, 9, 13, 14, 15, 16});
        add("\"\" == none and not kind == stderr", {0, 10, 11, 12});
        add("'' ~ '^\\[\\{'", {16});
        add("\"\" ~ \"12345678901234567890123\\D\"", {4});
        // Together.
        add("(tool == search or kind == stderr) and not ms > 1000", {3, 4, 5});
        add("tool == search and ms > 500 and outcome != ok", {});
        add("not (not (search))", {4, 5});
    }

    void rows()
    {
        QFETCH(RowNumbers, rows);
        const QString text = QString::fromUtf8(QTest::currentDataTag());
        QCOMPARE(rowsOf(*m_own, text), rows);
        QCOMPARE(rowsOf(*m_foreign, text), rows);
        QCOMPARE(rowsOneByOne(*m_own, text), rows);
    }

    void timeOfDayIsLocal()
    {
        const QDateTime created = HandmadeSession::createdAt().toLocalTime();
        const QString early = created.addSecs(5).toString(u"H:mm:ss"_s);
        QCOMPARE(rowsOf(*m_own, u"time > %1"_s.arg(early)), (RowNumbers{13, 14, 15, 16}));
    }

    // Whatever stands in the bytes is found, in memory, in a live file and reopened; whatever does not is not.
    void wordsAreWordsOfTheBytes()
    {
        Session memory;
        playEverything(memory, true);
        const std::unique_ptr<Session> live = Session::create(m_dir.filePath(u"live"_s), u"demo"_s);
        playEverything(*live, true);
        const auto reopened = Session::open(live->path());
        QVERIFY(reopened);
        QRandomGenerator random(3);
        int hits = 0;
        for (const Session *session : {static_cast<const Session *>(&memory), static_cast<const Session *>(live.get()),
                                       static_cast<const Session *>(reopened->get())}) {
            for (int round = 0; round < 400; ++round) {
                const QByteArray source = session->bytes(random.bounded(int(session->size())));
                if (source.isEmpty() || !QString::fromUtf8(source).toUtf8().contains(source))
                    continue;
                const QString all = QString::fromUtf8(source);
                QString word = all.mid(random.bounded(int(all.size())), 1 + random.bounded(4));
                if (word.front().isLowSurrogate() || word.back().isHighSurrogate() || word.contains(QChar(0xFFFD)))
                    continue;
                if (round % 4 == 0)
                    word += QChar(u'n');
                QString quoted = word;
                quoted.replace(u'\\', u"\\\\"_s).replace(u'"', u"\\\""_s);
                const RowNumbers found = rowsOf(*session, u"\"%1\""_s.arg(quoted));
                hits += int(found.size());
                for (qsizetype row = 0; row < session->size(); ++row) {
                    const RecordInfo &info = session->at(row);
                    const auto holds = [&](const QByteArray &text) {
                        return CaseInsensitiveMatcher(word.toUtf8()).isIn(text);
                    };
                    const bool expected = holds(session->bytes(row)) || holds(session->facts(row)) ||
                                          (info.method != 0 && holds(session->name(info.method).toUtf8())) ||
                                          (info.target != 0 && holds(session->name(info.target).toUtf8()));
                    QVERIFY2(found.contains(row) == expected, qPrintable(u"row %1: %2"_s.arg(row).arg(word)));
                }
            }
        }
        QVERIFY(hits > 3000);
    }

    // Both the expression and the text are a server's or a person's mistake; neither may stop the window.
    void costlyExpressionsEnd()
    {
        HandmadeSession file;
        file.received(R"({"jsonrpc":"2.0","method":"m","params":{"data":")" + QByteArray(50000, 'a') + R"("}})");
        const std::unique_ptr<Session> session = reopen(file.text());
        QVERIFY(session);
        QCOMPARE(rowsOf(*session, u"/params/data ~ ^(a+)+$"_s), RowNumbers{0});
        QCOMPARE(rowsOf(*session, u"/params/data ~ ^(a+)+b$"_s), RowNumbers());
        QCOMPARE(rowsOf(*session, u"/params/data ~ ^(a|a?)+b$"_s), RowNumbers());
        QCOMPARE(rowsOf(*session, u"/params/data ~ (*LIMIT_MATCH=4000000000)^(a|aa)+b$"_s), RowNumbers());
    }

    void liveRowsBecomeAnswered()
    {
        Session session;
        session.append(sent(R"({"jsonrpc":"2.0","id":1,"method":"ping"})"), 1);
        session.flush();
        FilterMatcher pending(Filter::parse(u"outcome == pending"_s).filter, &session);
        FilterMatcher timed(Filter::parse(u"ms >= 0"_s).filter, &session);
        QVERIFY(pending.matches(0));
        QVERIFY(!timed.matches(0));
        session.append(received(R"({"jsonrpc":"2.0","id":1,"result":{}})"), 1);
        session.flush();
        QVERIFY(!pending.matches(0));
        QVERIFY(timed.matches(0) && timed.matches(1));
    }

    // Lines are searched many at once: what is found belongs to one of them all the same.
    void manyLines()
    {
        HandmadeSession file;
        const QByteArray pad = QByteArray("padding ").repeated(40);
        RowNumbers rare;
        RowNumbers often;
        for (qsizetype row = 0; row < 3000; ++row) {
            const bool isRare = row % 997 == 3;
            const bool isOften = row % 3 == 1;
            QByteArray text = R"({"jsonrpc":"2.0","method":"m","params":{"a":"%"}})";
            file.received(text.replace('%', QByteArray(isOften ? "often " : "") + pad + (isRare ? "Rare" : "")));
            if (isRare)
                rare.append(row);
            if (isOften)
                often.append(row);
        }
        const std::unique_ptr<Session> session = reopen(file.text());
        QVERIFY(session);
        QCOMPARE(rowsOf(*session, u"rare"_s), rare);
        QCOMPARE(rowsOf(*session, u"often"_s), often);
        QCOMPARE(rowsOf(*session, u"nowhere"_s), RowNumbers());
        QCOMPARE(rowsOf(*session, u"rare or often"_s), rowsOneByOne(*session, u"rare or often"_s));
        QCOMPARE(rowsOf(*session, u"/params/a ~ Rare or often"_s), rowsOf(*session, u"rare or often"_s));
        RowNumbers fromTheMiddle;
        FilterMatcher matcher(Filter::parse(u"often"_s).filter, session.get());
        for (const qsizetype row : {2500, 2501, 10, 13, 12, 400, 2999, 1, 4})
            fromTheMiddle += matcher.matches(row) ? RowNumbers{row} : RowNumbers();
        QCOMPARE(fromTheMiddle, (RowNumbers{2500, 10, 13, 400, 1, 4}));
    }

    // Ids are found in the line where that is sure. A pointer reads the message, and must say the same.
    void idsHoweverWritten()
    {
        HandmadeSession file;
        for (const char *const message :
             {R"({"jsonrpc":"2.0","id":7,"method":"m"})",
              R"({"jsonrpc":"2.0","id":"7","result":{}})",
              R"({ "jsonrpc" : "2.0" , "id" : 7 , "result" : { } })",
              R"({"jsonrpc":"2.0","method":"m","id":7})",
              "{\"jsonrpc\":\"2.0\",\n\t\"id\":\t7\n,\"result\":{}}",
              "{\"jsonrpc\":\"2.0\",\"result\":{},\"id\":7\n}",
              R"({"jsonrpc":"2.0","id":7.0,"method":"m"})",
              R"({"jsonrpc":"2.0","id":70e-1,"method":"m"})",
              R"({"jsonrpc":"2.0","id":-7,"method":"m"})",
              R"({"jsonrpc":"2.0","id":77,"method":"m"})",
              R"({"jsonrpc":"2.0","id":7777777777777777777777,"method":"m"})",
              R"({"jsonrpc":"2.0","id":"\u0037","method":"m"})",
              R"({"jsonrpc":"2.0","\u0069d":7,"method":"m"})",
              R"({"jsonrpc":"2.0","id":null,"method":"m"})",
              R"({"jsonrpc":"2.0","id":7,"id":8,"method":"m"})",
              R"({"jsonrpc":"2.0","method":"m","params":{"id":7}})",
              R"({"jsonrpc":"2.0","id":8,"method":"m","params":{"id":7}})",
              R"({"jsonrpc":"2.0","method":"m","params":{"id":7},"id":8})",
              R"({"jsonrpc":"2.0","id":8,"method":"m","params":{"a":"id","b":7}})",
              "{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"m\",\"params\":{\"a\":\"say \\\"id\\\":7,\"}}",
              "{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":{\"a\\\"id\":7},\"id\":8}",
              R"({"jsonrpc":"2.0","ID":7,"method":"m","id":8})",
              R"({"jsonrpc":"2.0","id":{"id":7},"method":"m"})",
              R"({"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"m"}})",
              R"([{"jsonrpc":"2.0","id":7,"result":{}}])",
              R"({"jsonrpc":"2.0","id":7,"method":)",
              "{\"jsonrpc\":\"2.0\",\"id\":\"gr\xC3\xB6\xC3\x9F"
              "e\",\"result\":{}}"})
            file.received(message);
        const std::unique_ptr<Session> session = reopen(file.text());
        QVERIFY(session);
        for (const auto &value :
             {u"== 7"_s, u"== \"7\""_s, u"== 8"_s, u"!= 7"_s, u"> 7"_s, u"<= 7"_s, u"== -7"_s, u"== none"_s,
              u"== null"_s, u"~ 7"_s, u"== größe"_s, u"== 7777777777777777777777"_s}) {
            const RowNumbers expected = rowsOf(*session, u"/id "_s + value);
            QVERIFY2(!expected.isEmpty(), qPrintable(value));
            QCOMPARE(rowsOf(*session, u"id "_s + value), expected);
            QCOMPARE(rowsOneByOne(*session, u"id "_s + value), expected);
        }
    }

    // A text is looked for in the line first, which must not lose those that the message spells otherwise.
    void textsHoweverWritten()
    {
        HandmadeSession file;
        for (const char *const value :
             {R"("a word")", R"("\u0061 word")", R"("a\u0020word")", R"("a word ")", R"("A word")", R"(["a word"])",
              "\"a\\/word\"", R"("a/word")", R"("")", "7", "null"})
            file.received(R"({"jsonrpc":"2.0","method":"m","params":{"a":)" + QByteArray(value) + "}}");
        const std::unique_ptr<Session> session = reopen(file.text());
        QVERIFY(session);
        QCOMPARE(rowsOf(*session, u"/params/a == 'a word'"_s), (RowNumbers{0, 1, 2}));
        QCOMPARE(rowsOf(*session, u"/params/a != 'a word'"_s), (RowNumbers{3, 4, 5, 6, 7, 8, 9, 10}));
        QCOMPARE(rowsOf(*session, u"/params/a == a/word"_s), (RowNumbers{6, 7}));
        QCOMPARE(rowsOf(*session, u"/params/a == ''"_s), (RowNumbers{8}));
        QCOMPARE(rowsOf(*session, u"/params/a == 'a word' or /params/a == 'A word'"_s), (RowNumbers{0, 1, 2, 4}));
    }

    // What another program did to the file since costs its rows only.
    void shortenedFile()
    {
        HandmadeSession file;
        write(file);
        const std::unique_ptr<Session> session = reopen(file.text());
        QVERIFY(session);
        writeFile(session->path(), file.text().first(file.text().size() / 2));
        const RowNumbers found = rowsOf(*session, u"jsonrpc"_s);
        QVERIFY(found.contains(2));
        QVERIFY(!found.contains(15));
        QCOMPARE(rowsOf(*session, u"/id == 77"_s), RowNumbers());
        QCOMPARE(rowsOf(*session, u"id == 77"_s), RowNumbers());
        QCOMPARE(rowsOf(*session, u"kind == result"_s), (RowNumbers{2, 5, 14, 15}));  // known without the file
    }

private:
    QTemporaryDir m_dir;
    int m_files = 0;
    std::unique_ptr<Session> m_own;
    std::unique_ptr<Session> m_foreign;
};

SONDE_TEST(FilterMatcherTest)
#include "tst_filtermatcher.moc"
