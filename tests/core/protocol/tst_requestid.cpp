// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/requestid.h"
#include "tests/support/testregistry.h"

#include <QHash>
#include <QTest>

using namespace sonde;
using namespace Qt::StringLiterals;

class RequestIdTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void matches_data();
    void matches();
    void recognisesKinds_data();
    void recognisesKinds();
    void writesWhatItRead();
    void isAKey();
};

void RequestIdTest::matches_data()
{
    QTest::addColumn<QByteArray>("left");
    QTest::addColumn<QByteArray>("right");
    QTest::addColumn<bool>("same");
    QTest::newRow("numbers") << "1"_ba
                             << "1"_ba << true;
    QTest::newRow("other number") << "1"_ba
                                  << "2"_ba << false;
    QTest::newRow("number and string") << "1"_ba
                                       << "\"1\""_ba << false;
    QTest::newRow("strings") << "\"a\""_ba
                             << "\"a\""_ba << true;
    QTest::newRow("escapes") << "\"\\u0061\""_ba
                             << "\"a\""_ba << true;
    QTest::newRow("case") << "\"A\""_ba
                          << "\"a\""_ba << false;
    QTest::newRow("minus zero") << "-0"_ba
                                << "0"_ba << true;
    QTest::newRow("beyond doubles") << "9007199254740993"_ba
                                    << "9007199254740992"_ba << false;
    QTest::newRow("beyond 64 bits") << "18446744073709551617"_ba
                                    << "18446744073709551617"_ba << true;
    QTest::newRow("beyond 64 bits, other") << "18446744073709551617"_ba
                                           << "1"_ba << false;
    QTest::newRow("an integer with a point") << "1.0"_ba
                                             << "1"_ba << true;
    QTest::newRow("an integer with an exponent") << "1e3"_ba
                                                 << "1000"_ba << true;
    QTest::newRow("fractions never match") << "1.5"_ba
                                           << "1.5"_ba << false;
    QTest::newRow("null never matches") << "null"_ba
                                        << "null"_ba << false;
    QTest::newRow("objects never match") << "{}"_ba
                                         << "{}"_ba << false;
    QTest::newRow("other lone surrogates") << "\"\\ud800\""_ba
                                           << "\"\\ud801\""_ba << false;
    QTest::newRow("the same lone surrogate") << "\"\\ud800\""_ba
                                             << "\"\\uD800\""_ba << true;
    QTest::newRow("empty strings") << "\"\""_ba
                                   << "\"\""_ba << true;
}

void RequestIdTest::matches()
{
    QFETCH(QByteArray, left);
    QFETCH(QByteArray, right);
    QFETCH(bool, same);
    const RequestId a = RequestId::fromValue(json::parse(left));
    const RequestId b = RequestId::fromValue(json::parse(right));
    QCOMPARE(a == b, same);
    QCOMPARE(b == a, same);
    if (same)
        QCOMPARE(qHash(a), qHash(b));
}

void RequestIdTest::recognisesKinds_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("kind");
    QTest::newRow("integer") << "-12"_ba << int(RequestId::Kind::Integer);
    QTest::newRow("string") << "\"\""_ba << int(RequestId::Kind::String);
    QTest::newRow("integer with a point") << "1.0"_ba << int(RequestId::Kind::Integer);
    for (const char *text : {"null", "1.5", "1e400", "01", "true", "{}", "[1]"})
        QTest::newRow(text) << QByteArray(text) << int(RequestId::Kind::Other);
    QTest::newRow("none") << ""_ba << int(RequestId::Kind::None);
}

void RequestIdTest::recognisesKinds()
{
    QFETCH(QByteArray, text);
    QFETCH(int, kind);
    const RequestId id = RequestId::fromValue(json::parse(text));
    QCOMPARE(int(id.kind()), kind);
    QCOMPARE(id.toJson(), text);
    QCOMPARE(id.isMatchable(), kind == int(RequestId::Kind::Integer) || kind == int(RequestId::Kind::String));
}

void RequestIdTest::writesWhatItRead()
{
    QCOMPARE(RequestId(-5).toJson(), "-5");
    QCOMPARE(RequestId(u"a\"b"_s).toJson(), R"("a\"b")");
    QCOMPARE(RequestId(u"1"_s).toString(), u"\"1\""_s);
    QCOMPARE(RequestId(1).toString(), u"1"_s);
    QVERIFY(RequestId().isNone());
    QVERIFY(RequestId().toJson().isEmpty());
    QVERIFY(!(RequestId() == RequestId()));
    QCOMPARE(RequestId::fromValue(json::parse("\"a\"")), RequestId(u"a"_s));
    QCOMPARE(RequestId::fromValue(json::parse("7")), RequestId(7));
}

void RequestIdTest::isAKey()
{
    QHash<RequestId, int> pending;
    pending.insert(RequestId(1), 1);
    pending.insert(RequestId(u"1"_s), 2);
    QCOMPARE(pending.size(), 2);
    QCOMPARE(pending.value(RequestId::fromValue(json::parse("1"))), 1);
    QCOMPARE(pending.value(RequestId::fromValue(json::parse("\"\\u0031\""))), 2);
    QCOMPARE(pending.value(RequestId::fromValue(json::parse("1.0"))), 1);
    QVERIFY(!pending.contains(RequestId::fromValue(json::parse("1.5"))));
}

SONDE_TEST(RequestIdTest)
#include "tst_requestid.moc"
