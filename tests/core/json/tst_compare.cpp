// SPDX-License-Identifier: Apache-2.0
#include "core/json/compare.h"
#include "tests/support/testregistry.h"

#include <QTest>

using namespace sonde;
using namespace sonde::json;
using namespace Qt::StringLiterals;

class CompareTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void ordersNumbers_data();
    void ordersNumbers();
    void equatesNumbers_data();
    void equatesNumbers();
    void recognisesIntegers_data();
    void recognisesIntegers();
    void divides_data();
    void divides();
    void equatesValues_data();
    void equatesValues();
    void equatesDeepValues();
};

// Each is less than the next.
void CompareTest::ordersNumbers_data()
{
    QTest::addColumn<QByteArray>("left");
    QTest::addColumn<QByteArray>("right");
    static const QByteArrayList ascending = {"-1e99999999999999999999",
                                             "-1e400",
                                             "-18446744073709551616",
                                             "-18446744073709551615.5",
                                             "-2",
                                             "-1.5",
                                             "-1e-400",
                                             "-1e-99999999999999999999",
                                             "0",
                                             "1e-99999999999999999999",
                                             "1e-400",
                                             "0.1",
                                             "0.10000000000000000000000000001",
                                             "1",
                                             "9.99",
                                             "10",
                                             "9007199254740992",
                                             "9007199254740993",
                                             "18446744073709551615",
                                             "18446744073709551616",
                                             "1e400",
                                             "1.0000001e400",
                                             "1e999999999999",
                                             "1e99999999999999999999"};
    for (qsizetype i = 0; i < ascending.size(); ++i) {
        for (qsizetype j = i + 1; j < ascending.size(); ++j) {
            const QByteArray name = ascending[i] + " < " + ascending[j];
            QTest::newRow(name.constData()) << ascending[i] << ascending[j];
        }
    }
}

void CompareTest::ordersNumbers()
{
    QFETCH(QByteArray, left);
    QFETCH(QByteArray, right);
    QCOMPARE(compareNumbers(left, right), -1);
    QCOMPARE(compareNumbers(right, left), 1);
    QCOMPARE(compareNumbers(left, left), 0);
}

void CompareTest::equatesNumbers_data()
{
    QTest::addColumn<QByteArray>("left");
    QTest::addColumn<QByteArray>("right");
    QTest::newRow("point") << "1"_ba
                           << "1.0"_ba;
    QTest::newRow("exponent") << "1"_ba
                              << "1e0"_ba;
    QTest::newRow("sign of zero") << "0"_ba
                                  << "-0.00e5"_ba;
    QTest::newRow("hundred") << "100"_ba
                             << "1E+2"_ba;
    QTest::newRow("shifted") << "0.00012e6"_ba
                             << "120"_ba;
    QTest::newRow("zeros within") << "100200300"_ba
                                  << "1002003e2"_ba;
    QTest::newRow("huge") << "10e399"_ba
                          << "1e400"_ba;
    QTest::newRow("both beyond counting") << "1e99999999999999999999"_ba
                                          << "2e99999999999999999999"_ba;
}

void CompareTest::equatesNumbers()
{
    QFETCH(QByteArray, left);
    QFETCH(QByteArray, right);
    QCOMPARE(compareNumbers(left, right), 0);
    QCOMPARE(compareNumbers(right, left), 0);
    QVERIFY(equal(json::parse(left), json::parse(right)));
}

void CompareTest::recognisesIntegers_data()
{
    QTest::addColumn<QByteArray>("number");
    QTest::addColumn<bool>("expected");
    QTest::newRow("0") << "0"_ba << true;
    QTest::newRow("0.0") << "0.0"_ba << true;
    QTest::newRow("0e-9") << "0e-9"_ba << true;
    QTest::newRow("1.0") << "1.0"_ba << true;
    QTest::newRow("1.5e1") << "1.5e1"_ba << true;
    QTest::newRow("1e400") << "1e400"_ba << true;
    QTest::newRow("1200e-2") << "1200e-2"_ba << true;
    QTest::newRow("1.5") << "1.5"_ba << false;
    QTest::newRow("15e-1") << "15e-1"_ba << false;
    QTest::newRow("1e-99999999999999999999") << "1e-99999999999999999999"_ba << false;
}

void CompareTest::recognisesIntegers()
{
    QFETCH(QByteArray, number);
    QFETCH(bool, expected);
    QCOMPARE(isInteger(number), expected);
}

void CompareTest::divides_data()
{
    QTest::addColumn<QByteArray>("number");
    QTest::addColumn<QByteArray>("divisor");
    QTest::addColumn<std::optional<bool>>("expected");
    using Response = std::optional<bool>;
    QTest::newRow("4 by 2") << "4"_ba
                            << "2"_ba << Response(true);
    QTest::newRow("5 by 2") << "5"_ba
                            << "2"_ba << Response(false);
    QTest::newRow("-4 by 2") << "-4"_ba
                             << "2"_ba << Response(true);
    QTest::newRow("0 by anything") << "0"_ba
                                   << "0.3"_ba << Response(true);
    QTest::newRow("0.3 by 0.1, which doubles get wrong") << "0.3"_ba
                                                         << "0.1"_ba << Response(true);
    QTest::newRow("19.99 by 0.01") << "19.99"_ba
                                   << "0.01"_ba << Response(true);
    QTest::newRow("0.0075 by 0.0001") << "0.0075"_ba
                                      << "0.0001"_ba << Response(true);
    QTest::newRow("0.00751 by 0.0001") << "0.00751"_ba
                                       << "0.0001"_ba << Response(false);
    QTest::newRow("12391239123 by 1e-8") << "12391239123"_ba
                                         << "1e-8"_ba << Response(true);
    QTest::newRow("1e308 by 0.123456789") << "1e308"_ba
                                          << "0.123456789"_ba << Response(false);
    QTest::newRow("1e308 by 0.5") << "1e308"_ba
                                  << "0.5"_ba << Response(true);
    QTest::newRow("7 to a great power") << "7e1000000000000"_ba
                                        << "7"_ba << Response(true);
    QTest::newRow("by 3") << "1e1000000000000"_ba
                          << "3"_ba << Response(false);
    QTest::newRow("by 10") << "25"_ba
                           << "10"_ba << Response(false);
    QTest::newRow("a long number") << "123456789012345678901234567890"_ba
                                   << "9"_ba << Response(true);
    QTest::newRow("19 digits") << "18446744073709551614"_ba
                               << "9223372036854775807"_ba << Response(true);
    QTest::newRow("by zero") << "1"_ba
                             << "0"_ba << Response();
    QTest::newRow("too many digits") << "1"_ba
                                     << "12345678901234567890123"_ba << Response();
    QTest::newRow("beyond counting") << "1e99999999999999999999"_ba
                                     << "3"_ba << Response();
}

void CompareTest::divides()
{
    QFETCH(QByteArray, number);
    QFETCH(QByteArray, divisor);
    QFETCH(std::optional<bool>, expected);
    QCOMPARE(isMultipleOf(number, divisor), expected);
}

void CompareTest::equatesValues_data()
{
    QTest::addColumn<QByteArray>("left");
    QTest::addColumn<QByteArray>("right");
    QTest::addColumn<bool>("expected");
    QTest::newRow("order of members") << R"({"a":1,"b":[2]})"_ba
                                      << R"({ "b": [2.0], "a": 1 })"_ba << true;
    QTest::newRow("order of elements") << "[1,2]"_ba
                                       << "[2,1]"_ba << false;
    QTest::newRow("escapes") << R"("\u0041")"_ba
                             << R"("A")"_ba << true;
    QTest::newRow("escaped keys") << R"({"\u0041":1})"_ba
                                  << R"({"A":1})"_ba << true;
    QTest::newRow("string and number") << R"("1")"_ba
                                       << "1"_ba << false;
    QTest::newRow("null and false") << "null"_ba
                                    << "false"_ba << false;
    QTest::newRow("true and false") << "true"_ba
                                    << "false"_ba << false;
    QTest::newRow("empty containers") << "[]"_ba
                                      << "{}"_ba << false;
    QTest::newRow("white space") << "[ ]"_ba
                                 << "[]"_ba << true;
    QTest::newRow("more elements") << "[1]"_ba
                                   << "[1,1]"_ba << false;
    QTest::newRow("more members") << R"({"a":1})"_ba
                                  << R"({"a":1,"b":2})"_ba << false;
    QTest::newRow("other members") << R"({"a":1,"b":2})"_ba
                                   << R"({"a":1,"c":2})"_ba << false;
    QTest::newRow("last duplicate") << R"({"a":1,"a":2})"_ba
                                    << R"({"a":2})"_ba << true;
    QTest::newRow("first duplicate") << R"({"a":1,"a":2})"_ba
                                     << R"({"a":1})"_ba << false;
    QTest::newRow("deep difference") << R"([[[{"a":[1]}]]])"_ba
                                     << R"([[[{"a":[2]}]]])"_ba << false;
}

void CompareTest::equatesValues()
{
    QFETCH(QByteArray, left);
    QFETCH(QByteArray, right);
    QFETCH(bool, expected);
    QCOMPARE(equal(json::parse(left), json::parse(right)), expected);
    QCOMPARE(equal(json::parse(right), json::parse(left)), expected);
    QVERIFY(!expected || hash(json::parse(left)) == hash(json::parse(right)));
}

void CompareTest::equatesDeepValues()
{
    Limits limits;
    limits.maxDepth = 100'000;
    const auto nested = [&limits](const QByteArray &inside) {
        return Document::parse(QByteArray(99'999, '[') + inside + QByteArray(99'999, ']'), limits).root();
    };
    QVERIFY(equal(nested("1"), nested("1.0")));
    QVERIFY(!equal(nested("1"), nested("2")));
    QVERIFY(equal(Value(), Value()));
    QVERIFY(!equal(Value(), json::parse("null")));
}

SONDE_TEST(CompareTest)
#include "tst_compare.moc"
