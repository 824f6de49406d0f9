// Rules of a replay: what they ignore, what they do not, and how they are kept.
// SPDX-License-Identifier: Apache-2.0
#include "core/json/builder.h"
#include "core/replay/rules.h"
#include "tests/support/testregistry.h"

#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;

namespace {

json::Difference changed(const QString &pointer, const QByteArray &left, const QByteArray &right)
{
    return {json::Difference::Kind::Changed, pointer, json::parse(left), json::parse(right)};
}

ReplayRules rulesOf(const QByteArray &text)
{
    const Result<ReplayRules> rules = ReplayRules::parse(text, u"rules"_s);
    return rules ? *rules : ReplayRules();
}

}  // namespace

class tst_Rules : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void pointers_data()
    {
        QTest::addColumn<QString>("rule");
        QTest::addColumn<QString>("place");
        QTest::addColumn<bool>("ignored");
        const auto row = [](QStringView rule, QStringView place, bool ignored) {
            QTest::addRow("%s at %s", qPrintable(rule.toString()), qPrintable(place.toString()))
                << rule.toString() << place.toString() << ignored;
        };
        row(u"/a", u"/a", true);
        row(u"/a", u"/a/b/c", true);
        row(u"/a", u"/ab", false);
        row(u"/a/b", u"/a", false);
        row(u"/content/*/text", u"/content/7/text", true);
        row(u"/content/*/text", u"/content/7/data", false);
        row(u"/content/*/text", u"/content/text", false);
        row(u"/content/0/text", u"/content/0/text#/time", true);
        row(u"/content/*/text#/time", u"/content/0/text#/time", true);
        row(u"/content/*/text#/time", u"/content/0/text#/rows", false);
        row(u"/content/*/text#/time", u"/content/0/text", false);
        row(u"/**/time", u"/time", true);
        row(u"/**/time", u"/a/b/time", true);
        row(u"/**/time", u"/a/b/times", false);
        row(u"/a/**/z", u"/a/x/z/y", true);
        row(u"/a/**/z", u"/b/x/z", false);
        row(u"/**/a/b", u"/a/a/b", true);
        row(u"/**/a/**/b", u"/a/c/d", false);
        row(u"/**", u"", true);
        row(u"/a~1b", u"/a~1b", true);
    }
    void pointers()
    {
        QFETCH(QString, rule);
        QFETCH(QString, place);
        ReplayRules rules;
        ReplayRule made;
        made.pointer = rule;
        QVERIFY(!rules.add(made));
        QTEST(rules.ignores(changed(place, "1", "2"), u"tools/call", u"x"), "ignored");
    }

    void timestamps_data()
    {
        QTest::addColumn<QByteArray>("left");
        QTest::addColumn<QByteArray>("right");
        QTest::addColumn<bool>("ignored");
        const auto row = [](const char *left, const char *right, bool ignored) {
            QTest::addRow("%s", left) << QByteArray(left) << QByteArray(right) << ignored;
        };
        row("\"2026-11-21T02:38:10.123Z\"", "\"2027-01-02T00:00:00Z\"", true);
        row("\"2026-11-21 02:38:10\"", "\"2026-11-21 02:38:11\"", true);
        row("\"2026-11-21T02:38:10+01:00\"", "\"2026-11-21T02:38:10Z\"", true);
        row("\"2026-11-21\"", "\"2026-11-22\"", true);
        row("\"at 10:15:23 AM, done\"", "\"at 9:01:59 PM, done\"", true);
        row("\"at 10:15:23\\u202fAM\"", "\"at 9:01:59\\u202fPM\"", true);
        row("\"11/21/2026, 2:38:10 AM\"", "\"1/2/2027, 12:00:00 PM\"", true);
        row("\"created: Sat Nov 21 2026 02:38:10 GMT+0000 (Coordinated Universal Time)\"",
            "\"created: Sun Nov 22 2026 12:38:10 GMT+0100 (CET)\"", true);
        row("\"Sat, 21 Nov 2026 02:38:10 GMT\"", "\"Sun, 22 Nov 2026 03:38:10 GMT\"", true);
        row("1795228690", "1795228691", true);
        row("1795228690123", "1795228691456", true);
        row("\"at 10:15:23, done\"", "\"at 10:15:23, failed\"", false);
        row("\"2026-11-21\"", "\"never\"", false);
        row("\"version 1.2.3\"", "\"version 1.2.4\"", false);
        row("\"127.0.0.1\"", "\"127.0.0.2\"", false);
        row("17", "18", false);
        row("\"2026-11-21\"", "20261121", false);
    }
    void timestamps()
    {
        QFETCH(QByteArray, left);
        QFETCH(QByteArray, right);
        const ReplayRules rules = rulesOf(R"({"ignore":[{"pattern":"timestamp"}]})");
        QCOMPARE(rules.rules().size(), 1);
        QTEST(rules.ignores(changed(u"/a"_s, left, right), {}, {}), "ignored");
    }

    void patterns()
    {
        const json::Difference uuid = changed(u"/id"_s, "\"id 3440ea6f-7a01-4ccb-b7d6-9a3a5f5f2f11.\"",
                                              "\"id 00000000-7A01-4CCB-B7D6-9A3A5F5F2F11.\"");
        QVERIFY(rulesOf(R"({"ignore":[{"pattern":"uuid"}]})").ignores(uuid, {}, {}));
        QVERIFY(!rulesOf(R"({"ignore":[{"pattern":"timestamp"}]})").ignores(uuid, {}, {}));
        const json::Difference build = changed(u"/v"_s, "\"build 12\"", "\"build 13\"");
        QVERIFY(rulesOf(R"({"ignore":[{"regex":"build [0-9]+"}]})").ignores(build, {}, {}));
        QVERIFY(!rulesOf(R"({"ignore":[{"regex":"build [0-9]"}]})").ignores(build, {}, {}));
        // A pattern together with a place holds there only; with a method or target, in their responses only.
        QVERIFY(!rulesOf(R"({"ignore":[{"regex":"[0-9]+","pointer":"/w"}]})").ignores(build, {}, {}));
        const ReplayRules one = rulesOf(R"({"ignore":[{"pointer":"/v","method":"tools/call","target":"t"}]})");
        QVERIFY(one.ignores(build, u"tools/call", u"t"));
        QVERIFY(!one.ignores(build, u"tools/call", u"u"));
        QVERIFY(!one.ignores(build, u"prompts/get", u"t"));
        // What is there or not there is not a matter of patterns.
        const json::Difference added{json::Difference::Kind::Added, u"/a"_s, {}, json::parse("\"2026-11-21\"")};
        QVERIFY(!rulesOf(R"({"ignore":[{"pattern":"timestamp"}]})").ignores(added, {}, {}));
    }

    void refusesWhatIsNoRule_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("problem");
        const auto row = [](const char *text, QStringView problem) {
            QTest::addRow("%s", text) << QByteArray(text) << problem.toString();
        };
        row("{", u"is not JSON");
        row("[]", u"contains no rules");
        row(R"({"ignore":[],"extra":1})", u"contains no rules");
        row(R"({"ignore":[1]})", u"rule 1: a rule is not a JSON object");
        row(R"({"ignore":[{"pointer":"/a"},{}]})", u"rule 2: a rule needs");
        row(R"({"ignore":[{"pointer":"a"}]})", u"is not a JSON pointer");
        row(R"({"ignore":[{"pointr":"/a"}]})", u"unknown member 'pointr' in a rule");
        row(R"({"ignore":[{"pointer":1}]})", u"'pointer' is not a string");
        row(R"({"ignore":[{"pattern":"time"}]})", u"unknown pattern 'time'");
        row("{\"ignore\":[{\"regex\":\"(\"}]}", u"is not a valid regular expression");
        row(R"({"ignore":[{"regex":""}]})", u"the regex is empty");
        row(R"({"ignore":[{"regex":"a","pattern":"uuid"}]})", u"either a pattern or a regex");
    }
    void refusesWhatIsNoRule()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, problem);
        const Result<ReplayRules> rules = ReplayRules::parse(text, u"r.json"_s);
        QVERIFY(!rules);
        QVERIFY2(rules.error().message.contains(problem), qPrintable(rules.error().message));
        QVERIFY(rules.error().message.contains(u"r.json"_s));
    }

    void areKeptBesideTheSession()
    {
        QTemporaryDir folder;
        QVERIFY(folder.isValid());
        const QString path = ReplayRules::pathBeside(folder.filePath(u"my.server.mcpsession"_s));
        QCOMPARE(path, folder.filePath(u"my.server.rules.json"_s));
        QVERIFY(!ReplayRules::load(path));
        ReplayRules rules;
        QVERIFY(!rules.add({ReplayRule::Kind::Anything, u"/a/*"_s, {}, u"tools/call"_s, u"t"_s}));
        QVERIFY(!rules.add({ReplayRule::Kind::Timestamp, {}, {}, {}, {}}));
        QVERIFY(!rules.add({ReplayRule::Kind::Timestamp, {}, {}, {}, {}}));
        QVERIFY(!rules.add({ReplayRule::Kind::Uuid, u"/id"_s, {}, {}, {}}));
        QVERIFY(!rules.add({ReplayRule::Kind::Regex, {}, u"\\bx\"y"_s, {}, {}}));
        QVERIFY(rules.add({ReplayRule::Kind::Anything, {}, {}, {}, {}}));
        QCOMPARE(rules.rules().size(), 4);
        QVERIFY(!rules.save(path));
        const Result<ReplayRules> again = ReplayRules::load(path);
        QVERIFY2(again, qPrintable(again ? QString() : again.error().message));
        QCOMPARE(again->rules(), rules.rules());
        QVERIFY(rules.save(folder.filePath(u"nowhere/x.json"_s)));
    }

    void secretsDoNotDiffer()
    {
        const auto same = [](QStringView left, const QByteArray &right) {
            return differsInSecretsOnly(changed(u"/a"_s, json::quoted(left), right));
        };
        QVERIFY(same(u"Bearer ‹authorization:1a2b3c4d›", "\"Bearer abc\""));
        QVERIFY(same(u"‹secret:1a2b3c4d›", "12"));
        QVERIFY(same(u"a ‹secret:1a2b3c4d› b ‹secret:1a2b3c4e› c", "\"a x b y c\""));
        QVERIFY(!same(u"a ‹secret:1a2b3c4d› b", "\"a x c\""));
        QVERIFY(!same(u"a ‹secret:1a2b3c4d›", "12"));
        QVERIFY(!same(u"a ‹U+202E› b", "\"a x b\""));
        QVERIFY(!same(u"ab‹secret:1a2b3c4d›ba", "\"aba\""));
        // As long as a message may be, and without a regular expression made of it.
        const QString many = u"x ‹secret:1a2b3c4d› (y) "_s.repeated(20'000);
        QVERIFY(same(many, json::quoted(QString(many).replace(u"‹secret:1a2b3c4d›"_s, u"4111"_s))));
        QVERIFY(!same(many, json::quoted(QString(many).replace(u"‹secret:1a2b3c4d›"_s, u"4111"_s).chopped(3))));
        QVERIFY(differsInSecretsOnly(
            {json::Difference::Kind::Changed, u"/a"_s, json::parse("-0e1234567890"), json::parse("4111")}));
        QVERIFY(!differsInSecretsOnly({json::Difference::Kind::Changed, u"/a"_s, json::parse("0"), json::parse("1")}));
        QVERIFY(holdsSecretMark(u"{\"pin\":-0e1234567890}"_s));
        QVERIFY(holdsSecretMark(u"x ‹token:00000000›"_s));
        QVERIFY(!holdsSecretMark(u"x ‹token›"_s));
    }
};

SONDE_TEST(tst_Rules)
#include "tst_rules.moc"
