// Schemas that are made to take long: what they cost is bounded, and paid once.
// SPDX-License-Identifier: Apache-2.0
#include "core/schema/ecmaregex.h"
#include "core/schema/patterns.h"
#include "core/schema/schema.h"
#include "tests/support/testregistry.h"

#include <QElapsedTimer>
#include <QTest>

using namespace sonde;
using namespace Qt::StringLiterals;
using schema::Budget;
using schema::Issue;
using schema::Patterns;
using schema::Schema;

namespace {

// The faults took minutes, or had no end.
constexpr qint64 HangGuardMs = 20'000;

Schema limitedTo(qint64 steps, const QByteArray &text)
{
    Schema::Options options;
    options.limits.maxSteps = steps;
    return Schema(json::parse(text), options);
}

QByteArray numberedStrings(int count)
{
    QByteArray list;
    for (int i = 0; i < count; ++i)
        list += (i > 0 ? ",\"value-" : "\"value-") + QByteArray::number(i) + '"';
    return list;
}

}  // namespace

class TestBudget : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void spentOnce()
    {
        Budget budget(3);
        QVERIFY(budget.spend(3));
        QVERIFY(!budget.isSpent());
        QVERIFY(!budget.spend());
        QVERIFY(budget.isSpent());
        QVERIFY(!budget.spend(0));
        QCOMPARE(budget.left(), 0);
    }

    void s19_evilPatternIsTriedOnce_data()
    {
        QTest::addColumn<QString>("pattern");
        QTest::newRow("nested") << u"^(a+)+$"_s;
        QTest::newRow("from anywhere") << u"(a+)+b"_s;
        QTest::newRow("polynomial") << u"a*a*a*a*a*b"_s;
        QTest::newRow("alternatives") << u"^(a|aa)+$"_s;
        for (const char *pattern :
             {"^(a*)*$", "^(a+)*$", "^((a+)+)+$", "^(a|a)*$", "^(a|a?)+$", "^(.*)*b$", "^(\\w+)+$", "^([a-z]+)*$",
              "^(a+){2,}$", "(.*a){20}b", "^(?:a+)+$", "^(a?){50}a{50}b$", "(a*)*b", "^(\\w|a)+$", "^(a|[a-b])+$",
              "^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+$"})
            QTest::newRow(pattern) << QString::fromLatin1(pattern);
    }
    void s19_evilPatternIsTriedOnce()
    {
        QFETCH(const QString, pattern);
        QElapsedTimer clock;
        clock.start();
        Patterns patterns;
        // From every place in the text where a match could begin, too.
        const QString text = QString(5'000, u'a') + u'!';
        Patterns::Attempt attempt = patterns.match(pattern, text, true);
        QVERIFY(!attempt.hit);
        QVERIFY(attempt.wasLong);
        for (int key = 0; key < 100; ++key) {
            attempt = patterns.match(pattern, text + QString::number(key), true);
            QVERIFY(!attempt.hit);
            QVERIFY(!attempt.wasLong);
        }
        QVERIFY(clock.elapsed() < HangGuardMs);
        // What can be told quickly is still told.
        QVERIFY(patterns.match(pattern, u"aaab"_s, true).hit.has_value());
    }

    void patternsMeanWhatTheyMeant_data()
    {
        QTest::addColumn<QString>("pattern");
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("hit");
        const auto row = [](const QString &pattern, const QString &text, bool hit) {
            QTest::newRow(qPrintable(pattern + u' ' + QString(text).replace(u'\n', u' '))) << pattern << text << hit;
        };
        row(u"b"_s, u"a\nb"_s, true);
        row(u"^b"_s, u"a\nb"_s, false);
        row(u"a|^b"_s, u"xa"_s, true);
        row(u"a|^b"_s, u"xb"_s, false);
        row(u"^a|b"_s, u"xb"_s, true);
        row(u"b$"_s, u"ab"_s, true);
        row(u"(.)\\1"_s, u"abccd"_s, true);
        row(u"(?<!x)y"_s, u"xyy"_s, true);
        row(u"(?<!x)y"_s, u"xy"_s, false);
        row(u""_s, u"x"_s, true);
    }
    void patternsMeanWhatTheyMeant()
    {
        QFETCH(const QString, pattern);
        QFETCH(const QString, text);
        const schema::EcmaRegex regex(pattern);
        QCOMPARE(regex.error(), QString());
        QTEST(regex.matches(text, schema::EcmaRegex::Effort::Brief).value(), "hit");
    }

    void halfAPairOfBracketsIsAnError() { QVERIFY(!schema::EcmaRegex(u"a)(b"_s).error().isEmpty()); }

    void manyEvilPatterns()
    {
        QByteArray properties;
        QByteArray members;
        for (int i = 0; i < 50; ++i) {
            const QByteArray number = QByteArray::number(i);
            properties += (i > 0 ? ",\"p" : "\"p") + number + "\":{\"pattern\":\"^(a+)+[x" + number + "]$\"}";
            members += (i > 0 ? ",\"p" : "\"p") + number + "\":\"" + QByteArray(60, 'a') + "!\"";
        }
        const Schema schema(json::parse("{\"properties\":{" + properties + "}}"));
        const json::Value value = json::parse('{' + members + '}');
        // Each round is what a key costs.
        for (int key = 0; key < 3; ++key) {
            const QList<Issue> issues = schema.validate(value);
            QCOMPARE(issues.size(), 50);
            for (const Issue &issue : issues)
                QVERIFY(issue.notChecked);
        }
    }

    // Looked up instead of compared with each.
    void largeEnum()
    {
        const QByteArray list = numberedStrings(100'000);
        const Schema schema = limitedTo(2'000, "{\"items\":{\"enum\":[" + list + ",1.0,{\"a\":[1,2]}]}}");
        QVERIFY(!schema.isTooLarge());
        QVERIFY(schema.isValid(json::parse("[\"value-0\",\"value-99999\",\"\\u0076alue-5\",1,{\"a\":[1.0,2]}]")));
        const QList<Issue> issues = schema.validate(json::parse("[\"value-100000\",2,{\"a\":[2,1]}]"));
        QCOMPARE(issues.size(), 3);
        for (const Issue &issue : issues)
            QVERIFY(!issue.notChecked);
    }

    void largePropertiesOfManyObjects()
    {
        QByteArray properties;
        for (int i = 0; i < 20'000; ++i)
            properties += (i > 0 ? ",\"p" : "\"p") + QByteArray::number(i) + "\":{\"type\":\"integer\"}";
        const Schema schema(json::parse("{\"items\":{\"properties\":{" + properties + "}}}"));
        const QByteArray object = R"({"p19999":1,"q":"x"})";
        QElapsedTimer clock;
        clock.start();
        QVERIFY(schema.isValid(json::parse('[' + (object + ',').repeated(9'999) + object + ']')));
        QVERIFY(clock.elapsed() < HangGuardMs);
    }

    // The place of an issue is known, instead of looked for among all elements before it.
    void manyFailuresThatNobodyHearsOf()
    {
        const Schema schema(json::parse(R"({"contains":{"type":"string"}})"));
        QElapsedTimer clock;
        clock.start();
        const QList<Issue> issues = schema.validate(json::parse('[' + QByteArray("1,").repeated(20'000) + "1]"));
        QCOMPARE(issues.size(), 1);
        QVERIFY(!issues.first().notChecked);
        QVERIFY(clock.elapsed() < HangGuardMs);
    }

    void manyRequired()
    {
        const QByteArray names = numberedStrings(15'000);
        QByteArray members;
        for (int i = 0; i < 15'000; ++i)
            members += (i > 0 ? ",\"value-" : "\"value-") + QByteArray::number(i) + "\":0";
        const Schema schema(json::parse("{\"required\":[" + names + "]}"));
        QVERIFY(schema.isValid(json::parse('{' + members + '}')));
    }

    void tooLargeToBeRead()
    {
        const Schema schema(json::parse("{\"properties\":{" + numberedMembers(300'000) + "}}"));
        QVERIFY(schema.isTooLarge());
        const QList<Issue> issues = schema.validate(json::parse("{}"));
        QCOMPARE(issues.size(), 1);
        QVERIFY(issues.first().notChecked);
    }

    void givenUpOnce()
    {
        const Schema schema = limitedTo(1'000, R"({"items":{"allOf":[{"minimum":0},{"maximum":5}]}})");
        const auto list = [](int size) { return json::parse('[' + QByteArray("1,").repeated(size - 1) + "1]"); };
        QVERIFY(schema.isValid(list(10)));
        QList<Issue> issues = schema.validate(list(1'000));
        QVERIFY(issues.last().notChecked);
        QVERIFY(!issues.last().instance.isRoot());  // where it ended
        issues = schema.validate(list(900));
        QCOMPARE(issues.size(), 1);
        QVERIFY(issues.first().notChecked);
        QVERIFY(issues.first().instance.isRoot());  // not begun again
        QVERIFY(schema.isValid(list(10)));
    }

    // A branch that was valid before the end says nothing about what was not looked at any more.
    void anEndIsNeverSilent()
    {
        const QByteArray text = R"({"properties":{"a":{"anyOf":[{"type":"integer"},{"items":{"type":"null"}}]},
            "b":{"items":{"type":"integer"}}},"unevaluatedProperties":false})";
        const json::Value value = json::parse("{\"a\":1,\"b\":[" + QByteArray("1,").repeated(500) + "\"x\"]}");
        for (int steps = 1; steps < 4'000; steps += 7)
            QVERIFY2(!limitedTo(steps, text).validate(value).isEmpty(), qPrintable(QString::number(steps)));
    }

    void oneBudgetForManyParts()
    {
        const Schema schema(json::parse(R"({"anyOf":[{"type":"integer"},{"type":"string"}]})"));
        const json::Value branches = schema.root()[u"anyOf"];
        Budget budget(100);
        QVERIFY(!schema.admits(branches.at(0), json::parse("\"x\""), &budget));
        QVERIFY(schema.admits(branches.at(1), json::parse("\"x\""), &budget));
        for (int i = 0; i < 100; ++i)
            schema.admits(branches.at(1), json::parse("\"x\""), &budget);
        QVERIFY(budget.isSpent());
        QVERIFY(!schema.admits(branches.at(1), json::parse("\"x\""), &budget));
    }

private:
    static QByteArray numberedMembers(int count)
    {
        QByteArray members;
        for (int i = 0; i < count; ++i)
            members += (i > 0 ? ",\"" : "\"") + QByteArray::number(i) + "\":{}";
        return members;
    }
};

SONDE_TEST(TestBudget)
#include "tst_budget.moc"
