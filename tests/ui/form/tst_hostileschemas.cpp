// Forms of schemas that are made to take long, or are only large.
// SPDX-License-Identifier: Apache-2.0
#include "core/shape/shapevalues.h"
#include "tests/support/fallbacks.h"
#include "tests/support/testregistry.h"
#include "ui/form/choicemodel.h"
#include "ui/form/hints.h"
#include "ui/form/schemaform.h"

#include <QApplication>
#include <QComboBox>
#include <QCompleter>
#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTest>
#include <functional>

using namespace Qt::StringLiterals;
using namespace sonde;
using namespace sonde::ui;
using sonde::test::fallbacksOf;
namespace json = sonde::json;

namespace {

// The faults took minutes, or had no end.
constexpr qint64 EndlessGuardMs = 20'000;

QByteArray listed(int count, const std::function<QByteArray(int)> &make)
{
    QByteArray text;
    for (int i = 0; i < count; ++i)
        text += (i > 0 ? "," : "") + make(i);
    return text;
}

// Objects in objects, each with eight required members that are the next object.
QByteArray nested(int depth, const QByteArray &innermost)
{
    const auto name = [](int i) { return QByteArray(1, char('a' + i)); };
    QByteArray defs;
    for (int level = 0; level < depth; ++level) {
        const QByteArray next = "{\"$ref\":\"#/$defs/l" + QByteArray::number(level + 1) + "\"}";
        defs += "\"l" + QByteArray::number(level) + "\":{\"type\":\"object\",\"required\":[" +
                listed(8, [&](int i) { return '"' + name(i) + '"'; }) + "],\"properties\":{" +
                listed(8, [&](int i) { return '"' + name(i) + "\":" + next; }) + "}},";
    }
    return R"({"type":"object","required":["x"],"properties":{"x":{"$ref":"#/$defs/l0"}},"$defs":{)" + defs + "\"l" +
           QByteArray::number(depth) + "\":" + innermost + "}}";
}

// Unions within unions: each level names the next one a hundred times.
QByteArray unionBomb()
{
    QByteArray defs;
    for (int level = 0; level < 4; ++level) {
        const QByteArray next = "{\"$ref\":\"#/$defs/u" + QByteArray::number(level + 1) + "\"}";
        defs += "\"u" + QByteArray::number(level) + "\":{\"anyOf\":[" + listed(100, [&](int) { return next; }) + "]},";
    }
    return R"({"type":"object","properties":{"x":{"$ref":"#/$defs/u0"},"y":{"type":"string"}},"$defs":{)" + defs +
           R"("u4":{"anyOf":[{"type":"string"},{"type":"integer"}]}}})";
}

QByteArray kinds(int count)
{
    return R"({"type":"object","properties":{"shape":{"oneOf":[)" +
           listed(count,
                  [](int i) {
                      const QByteArray number = QByteArray::number(i);
                      return R"({"type":"object","required":["kind","size"],"properties":{"kind":{"const":"kind-)" +
                             number + R"("},"size":{"type":"integer"},"a":{"type":"string"},"b":{"type":"string"}}})";
                  }) +
           "]}}}";
}

}  // namespace

class TestHostileSchemas : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void opensAtOnce_data();
    void opensAtOnce();
    void constantsOfDeepObjectsAreStillThere();
    void tooLargeIsJson_data();
    void tooLargeIsJson();
    void aUnionOfManyBranches();
    void aHundredThousandChoices();
    void choicesAreFoundByWhatTheyMean();
    void evilPatternIsNotChecked();

private:
    std::unique_ptr<SchemaForm> m_form;
    QElapsedTimer m_clock;
};

void TestHostileSchemas::init()
{
    m_form = std::make_unique<SchemaForm>();
    m_form->resize(560, 800);
    m_clock.start();
}

void TestHostileSchemas::cleanup()
{
    m_form.reset();
}

void TestHostileSchemas::opensAtOnce_data()
{
    QTest::addColumn<QByteArray>("schema");
    QTest::newRow("required, 8 levels") << nested(8, R"({"const":"end of it"})");
    QTest::newRow("required, 30 levels") << nested(30, R"({"const":1})");
    QTest::newRow("required, nothing in it") << nested(30, R"({"type":"object"})");
    QTest::newRow("required, itself") << QByteArray(
        R"({"$defs":{"a":{"type":"object","required":["p","q","r","s"],"properties":{"p":{"$ref":"#/$defs/a"},
        "q":{"$ref":"#/$defs/a"},"r":{"$ref":"#/$defs/a"},"s":{"$ref":"#/$defs/a"}}}},"$ref":"#/$defs/a"})");
    QTest::newRow("list of itself") << QByteArray(
        R"({"type":"object","properties":{"x":{"$ref":"#/$defs/l"}},
        "$defs":{"l":{"type":"array","items":{"$ref":"#/$defs/l"}}}})");
    QTest::newRow("map of itself") << QByteArray(
        R"({"type":"object","properties":{"x":{"$ref":"#/$defs/m"}},
        "$defs":{"m":{"type":"object","additionalProperties":{"$ref":"#/$defs/m"}}}})");
    QTest::newRow("unions of unions") << unionBomb();
    QTest::newRow("union of itself") << QByteArray(
        R"({"$defs":{"a":{"anyOf":[{"$ref":"#/$defs/a"},{"$ref":"#/$defs/a"}]}},
        "type":"object","properties":{"x":{"$ref":"#/$defs/a"}}})");
    QTest::newRow("evil pattern of a name")
        << QByteArray(R"({"type":"object","patternProperties":{"^(a+)+$":{"type":"string"}}})");
}

void TestHostileSchemas::opensAtOnce()
{
    QFETCH(const QByteArray, schema);
    m_form->setSchema(json::parse(schema));
    m_form->setValue(json::parse("{\"x\":{\"a\":{}},\"" + QByteArray(60, 'a') + "!\":[[],[[1]]]}"));
    m_form->clear();
    m_form->show();
    QApplication::processEvents();
    m_form->issues();
    fallbacksOf(*m_form);
    QVERIFY2(m_clock.elapsed() < EndlessGuardMs, qPrintable(QString::number(m_clock.elapsed())));
    // And a new value is nothing huge.
    QVERIFY2(m_form->value().size() < 128 * 1024, qPrintable(QString::number(m_form->value().size())));
}

void TestHostileSchemas::constantsOfDeepObjectsAreStillThere()
{
    const json::Value root = json::parse(nested(2, R"({"const":1})"));
    const ShapeReader reader(root);
    const ShapeValues values(reader);
    const json::Value value = json::parse(values.initial(reader.read(root)));
    QCOMPARE(value[u"x"][u"h"][u"h"].numberText(), "1");
}

// What cannot be drawn is said, and can be edited and sent.
void TestHostileSchemas::tooLargeIsJson_data()
{
    QTest::addColumn<QByteArray>("schema");
    QTest::addColumn<QString>("place");
    QTest::newRow("all of it") << "{\"type\":\"object\",\"properties\":{" +
                                      listed(300'000, [](int i) { return '"' + QByteArray::number(i) + "\":{}"; }) +
                                      "}}"
                               << QString();
    QTest::newRow("one member") << unionBomb() << u"/x"_s;
    QTest::newRow("layers") << R"({"type":"object","properties":{"x":{"allOf":[)" +
                                   listed(1'000, [](int) { return "{\"minLength\":1}"; }) + "]}}}"
                            << u"/x"_s;
}

void TestHostileSchemas::tooLargeIsJson()
{
    QFETCH(const QByteArray, schema);
    QFETCH(const QString, place);
    m_form->setSchema(json::parse(schema));
    m_form->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_form.get()));
    QCOMPARE(fallbacksOf(*m_form), QList<json::Pointer>{*json::Pointer::fromString(place)});
    auto *reason = m_form->findChild<QLabel *>(u"tooLarge"_s);
    QVERIFY(reason && reason->isVisible());
    QVERIFY(reason->text().contains(u"too large"));
    auto *edit = m_form->findChild<QPlainTextEdit *>("field:"_L1 + place);
    QVERIFY(edit);
    edit->setPlainText(place.isEmpty() ? u"{\"5\":[1.0]}"_s : u"[1.0]"_s);
    QCOMPARE(m_form->value(), place.isEmpty() ? "{\"5\":[1.0]}" : "{\"x\":[1.0]}");
    QVERIFY(m_clock.elapsed() < 2 * EndlessGuardMs);
}

void TestHostileSchemas::aUnionOfManyBranches()
{
    m_form->setSchema(json::parse(kinds(200)));
    m_form->setValue(json::parse(R"({"shape":{"kind":"kind-150","size":"x"}})"));
    m_form->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_form.get()));
    auto *picker = m_form->findChild<QComboBox *>(u"branch:/shape"_s);
    QVERIFY(picker);
    QCOMPARE(picker->count(), 200);
    QCOMPARE(picker->currentText(), u"kind-150"_s);
    // Only the branch that is meant has an editor.
    QVERIFY2(m_form->fieldCount() < 10, qPrintable(QString::number(m_form->fieldCount())));
    const QList<FormIssue> issues = m_form->issues();
    QCOMPARE(issues.size(), 1);
    QCOMPARE(issues.first().place.toString(), u"/shape/size"_s);
    QVERIFY(m_clock.elapsed() < EndlessGuardMs);
}

void TestHostileSchemas::aHundredThousandChoices()
{
    const auto name = [](int i) { return "\"value-" + QByteArray::number(i) + '"'; };
    m_form->setSchema(json::parse(R"({"type":"object","properties":{"c":{"enum":[)" + listed(100'000, name) + "]}}}"));
    m_form->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_form.get()));
    auto *combo = m_form->findChild<QComboBox *>(u"field:/c"_s);
    QCOMPARE(combo->count(), 100'000);
    auto *search = combo->findChild<ChoiceSearch *>();
    QVERIFY(search);
    combo->lineEdit()->setFocus();
    QTest::keyClicks(combo->lineEdit(), u"value-9999"_s);
    // A key only looks at the first part of the list.
    QVERIFY(search->isSearching());
    QCOMPARE(m_form->value(), R"({"c":"value-9999"})");
    QVERIFY(m_form->issues().isEmpty());
    QTRY_VERIFY(!search->isSearching());
    QCOMPARE(combo->completer()->completionCount(), 11);  // itself, and with one digit more
    QTest::keyClick(combo->lineEdit(), Qt::Key_8);
    QTRY_COMPARE(combo->completer()->completionCount(), 1);
    QTRY_VERIFY(QApplication::activePopupWidget());
    QTest::keyClick(QApplication::activePopupWidget(), Qt::Key_Down);
    QTest::keyClick(QApplication::activePopupWidget(), Qt::Key_Return);
    QCOMPARE(m_form->value(), R"({"c":"value-99998"})");
    QTest::keyClicks(combo->lineEdit(), u"x"_s);
    QCOMPARE(m_form->value(), R"({"c":"value-99998x"})");
    QCOMPARE(m_form->issues().size(), 1);
    QVERIFY(m_clock.elapsed() < 2 * EndlessGuardMs);
}

void TestHostileSchemas::choicesAreFoundByWhatTheyMean()
{
    ChoiceList choices;
    choices.append(json::parse("\"1\""));
    choices.append(json::parse("1.0"), u"one"_s);
    choices.append(json::parse("[1, 2]"));
    QCOMPARE(choices.indexOf(json::parse("1")), 1);
    QCOMPARE(choices.indexOf(json::parse("[1,2.0]")), 2);
    QCOMPARE(choices.indexOf(json::parse("2")), -1);
    QCOMPARE(choices.indexOfLabel(u"1"_s), 0);
    QCOMPARE(choices.indexOfLabel(u"one"_s), 1);
    QCOMPARE(choices.indexOfLabel(u"1.0"_s), -1);  // shown as "one"
    QCOMPARE(choices.indexOfLabel(u"[1, 2]"_s), 2);
    // A string that looks like another choice keeps its quotation marks; a value that is named twice is one choice.
    for (const QByteArray &json : {"\"2\""_ba, "2"_ba, "2.0"_ba})
        choices.append(json::parse(json));
    QCOMPARE(choices.size(), 5);
    QCOMPARE(choices.label(3), u"\"2\""_s);
    QCOMPARE(choices.label(4), u"2"_s);
    QCOMPARE(choices.indexOfLabel(u"\"2\""_s), 3);
    QCOMPARE(choices.indexOfLabel(u"2"_s), 4);
}

void TestHostileSchemas::evilPatternIsNotChecked()
{
    m_form->setSchema(json::parse(R"({"type":"object","properties":{"c":{"type":"string","pattern":"^(a+)+$"}}})"));
    m_form->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_form.get()));
    auto *edit = m_form->findChild<QPlainTextEdit *>(u"field:/c"_s);
    edit->setPlainText(QString(60, u'a'));
    edit->moveCursor(QTextCursor::End);
    QTest::keyClicks(edit, u"!!!!!!!!!!"_s);
    const QList<FormIssue> issues = m_form->issues();
    QCOMPARE(issues.size(), 1);
    QVERIFY2(issues.first().message.startsWith(u"not checked"), qPrintable(issues.first().message));
    QVERIFY(m_clock.elapsed() < EndlessGuardMs);
}

SONDE_TEST(TestHostileSchemas)
#include "tst_hostileschemas.moc"
