// What a filter is offered to go on with.
// SPDX-License-Identifier: Apache-2.0
#include "core/filter/filter.h"
#include "core/filter/filtercompletion.h"
#include "tests/support/sessionscript.h"
#include "tests/support/testregistry.h"

#include <QTest>

using namespace sonde;
using namespace sonde::test;
using namespace Qt::StringLiterals;

class FilterCompletionTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        playLittle(m_session);
        m_session.append(sent(R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"get sum",)"
                              R"("arguments":{"limit":10,"a/b":"x y"}}})"),
                         1);
        m_session.flush();
    }

    // The cursor is where | stands; what the candidate replaces is put in its place.
    void candidates_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QStringList>("first");  // the first ones; empty: none at all
        QTest::addColumn<QString>("taken");      // the text when the first candidate is taken
        const auto add = [](const char *text, const QStringList &first, const char *taken) {
            QTest::addRow("%s", text) << QString::fromLatin1(text) << first << QString::fromLatin1(taken);
        };
        add("|", {u"not"_s, u"method"_s, u"tool"_s}, "not");
        add("me|", {u"method"_s}, "method");
        add("ME|", {u"method"_s}, "method");
        add("method|", {}, "");
        add("method |", {u"=="_s, u"!="_s, u"~"_s}, "method ==");
        add("ms |", {u"=="_s, u"!="_s, u"<"_s}, "ms ==");
        add("outcome |", {u"=="_s, u"!="_s, u"~"_s}, "outcome ==");
        add("outcome ==|", {u"ok"_s, u"input-required"_s, u"tool-error"_s}, "outcome ==ok");
        add("outcome == |", {u"ok"_s, u"input-required"_s, u"tool-error"_s}, "outcome == ok");
        add("outcome == to|", {u"tool-error"_s}, "outcome == tool-error");
        add("outcome == to| and x", {u"tool-error"_s}, "outcome == tool-error and x");
        add("tool == |", {u"\"get sum\""_s, u"echo"_s}, "tool == \"get sum\"");
        add("tool == ge|", {u"\"get sum\""_s}, "tool == \"get sum\"");
        add("tool == \"ge|", {u"\"get sum\""_s}, "tool == \"get sum\"");
        add("method == tools/|", {u"tools/call"_s}, "method == tools/call");
        add("tool == echo |", {u"and"_s, u"or"_s, u"not"_s}, "tool == echo and");
        add("tool == echo a|", {u"and"_s}, "tool == echo and");
        add("(tool == echo or ou|", {u"outcome"_s}, "(tool == echo or outcome");
        add("not pro|", {u"prompt"_s}, "not prompt");
        add("finding == |", {u"true"_s, u"false"_s}, "finding == true");
        add("outcome == no|", {u"no-response"_s, u"not-supported"_s, u"none"_s}, "outcome == no-response");
        add("revision == |", {u"2025-11-25"_s}, "revision == 2025-11-25");
        add("/|", {u"/jsonrpc"_s, u"/id"_s, u"/method"_s, u"/params"_s}, "/jsonrpc");
        add("/params/a|", {u"/params/arguments"_s}, "/params/arguments");
        add("/params/arguments/|", {u"/params/arguments/limit"_s, u"/params/arguments/a~1b"_s},
            "/params/arguments/limit");
        add("/params/arguments/limit == |", {u"10"_s}, "/params/arguments/limit == 10");
        add("/params/arguments/a~1b == |", {u"\"x y\""_s}, "/params/arguments/a~1b == \"x y\"");
        add("nothing == |", {}, "");
        add("ms > |", {}, "");
        add("xyz|", {}, "");
    }

    void candidates()
    {
        QFETCH(QString, text);
        QFETCH(QStringList, first);
        const qsizetype cursor = text.indexOf(u'|');
        text.remove(cursor, 1);
        const FilterCompletion completion = completeFilter(text, cursor, &m_session);
        QCOMPARE(completion.candidates.mid(0, first.isEmpty() ? -1 : first.size()), first);
        if (!first.isEmpty())
            QTEST(text.replace(completion.offset, completion.length, completion.candidates.first()), "taken");
    }

    void nowhere()
    {
        QVERIFY(completeFilter(u"tool == "_s, 8, nullptr).candidates.isEmpty());
        QVERIFY(completeFilter(u"/"_s, 1, nullptr).candidates.isEmpty());
        QVERIFY(!completeFilter(u""_s, 0, nullptr).candidates.isEmpty());
        QVERIFY(!completeFilter(u"m"_s, 100, nullptr).candidates.isEmpty());
        QVERIFY(!completeFilter(u"a"_s, -1, nullptr).candidates.isEmpty());
    }

private:
    Session m_session;
};

SONDE_TEST(FilterCompletionTest)
#include "tst_filtercompletion.moc"
