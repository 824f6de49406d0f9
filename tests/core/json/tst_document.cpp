// SPDX-License-Identifier: Apache-2.0
#include "core/json/document.h"
#include "core/json/stringcodec.h"
#include "tests/support/testregistry.h"

#include <QTest>
#include <cmath>

using namespace sonde;
using namespace sonde::json;
using namespace Qt::StringLiterals;

class DocumentTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void keepsWhatCame();
    void readsTrees();
    void readsStrings_data();
    void readsStrings();
    void readsStringsOfAnyLength();
    void readsStringsInPieces();
    void readsNumbers_data();
    void readsNumbers();
    void findsTheLastDuplicate();
    void warnsOfDuplicates_data();
    void warnsOfDuplicates();
    void warnsOfNumbersOutOfRange_data();
    void warnsOfNumbersOutOfRange();
    void looksUpUnusualKeys();
    void namesFaults_data();
    void namesFaults();
    void showsBrokenTrees_data();
    void showsBrokenTrees();
    void limitsDepth();
    void limitsSize();
    void limitsFindings();
    void survivesMillionsOfBrackets();
    void handlesOutliveTheirOrigin();
    void responsesForMissingValues();
};

void DocumentTest::keepsWhatCame()
{
    const QByteArray text = "{ \"z\": 1.0, \"a\" : -0, \"m\":1e400,\"b\":18446744073709551615 , \"\\u0061\": 2 }";
    const Document document = Document::parse(text);
    QVERIFY(document.isValid());
    QCOMPARE(document.text(), text);
    QStringList keys;
    QByteArrayList written;
    QByteArrayList numbers;
    for (const Value &member : document.root()) {
        keys.append(member.key());
        written.append(member.keySlice().toByteArray());
        numbers.append(member.numberText());
    }
    QCOMPARE(keys, (QStringList{u"z"_s, u"a"_s, u"m"_s, u"b"_s, u"a"_s}));
    QCOMPARE(written, (QByteArrayList{"\"z\"", "\"a\"", "\"m\"", "\"b\"", "\"\\u0061\""}));
    QCOMPARE(numbers, (QByteArrayList{"1.0", "-0", "1e400", "18446744073709551615", "2"}));
}

void DocumentTest::warnsOfNumbersOutOfRange_data()
{
    QTest::addColumn<QByteArray>("number");
    QTest::addColumn<bool>("warned");
    QTest::newRow("infinite") << "1e400"_ba << true;
    QTest::newRow("2^64") << "18446744073709551616"_ba << true;
    QTest::newRow("below -2^63") << "-9223372036854775809"_ba << true;
    QTest::newRow("too small") << "1e-400"_ba << true;
    QTest::newRow("400 digits and a point") << QByteArray(400, '9') + ".5" << true;
    QTest::newRow("largest") << "18446744073709551615"_ba << false;
    QTest::newRow("smallest") << "-9223372036854775808"_ba << false;
    QTest::newRow("large double") << "1e308"_ba << false;
    QTest::newRow("zero") << "0.000000e5"_ba << false;
    QTest::newRow("many digits after the point") << "0.1234567890123456789012345"_ba << false;
}

void DocumentTest::warnsOfNumbersOutOfRange()
{
    QFETCH(QByteArray, number);
    QFETCH(bool, warned);
    const Document document = Document::parse("[1, " + number + "]");
    QVERIFY(document.isValid());
    QCOMPARE(document.findings().size(), warned ? 1 : 0);
    if (warned)
        QCOMPARE(document.findings().constFirst().offset, 4);
}

void DocumentTest::readsTrees()
{
    const Document document = Document::parse("[null, true, false, {\"k\": [ ], \"o\": {}}, [1, [2]], \"s\"]");
    QVERIFY(document.isValid());
    const Value root = document.root();
    QVERIFY(root.isArray());
    QCOMPARE(root.size(), 6);
    QVERIFY(root.at(0).isNull());
    QCOMPARE(root.at(1).toBool(), true);
    QCOMPARE(root.at(2).toBool(true), false);
    QVERIFY(root.at(3).isObject());
    QVERIFY(root.at(3)[u"k"].isArray());
    QVERIFY(root.at(3)[u"k"].isEmpty());
    QCOMPARE(root.at(3)[u"k"].bytes(), "[ ]");
    QVERIFY(root.at(3)[u"o"].isObject());
    QVERIFY(!root.at(3)[u"none"].exists());
    QCOMPARE(root.at(4).bytes(), "[1, [2]]");
    QCOMPARE(root.at(4).at(1).at(0).toInteger(), 2);
    QCOMPARE(root.at(5).string(), u"s"_s);
    QCOMPARE(root.at(5).offset(), document.text().indexOf("\"s\""));
    QVERIFY(!root.at(6).exists());
    QVERIFY(!root.at(-1).exists());
    QCOMPARE(document.nodeCount(), 12);

    const Value scalar = json::parse(" \"alone\" ");
    QCOMPARE(scalar.string(), u"alone"_s);
    QCOMPARE(scalar.offset(), 1);
}

void DocumentTest::readsStrings_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("meaning");
    QTest::newRow("empty") << "\"\""_ba << u""_s;
    QTest::newRow("escapes") << R"("\"\\\/\b\f\n\r\t")"_ba << u"\"\\/\b\f\n\r\t"_s;
    QTest::newRow("unicode") << R"("\u00e9é\u20AC€")"_ba << u"éé€€"_s;
    QTest::newRow("pair") << R"("\ud83d\ude00😀")"_ba << u"😀😀"_s;
    QTest::newRow("nul") << R"("a\u0000b")"_ba << QString(u"a\0b"_s);
    QTest::newRow("lone surrogate") << R"("x\ud800y")"_ba << QString(u"x"_s + QChar(0xD800) + u'y');
    QTest::newRow("byte order mark within") << "\"\xEF\xBB\xBFx\""_ba << QString(QChar(0xFEFF) + u"x"_s);
    QTest::newRow("mark after an escape")
        << "\"\\n\xEF\xBB\xBFx\""_ba << QString(u'\n' + QString(QChar(0xFEFF)) + u'x');
    QTest::newRow("quote at every place of a word") << R"("1234567\"1234567\\")"_ba << u"1234567\"1234567\\"_s;
    QTest::newRow("noncharacter") << "\"\xEF\xBF\xBF\""_ba << QString(QChar(0xFFFF));
    QTest::newRow("delete is not a control character to JSON") << "\"\x7F\""_ba << QString(QChar(0x7F));
}

void DocumentTest::readsStrings()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, meaning);
    const Document document = Document::parse(text);
    QVERIFY(document.isValid());
    QCOMPARE(document.root().string(), meaning);
    const Document asKey = Document::parse("{" + text + ":7}");
    QCOMPARE(asKey.root().at(0).key(), meaning);
    QCOMPARE(asKey.root()[meaning].toInteger(), 7);
}

// Strings are read several bytes at a time: what is special is found wherever it stands.
void DocumentTest::readsStringsOfAnyLength()
{
    struct Special {
        QByteArray written;
        QByteArray content;  // empty: not valid
    };
    const Special specials[] = {{"\\\"", "\""},
                                {"\\\\", "\\"},
                                {"\\u0041", "A"},
                                {"\x7F", "\x7F"},
                                {" ", " "},
                                {"!", "!"},
                                {"\xC3\xA9", "\xC3\xA9"},
                                {"\xEF\xBF\xBD", "\xEF\xBF\xBD"},
                                {"\x1F", {}},
                                {"\n", {}},
                                {"\x80", {}},
                                {"\xFF", {}}};
    for (const Special &special : specials) {
        for (int before = 0; before < 20; ++before) {
            for (int after = 0; after < 20; ++after) {
                const QByteArray head(before, 'a');
                const QByteArray tail(after, '~');
                const QByteArray content = head + special.written + tail;
                const Document document = Document::parse('"' + content + '"');
                QCOMPARE(document.isValid(), !special.content.isEmpty());
                QByteArray unescaped;
                if (special.content.isEmpty())
                    continue;
                QCOMPARE(document.root().string().toUtf8(), head + special.content + tail);
                QVERIFY(unescape(content, unescaped));
                QCOMPARE(unescaped, head + special.content + tail);
            }
        }
    }
}

// Whatever the size of the pieces: no sequence, escape or surrogate pair is divided.
void DocumentTest::readsStringsInPieces()
{
    const QByteArray strings[] = {
        R"("")",
        R"("plain")",
        R"("a\u00e9\n\"b\\")",
        R"("\ud83d\ude00 and \ud83d alone, \ude00")",
        "\"\xF0\x9F\x98\x80\xC3\xA9\xE2\x82\xAC\xEF\xBB\xBF\"",
        "\"broken \xC3 \x80\x80\x80\x80\x80 \xF0\x9F\"",
        R"("a fault \q \u12)",
        "word",
        "\"no end",
    };
    for (const QByteArray &string : strings) {
        for (qsizetype size = 1; size < 12; ++size) {
            QString text;
            for (json::StringReader reader(string); !reader.atEnd();) {
                const QString piece = reader.next(size);
                QVERIFY(!piece.isEmpty());
                QVERIFY(!piece.front().isLowSurrogate() || !text.endsWith(u'\xd83d'));
                text += piece;
            }
            QVERIFY2(text == json::decoded(string),
                     QByteArray(string + " in pieces of " + QByteArray::number(size)).constData());
        }
    }
    QCOMPARE(json::parse(R"("a\u00e9\ud83d\ude00")").utf8(), QByteArray("a\xC3\xA9\xF0\x9F\x98\x80"));
    QCOMPARE(json::parse(R"("a\ud83d b\ude00")").utf8(), QByteArray("a\xEF\xBF\xBD b\xEF\xBF\xBD"));  // not "?"
}

void DocumentTest::readsNumbers_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<double>("number");
    QTest::addColumn<std::optional<qint64>>("integer");
    using Integer = std::optional<qint64>;
    constexpr double inf = std::numeric_limits<double>::infinity();
    constexpr qint64 most = std::numeric_limits<qint64>::max();
    constexpr qint64 least = std::numeric_limits<qint64>::min();
    QTest::newRow("zero") << "0"_ba << 0.0 << Integer(0);
    QTest::newRow("minus zero") << "-0"_ba << -0.0 << Integer(0);
    QTest::newRow("with a point") << "1.0"_ba << 1.0 << Integer(1);
    QTest::newRow("with an exponent") << "1.5E+1"_ba << 15.0 << Integer(15);
    QTest::newRow("small exponent") << "1200e-2"_ba << 12.0 << Integer(12);
    QTest::newRow("half") << "-0.5"_ba << -0.5 << Integer();
    QTest::newRow("most") << "9223372036854775807"_ba << double(most) << Integer(most);
    QTest::newRow("most, otherwise") << "9223372036854775807.00"_ba << double(most) << Integer(most);
    QTest::newRow("one more") << "9223372036854775808"_ba << double(most) << Integer();
    QTest::newRow("least") << "-9223372036854775808"_ba << double(least) << Integer(least);
    QTest::newRow("least, otherwise") << "-9223372036854775808.0"_ba << double(least) << Integer(least);
    QTest::newRow("one less") << "-9223372036854775809"_ba << double(least) << Integer();
    QTest::newRow("too large") << "1e400"_ba << inf << Integer();
    QTest::newRow("too small") << "-1e400"_ba << -inf << Integer();
    QTest::newRow("tiny") << "1e-400"_ba << 0.0 << Integer();
    QTest::newRow("absurd") << "1e99999999999999999999"_ba << inf << Integer();
}

void DocumentTest::readsNumbers()
{
    QFETCH(QByteArray, text);
    QFETCH(double, number);
    QFETCH(std::optional<qint64>, integer);
    const Value value = json::parse(text);
    QVERIFY(value.document().isValid());
    QVERIFY2(value.toDouble(42) == number, QByteArray::number(value.toDouble(42)).constData());
    QCOMPARE(std::signbit(value.toDouble(42)), std::signbit(number));
    QCOMPARE(value.toInteger(), integer);
    QCOMPARE(value.numberText(), text);
}

void DocumentTest::findsTheLastDuplicate()
{
    const Value root = json::parse(R"({"a":1,"b":2,"\u0061":3,"b":{"a":9}})");
    QCOMPARE(root[u"a"].toInteger(), 3);
    QVERIFY(root[u"b"].isObject());
    QCOMPARE(root.size(), 4);
}

void DocumentTest::warnsOfDuplicates_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QList<qsizetype>>("offsets");
    using Offsets = QList<qsizetype>;
    QTest::newRow("none") << R"({"a":1,"b":{"a":1}})"_ba << Offsets{};
    QTest::newRow("one") << R"({"a":1,"b":2,"a":3})"_ba << Offsets{13};
    QTest::newRow("thrice") << R"({"a":1,"a":2,"a":3})"_ba << Offsets{7, 13};
    QTest::newRow("otherwise written") << R"({"a":1,"\u0061":2})"_ba << Offsets{7};
    QTest::newRow("inner before outer") << R"({"a":1,"a":{"b":1,"b":2}})"_ba << Offsets{7, 18};
    QTest::newRow("empty keys") << R"({"":1,"":2})"_ba << Offsets{6};

    QByteArray many = "{";
    for (int i = 0; i < 100; ++i)
        many += "\"k" + QByteArray::number(i) + "\":" + QByteArray::number(i) + ',';
    const qsizetype offset = many.size();
    QTest::newRow("among many") << many + "\"k50\":0}" << Offsets{offset};
    QTest::newRow("among many, otherwise written") << many + "\"\\u006b50\":0}" << Offsets{offset};
    QTest::newRow("many, all different") << many + "\"k\":0}" << Offsets{};

    const QByteArray longKey = '"' + QByteArray(70'000, 'k') + '"';
    QTest::newRow("long keys") << "{" + longKey + ":1," + longKey + ":2}" << Offsets{longKey.size() + 4};
    QTest::newRow("long keys that differ at the end")
        << "{" + longKey + ":1," + longKey.chopped(2) + "x\":2}" << Offsets{};
}

void DocumentTest::warnsOfDuplicates()
{
    QFETCH(QByteArray, text);
    QFETCH(QList<qsizetype>, offsets);
    const Document document = Document::parse(text);
    QVERIFY(document.isValid());
    QList<qsizetype> found;
    for (const Finding &finding : document.findings()) {
        QCOMPARE(finding.severity, Finding::Severity::Warning);
        QVERIFY(finding.reason.contains(u"Duplicate key"));
        found.append(finding.offset);
    }
    QCOMPARE(found, offsets);
}

void DocumentTest::looksUpUnusualKeys()
{
    const QByteArray longKey(70'000, 'k');
    const Value root = json::parse("{\"?\":1,\"\\ud800\":2,\"\xC3\xA9\":3,\"" + longKey + "\":4,\"\":5}");
    QCOMPARE(root[u"?"].toInteger(), 1);
    QCOMPARE(root[QString(QChar(0xD800))].toInteger(), 2);
    QVERIFY(!root[QString(QChar(0xD801))].exists());
    QCOMPARE(root[u"é"].toInteger(), 3);
    QCOMPARE(root[QString::fromLatin1(longKey)].toInteger(), 4);
    QCOMPARE(root.at(3).key().size(), longKey.size());
    QCOMPARE(root[u""].toInteger(), 5);
}

void DocumentTest::namesFaults_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qsizetype>("offset");
    QTest::addColumn<QString>("part");
    QTest::newRow("nothing") << ""_ba << qsizetype(0) << u"empty"_s;
    QTest::newRow("white space") << "  \n"_ba << qsizetype(3) << u"empty"_s;
    QTest::newRow("byte order mark") << "\xEF\xBB\xBF{}"_ba << qsizetype(0) << u"byte order mark"_s;
    QTest::newRow("only a mark") << "\xEF\xBB\xBF"_ba << qsizetype(0) << u"byte order mark"_s;
    QTest::newRow("second value") << "{} {}"_ba << qsizetype(3) << u"Unexpected text"_s;
    QTest::newRow("trailing comma") << "[1,]"_ba << qsizetype(3) << u"Expected a value"_s;
    QTest::newRow("trailing comma in an object") << "{\"a\":1,}"_ba << qsizetype(7) << u"Expected a property"_s;
    QTest::newRow("missing comma") << "[1 2]"_ba << qsizetype(3) << u"',' or ']'"_s;
    QTest::newRow("missing colon") << "{\"a\" 1}"_ba << qsizetype(5) << u"':'"_s;
    QTest::newRow("missing value") << "{\"a\":}"_ba << qsizetype(5) << u"Expected a value"_s;
    QTest::newRow("key without quotes") << "{a:1}"_ba << qsizetype(1) << u"'a'"_s;
    QTest::newRow("wrong bracket") << "[1}"_ba << qsizetype(2) << u"Expected ']' instead of '}'"_s;
    QTest::newRow("open array") << "[1"_ba << qsizetype(2) << u"expected ']'"_s;
    QTest::newRow("open string") << "\"abc"_ba << qsizetype(4) << u"Unterminated string"_s;
    QTest::newRow("leading zero") << "01"_ba << qsizetype(0) << u"number"_s;
    QTest::newRow("python") << "[True]"_ba << qsizetype(1) << u"'T'"_s;
    QTest::newRow("bad escape") << "\"\\x\""_ba << qsizetype(1) << u"escape"_s;
    QTest::newRow("short escape") << "\"\\u12\""_ba << qsizetype(1) << u"four hexadecimal"_s;
    QTest::newRow("NUL") << QByteArray("[1]\0", 4) << qsizetype(3) << u"Unexpected text"_s;
    QTest::newRow("NUL in front") << QByteArray("\0[1]", 4) << qsizetype(0) << u"NUL"_s;
    QTest::newRow("NUL in a string") << QByteArray("\"a\0b\"", 5) << qsizetype(2) << u"NUL"_s;
    QTest::newRow("tab in a string") << "\"a\tb\""_ba << qsizetype(2) << u"U+0009"_s;
    QTest::newRow("stray byte") << "\"a\xFF\""_ba << qsizetype(2) << u"0xff"_s;
    QTest::newRow("overlong") << "\"\xC0\xAF\""_ba << qsizetype(1) << u"UTF-8"_s;
    QTest::newRow("overlong, three") << "\"\xE0\x80\xAF\""_ba << qsizetype(1) << u"UTF-8"_s;
    QTest::newRow("encoded surrogate") << "\"\xED\xA0\x80\""_ba << qsizetype(1) << u"UTF-8"_s;
    QTest::newRow("beyond Unicode") << "\"\xF4\x90\x80\x80\""_ba << qsizetype(1) << u"UTF-8"_s;
    QTest::newRow("cut sequence") << "\"\xE2\x82\""_ba << qsizetype(1) << u"UTF-8"_s;
    QTest::newRow("log line") << "[INFO] ready"_ba << qsizetype(1) << u"'I'"_s;
}

void DocumentTest::namesFaults()
{
    QFETCH(QByteArray, text);
    QFETCH(qsizetype, offset);
    QFETCH(QString, part);
    const Document document = Document::parse(text);
    QVERIFY(!document.isValid());
    const Finding first = document.findings().constFirst();
    QCOMPARE(first.severity, Finding::Severity::Error);
    QCOMPARE(first.offset, offset);
    QVERIFY2(first.reason.contains(part), qUtf8Printable(first.reason));
}

void DocumentTest::showsBrokenTrees_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QStringList>("keys");
    QTest::addColumn<QString>("last");
    QTest::newRow("cut off") << R"({"id":1,"name":"Ann","li)"_ba << QStringList{u"id"_s, u"name"_s} << u"\"Ann\""_s;
    QTest::newRow("cut off in a string") << R"({"id":1,"name":"An)"_ba << QStringList{u"id"_s, u"name"_s} << u"\"An"_s;
    QTest::newRow("unquoted") << R"({id: 1, name: abc})"_ba << QStringList{u"id"_s, u"name"_s} << u"abc"_s;
    QTest::newRow("forgotten comma") << R"({"a":1 "b":2})"_ba << QStringList{u"a"_s, u"b"_s} << u"2"_s;
    QTest::newRow("forgotten bracket") << R"({"a":[1,2,"b":3})"_ba << QStringList{u"a"_s} << u"[1,2,\"b\":3"_s;
    QTest::newRow("forgotten colon") << R"({"a" 1,"b":2})"_ba << QStringList{u"a"_s, u"b"_s} << u"2"_s;
    QTest::newRow("forgotten value") << R"({"a":,"b":2})"_ba << QStringList{u"b"_s} << u"2"_s;
    QTest::newRow("forgotten key") << R"({:1,"b":2})"_ba << QStringList{u""_s, u"b"_s} << u"2"_s;
    QTest::newRow("with a mark") << "\xEF\xBB\xBF{\"a\":1}"_ba << QStringList{u"a"_s} << u"1"_s;
}

void DocumentTest::showsBrokenTrees()
{
    QFETCH(QByteArray, text);
    QFETCH(QStringList, keys);
    QFETCH(QString, last);
    const Document document = Document::parse(text);
    QVERIFY(!document.isValid());
    QStringList found;
    for (const Value &member : document.root())
        found.append(member.key());
    QCOMPARE(found, keys);
    QCOMPARE(QString::fromUtf8(document.root().at(keys.size() - 1).bytes()), last);
    if (!keys.constLast().isEmpty())
        QVERIFY(document.root()[keys.constLast()].isSameNode(document.root().at(keys.size() - 1)));
}

void DocumentTest::limitsDepth()
{
    const auto nested = [](int depth) { return QByteArray(depth, '[') + QByteArray(depth, ']'); };
    QVERIFY(Document::parse(nested(1024)).isValid());
    const Document deep = Document::parse(nested(1025));
    QVERIFY(!deep.isValid());
    QCOMPARE(deep.findings().size(), 1);
    QCOMPARE(deep.findings().constFirst().offset, 1024);
    QCOMPARE(deep.nodeCount(), 1025);

    // What lies beside the deep part is read.
    Limits shallow;
    shallow.maxDepth = 2;
    const Document beside = Document::parse(R"([[{"a":"}]"}, 1], 2])", shallow);
    QVERIFY(!beside.isValid());
    QCOMPARE(beside.findings().size(), 1);
    const Value skipped = beside.root().at(0).at(0);
    QVERIFY(skipped.isObject());
    QCOMPARE(skipped.bytes(), R"({"a":"}]"})");
    QVERIFY(skipped.isEmpty());
    QCOMPARE(beside.root().at(0).at(1).toInteger(), 1);
    QCOMPARE(beside.root().at(1).toInteger(), 2);

    Limits vast;
    vast.maxDepth = 1'000'000;
    QVERIFY(Document::parse(nested(1'000'000), vast).isValid());
}

void DocumentTest::limitsSize()
{
    Limits small;
    small.maxBytes = 8;
    QVERIFY(Document::parse("[1,2,34]", small).isValid());
    const Document refused = Document::parse("[1,2,345]", small);
    QVERIFY(!refused.isValid());
    QVERIFY(!refused.root().exists());
    QCOMPARE(refused.text(), "[1,2,345]");
    QCOMPARE(refused.findings().size(), 1);
}

void DocumentTest::limitsFindings()
{
    Limits few;
    few.maxFindings = 3;
    const Document broken = Document::parse("[,,,,,,,,,,1]", few);
    QCOMPARE(broken.findings().size(), 4);
    QVERIFY(broken.findings().constLast().reason.contains(u"not listed: 7"));
    QCOMPARE(broken.root().at(0).toInteger(), 1);

    const Document warned = Document::parse(R"({"a":1,"a":1,"a":1,"a":1,"a":1,"a":1})", few);
    QVERIFY(warned.isValid());
    QCOMPARE(warned.findings().size(), 4);

    // An error is an error, even among those that are not kept.
    few.maxFindings = 1;
    QVERIFY(!Document::parse(R"([{"a":1,"a":1}, nul])", few).isValid());
}

void DocumentTest::survivesMillionsOfBrackets()
{
    for (const QByteArray &unit : {"["_ba, "{\"a\":"_ba, "]"_ba, "[{"_ba, ","_ba, "\""_ba}) {
        const Document document = Document::parse(unit.repeated(10'000'000 / int(unit.size())));
        QVERIFY(!document.isValid());
        QVERIFY(document.findings().size() <= 101);
    }
}

void DocumentTest::handlesOutliveTheirOrigin()
{
    Value kept;
    Value::Iterator iterator;
    {
        const Document document = Document::parse(R"({"a":[1,2,3]})");
        kept = document.root()[u"a"];
        iterator = document.root()[u"a"].begin();
    }
    QCOMPARE((*iterator).toInteger(), 1);
    ++iterator;
    QCOMPARE((*iterator).toInteger(), 2);
    QCOMPARE(kept.size(), 3);
    QCOMPARE(kept.document().root().size(), 1);
}

void DocumentTest::responsesForMissingValues()
{
    const Value none;
    QVERIFY(!none.exists());
    QVERIFY(!none.isNull());
    QCOMPARE(none.size(), 0);
    QVERIFY(!none[u"a"].exists());
    QVERIFY(!none.at(0).exists());
    QVERIFY(none.begin() == none.end());
    QCOMPARE(none.string(u"x"_s), u"x"_s);
    QCOMPARE(none.toDouble(1.5), 1.5);
    QVERIFY(!none.toInteger());
    QVERIFY(none.slice().isEmpty());
    QVERIFY(none.key().isEmpty());
    QVERIFY(!none.isSameNode(none));
    QVERIFY(Document().isNull());
    QVERIFY(!Document().isValid());
    QVERIFY(!Document().root().exists());

    const Value number = json::parse("5");
    QCOMPARE(number.string(u"x"_s), u"x"_s);
    QVERIFY(number.toBool(true));
    QVERIFY(!number[u"a"].exists());
    QVERIFY(json::parse("null").isNull());
}

SONDE_TEST(DocumentTest)
#include "tst_document.moc"
