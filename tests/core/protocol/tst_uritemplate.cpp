// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/uritemplate.h"
#include "tests/support/testregistry.h"

#include <QFile>
#include <QTest>

using namespace sonde;
using namespace Qt::StringLiterals;

using Values = QMap<QString, UriTemplate::Value>;

Q_DECLARE_METATYPE(Values)

static QString scalar(const json::Value &value)
{
    return value.isNumber() ? QString::fromLatin1(value.numberText()) : value.string();
}

static Values readValues(const json::Value &variables)
{
    Values values;
    for (const json::Value &variable : variables) {
        if (variable.isNull())
            continue;
        if (variable.isArray()) {
            QStringList list;
            for (const json::Value &item : variable)
                list.append(scalar(item));
            values.insert(variable.key(), list);
        } else if (variable.isObject()) {
            QList<std::pair<QString, QString>> pairs;
            for (const json::Value &item : variable)
                pairs.append({item.key(), scalar(item)});
            values.insert(variable.key(), pairs);
        } else {
            values.insert(variable.key(), scalar(variable));
        }
    }
    return values;
}

class TestUriTemplate : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void suite_data();
    void suite();
    void suiteIsWhole();
    void variablesInOrder();
    void parseErrors_data();
    void parseErrors();
    void prefixCountsCodePoints();
    void literalsAreEncoded();
    void hostileInputIsLinear();

private:
    static QStringList files();
    int m_cases = 0;
};

QStringList TestUriTemplate::files()
{
    return {u"spec-examples.json"_s, u"spec-examples-by-section.json"_s, u"extended-tests.json"_s,
            u"negative-tests.json"_s};
}

void TestUriTemplate::suite_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<Values>("values");
    QTest::addColumn<QStringList>("allowed");  // empty: must be an error
    const QString folder = QStringLiteral(SONDE_SOURCE_DIR "/../shared/suites/uritemplate-test/");
    for (const QString &name : files()) {
        QFile file(folder + name);
        if (!file.open(QIODevice::ReadOnly))
            continue;
        const json::Value root = json::parse(file.readAll());
        for (const json::Value &group : root) {
            const Values values = readValues(group[u"variables"]);
            for (const json::Value &test : group[u"testcases"]) {
                const json::Value expected = test.at(1);
                QStringList allowed;
                if (expected.isString())
                    allowed.append(expected.string());
                for (const json::Value &alternative : expected)
                    allowed.append(alternative.string());
                QTest::addRow("%s %s #%d %s", qPrintable(name), qPrintable(group.key()), ++m_cases,
                              qPrintable(test.at(0).string()))
                    << test.at(0).string() << values << allowed;
            }
        }
    }
}

void TestUriTemplate::suite()
{
    if (m_cases == 0)
        QSKIP("../shared/suites/uritemplate-test is not there");
    QFETCH(QString, text);
    QFETCH(Values, values);
    QFETCH(QStringList, allowed);
    const Result<UriTemplate> parsed = UriTemplate::parse(text);
    const Result<QString> expanded = parsed ? parsed->expand(values) : Result<QString>(parsed.error());
    if (allowed.isEmpty()) {
        QVERIFY2(!expanded, qPrintable(expanded ? *expanded : QString()));
        QVERIFY(expanded.error().kind == Error::Kind::Local);
        QVERIFY(!expanded.error().message.isEmpty());
    } else {
        QVERIFY2(expanded.ok(), qPrintable(expanded ? QString() : expanded.error().message));
        QVERIFY2(allowed.contains(*expanded), qPrintable(*expanded + u" is none of "_s + allowed.join(u" | ")));
    }
}

void TestUriTemplate::suiteIsWhole()
{
    if (m_cases == 0)
        QSKIP("../shared/suites/uritemplate-test is not there");
    QCOMPARE(m_cases, 270);
}

void TestUriTemplate::variablesInOrder()
{
    const Result<UriTemplate> parsed = UriTemplate::parse(u"db://{table}/{id}{?limit,table,page*,q:3}"_s);
    QVERIFY(parsed.ok());
    QCOMPARE(parsed->variables(), QStringList({u"table"_s, u"id"_s, u"limit"_s, u"page"_s, u"q"_s}));
}

void TestUriTemplate::parseErrors_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("position");  // characters counted from 1
    QTest::newRow("stray brace") << u"a}b"_s << 2;
    QTest::newRow("not closed") << u"a{b"_s << 4;
    QTest::newRow("empty expression") << u"a{}"_s << 3;
    QTest::newRow("operator only") << u"{?}"_s << 3;
    QTest::newRow("reserved operator") << u"{|x}"_s << 2;
    QTest::newRow("two modifiers") << u"{x:2*}"_s << 5;
    QTest::newRow("prefix too long") << u"{x:12345}"_s << 4;
    QTest::newRow("nested") << u"{a{b}}"_s << 3;
    QTest::newRow("broken triplet") << u"{%4}"_s << 2;
}

void TestUriTemplate::parseErrors()
{
    QFETCH(QString, text);
    QFETCH(int, position);
    const Result<UriTemplate> parsed = UriTemplate::parse(text);
    QVERIFY(!parsed);
    QVERIFY2(parsed.error().message.contains(u"character %1:"_s.arg(position)), qPrintable(parsed.error().message));
}

void TestUriTemplate::prefixCountsCodePoints()
{
    const Result<UriTemplate> parsed = UriTemplate::parse(u"{x:2}"_s);
    QVERIFY(parsed.ok());
    const Result<QString> expanded = parsed->expand({{u"x"_s, u"a😀b"_s}});
    QVERIFY(expanded.ok());
    QCOMPARE(*expanded, u"a%F0%9F%98%80"_s);
    QVERIFY(!parsed->expand({{u"x"_s, QStringList{u"a"_s}}}));
}

void TestUriTemplate::literalsAreEncoded()
{
    const Result<UriTemplate> parsed = UriTemplate::parse(u"x y/%41%zz/é?{q}"_s);
    QVERIFY(parsed.ok());
    const Result<QString> expanded = parsed->expand({});
    QVERIFY(expanded.ok());
    QCOMPARE(*expanded, u"x%20y/%41%25zz/%C3%A9?"_s);
}

// One pass over the text whatever it is: these sizes would take minutes with anything that backtracks.
void TestUriTemplate::hostileInputIsLinear()
{
    const qsizetype size = 400'000;
    QVERIFY(!UriTemplate::parse(QString(size, u'{')));
    QVERIFY(!UriTemplate::parse(QChar(u'{') + QString(size, u',')));
    QVERIFY(!UriTemplate::parse(QChar(u'{') + QString(size, u'a')));
    const QString many = u"{a,b*}"_s.repeated(size / 8);
    const Result<UriTemplate> parsed = UriTemplate::parse(many);
    QVERIFY(parsed.ok());
    QCOMPARE(parsed->variables().size(), 2);
    const Result<QString> expanded = parsed->expand({{u"a"_s, u"%"_s}, {u"b"_s, QStringList{u"1"_s, u"2"_s}}});
    QVERIFY(expanded.ok());
    QCOMPARE(expanded->size(), size / 8 * 7);
}

SONDE_TEST(TestUriTemplate)
#include "tst_uritemplate.moc"
