// What is a filter, and what is said about what is none.
// SPDX-License-Identifier: Apache-2.0
#include "core/filter/filter.h"
#include "tests/support/testregistry.h"

#include <QTest>

using namespace sonde;
using namespace Qt::StringLiterals;

class FilterParserTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void good_data()
    {
        QTest::addColumn<QString>("text");
        for (const char *text : {"",
                                 "   ",
                                 "word",
                                 "several words",
                                 "\"a phrase\"",
                                 "'it is'",
                                 "don't",
                                 "tools/call",
                                 "\"\"",
                                 "tool == search",
                                 "tool==search",
                                 "tool == \"a b\"",
                                 "method ~ ^tools/(list|call)$",
                                 "(method ~ ^(a|b)(c)) and x",
                                 "not not x",
                                 "!x",
                                 "a && b || c",
                                 "A AND B OR NOT C",
                                 "((((a))))",
                                 "/params/arguments/limit > 10",
                                 "/a~1b == 1",
                                 "/m~0n ~ x",
                                 "\"/a b/c\" == none",
                                 "\"\" != none",
                                 "'' ~ x",
                                 "/ == 1",
                                 "ms > 1e3",
                                 "size >= 123456789012345678901234567890",
                                 "time > 14:05",
                                 "time <= 2026-01-31T14:05:30Z",
                                 "time < 2026-01-31",
                                 "time != 0.5",
                                 "finding == true",
                                 "problem == true",
                                 "kind != stderr",
                                 "outcome ~ error",
                                 "id == \"7\"",
                                 "uri == file:///a?x=y&z",
                                 "/a == null",
                                 "/a != true",
                                 "a (b or c) d",
                                 "/",
                                 "a!b"})
            QTest::addRow("%s", text) << QString::fromLatin1(text);
    }

    void good()
    {
        QFETCH(QString, text);
        const Filter::Parsed parsed = Filter::parse(text);
        QVERIFY2(!parsed.problem, parsed.problem ? qPrintable(parsed.problem->reason) : "");
        QCOMPARE(parsed.filter.text(), text);
        QCOMPARE(parsed.filter.matchesAll(), text.trimmed().isEmpty() || text == u"\"\""_s);
    }

    // What is wrong is marked with ^ below the text.
    void bad_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("marks");
        QTest::addColumn<QString>("words");
        const auto add = [](const char *text, const char *marks, const char *words) {
            QTest::addRow("%s", text) << QString::fromLatin1(text) << QString::fromLatin1(marks)
                                      << QString::fromLatin1(words);
        };
        add("foo == 1", "^^^", "Unknown field");
        add("ok and foo == 1", "       ^^^", "Unknown field");
        add("\"tool\" == 1", "^^^^^^", "Unknown field");
        add("tool = x", "     ^", "Use == for equality");
        add("tool ==", "       |", "Expected a value");
        add("tool == ", "        |", "Expected a value");
        add("(tool == )", "         |", "Expected a value");
        add("== x", "^^", "Expected a field");
        add("a or", "    |", "Expected a word, a comparison");
        add("a and or b", "      ^^", "Expected a word, a comparison or a parenthesis before this");
        add("not", "   |", "Expected a word, a comparison");
        add("(a", "^", "Unclosed parenthesis");
        add("a)", " ^", "Unmatched closing");
        add("()", " ^", "Expected a word, a comparison or a parenthesis before this");
        add("a \"b", "  ^^", "Unclosed quote");
        add("tool == 'b", "        ^^", "Unclosed quote");
        add("ms ~ 1", "   ^", "is not text");
        add("ms > fast", "     ^^^^", "compared with a number");
        add("ms > \"5\"", "     ^^^", "compared with a number");
        add("ms > none", "     ^^^^", "has no order");
        add("outcome > ok", "        ^", "no order");
        add("outcome == great", "           ^^^^^",
            "must be one of ok, input-required, tool-error, protocol-error, no-response, not-supported, pending");
        add("dir == up", "       ^^", "out, in, local");
        add("kind != \"mess\"", "        ^^^^^^", "request, notification");
        add("/a < null", "     ^^^^", "has no order");
        add("/a~2 == 1", "     ^^", "Expected a field");
        add("time > noon", "       ^^^^", "Not a valid time");
        add("time > 25:00", "       ^^^^^", "Not a valid time");
        add("tool ~ a(b", "       ^^^", "Not a valid regular expression");
        add("tool ~ \"[\"", "       ^^^", "Not a valid regular expression");
    }

    void bad()
    {
        QFETCH(QString, text);
        QFETCH(QString, marks);
        QFETCH(QString, words);
        const Filter::Parsed parsed = Filter::parse(text);
        QVERIFY(parsed.problem);
        QVERIFY2(parsed.problem->reason.contains(words), qPrintable(parsed.problem->reason));
        QCOMPARE(parsed.problem->offset, marks.lastIndexOf(u' ') + 1);
        QCOMPARE(parsed.problem->length, marks.count(u'^'));
        QVERIFY(parsed.filter.matchesAll());
    }

    void limits()
    {
        QVERIFY(!Filter::parse(QString(40, u'(') + u'a' + QString(40, u')')).problem);
        const Filter::Parsed deep = Filter::parse(QString(8000, u'(') + u'a' + QString(8000, u')'));
        QVERIFY(deep.problem && deep.problem->reason.contains(u"too deeply"_s));
        QVERIFY(Filter::parse(u"not "_s.repeated(4000) + u'a').problem);
        QVERIFY(!Filter::parse(u"word "_s.repeated(3000)).problem);
        const Filter::Parsed lengthy = Filter::parse(u"word "_s.repeated(5000));
        QVERIFY(lengthy.problem && lengthy.problem->reason.contains(u"too long"_s));
    }

    void knowsWhatResponsesChange()
    {
        QVERIFY(Filter::parse(u"a or not (b and ms > 3)"_s).filter.dependsOnResponses());
        QVERIFY(Filter::parse(u"outcome == pending"_s).filter.dependsOnResponses());
        QVERIFY(!Filter::parse(u"method == ping and /id == 1"_s).filter.dependsOnResponses());
        QVERIFY(!Filter().dependsOnResponses());
    }
};

SONDE_TEST(FilterParserTest)
#include "tst_filterparser.moc"
