// Fields that come and go with the value: if/then/else, dependentSchemas and dependentRequired.
// SPDX-License-Identifier: Apache-2.0
#include "core/json/document.h"
#include "tests/support/testregistry.h"
#include "tests/ui/form/formfixture.h"

#include <QAbstractButton>
#include <QApplication>
#include <QLabel>
#include <QPlainTextEdit>
#include <QTest>

using namespace Qt::StringLiterals;
using sonde::test::FormFixture;
namespace json = sonde::json;

class TestFormConditions : public QObject, FormFixture {
    Q_OBJECT

    bool isShown(const QString &pointer) const
    {
        settle();
        const auto *field = find<QWidget>(u"place:"_s + pointer);
        return field && field->isVisible();
    }

private Q_SLOTS:
    void init() { begin(); }
    void cleanup() { end(); }

    void ifThenElse()
    {
        open(
            R"({"type":"object","required":["country"],"properties":{"country":{"type":"string"},"last":{"type":"string"}},
            "if":{"required":["country"],"properties":{"country":{"const":"US"}}},
            "then":{"required":["zip"],"properties":{"zip":{"type":"string"}}},
            "else":{"properties":{"postcode":{"type":"string"}}}})");
        QVERIFY(!isShown(u"/zip"_s) && isShown(u"/postcode"_s));
        type(u"field:/country"_s, u"US"_s);
        QVERIFY(isShown(u"/zip"_s) && !isShown(u"/postcode"_s));
        QCOMPARE(QApplication::focusWidget(), find<QWidget>(u"field:/country"_s));
        QCOMPARE(m_form->issues().size(), 1);
        QCOMPARE(m_form->issues().constFirst().place.toString(), u"/zip"_s);
        type(u"field:/zip"_s, u"94105"_s);
        QCOMPARE(m_form->value(), R"({"country":"US","zip":"94105"})");
        // What was typed is kept while it is hidden, and not sent.
        type(u"field:/country"_s, u"A"_s);
        QVERIFY(!isShown(u"/zip"_s));
        QCOMPARE(m_form->value(), R"({"country":"USA"})");
        QTest::keyClick(find<QWidget>(u"field:/country"_s), Qt::Key_Backspace);
        QVERIFY(isShown(u"/zip"_s));
        QCOMPARE(find<QPlainTextEdit>(u"field:/zip"_s)->toPlainText(), u"94105"_s);
        QCOMPARE(m_form->value(), R"({"country":"US","zip":"94105"})");
    }

    void conditionsOfAllOf()
    {
        open(R"({"type":"object","properties":{"kind":{"enum":["file","url"]}},"allOf":[
            {"if":{"required":["kind"],"properties":{"kind":{"const":"file"}}},"then":{"$ref":"#/$defs/file"}},
            {"if":{"required":["kind"],"properties":{"kind":{"const":"url"}}},
             "then":{"properties":{"url":{"type":"string"}}}}],
            "$defs":{"file":{"properties":{"path":{"type":"string"},"mode":{"const":"r"}},"required":["mode"]}}})",
             R"({"kind":"file"})");
        QVERIFY(isShown(u"/path"_s) && !isShown(u"/url"_s));
        m_form->setValue(json::parse(R"({"kind":"url","url":"x"})"));
        QVERIFY(!isShown(u"/path"_s) && isShown(u"/url"_s));
        QCOMPARE(m_form->value(), R"({"kind":"url","url":"x"})");
    }

    void dependentSchemas()
    {
        open(R"({"type":"object","properties":{"card":{"type":"string"}},
            "dependentSchemas":{"card":{"properties":{"address":{"type":"string"}},"required":["address"]}}})");
        QVERIFY(!isShown(u"/address"_s));
        type(u"field:/card"_s, u"1"_s);
        QVERIFY(isShown(u"/address"_s));
        choose(u"presence:/card"_s, u"not-sent"_s);
        QVERIFY(!isShown(u"/address"_s));
    }

    void dependentRequired_data()
    {
        QTest::addColumn<QByteArray>("keyword");
        QTest::newRow("2020-12") << "dependentRequired"_ba;
        QTest::newRow("draft-07") << "dependencies"_ba;
    }
    void dependentRequired()
    {
        QFETCH(QByteArray, keyword);
        open(R"({"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},")" + keyword +
             R"(":{"a":["b"]}})");
        const auto isMarked = [this] {
            settle();
            const QList<QLabel *> labels = find<QWidget>(u"place:/b"_s)->findChildren<QLabel *>();
            return std::any_of(labels.cbegin(), labels.cend(),
                               [](const QLabel *label) { return label->text() == u"*"_s; });
        };
        QVERIFY(!isMarked());
        type(u"field:/a"_s, u"x"_s);
        QVERIFY(isMarked());
        QTest::keyClicks(QApplication::focusWidget(), u"y"_s);
        QCOMPARE(m_form->value(), R"({"a":"xy"})");
    }

    void withinAListAndAUnion()
    {
        open(R"({"type":"object","properties":{"l":{"type":"array","items":{"type":"object",
            "properties":{"on":{"type":"boolean"}},
            "if":{"required":["on"],"properties":{"on":{"const":true}}},"then":{"properties":{"level":{"type":"integer"}}}}}}})",
             R"({"l":[{"on":false},{"on":true}]})");
        QVERIFY(!isShown(u"/l/0/level"_s) && isShown(u"/l/1/level"_s));
        click(u"true:/l/0/on"_s);
        QVERIFY(isShown(u"/l/0/level"_s));
    }

    void goesBackWithUndo()
    {
        open(R"({"type":"object","properties":{"on":{"type":"boolean"}},
            "if":{"required":["on"],"properties":{"on":{"const":true}}},"then":{"properties":{"level":{"type":"integer"}}}})",
             R"({"on":true,"level":3})");
        click(u"false:/on"_s);
        QCOMPARE(m_form->value(), R"({"on":false})");
        m_form->undo();
        QCOMPARE(m_form->value(), R"({"on":true,"level":3})");
        QVERIFY(isShown(u"/level"_s));
        m_form->redo();
        QCOMPARE(m_form->value(), R"({"on":false})");
        QVERIFY(!isShown(u"/level"_s));
    }

    // Values that the condition forbids are still shown and sent.
    void whatDoesNotApplyIsARowOfItsOwn()
    {
        open(R"({"type":"object","properties":{"on":{"type":"boolean"}},
            "if":{"required":["on"],"properties":{"on":{"const":true}}},"then":{"properties":{"level":{"type":"integer"}}}})",
             R"({"on":false,"level":3})");
        QCOMPARE(m_form->value(), R"({"on":false,"level":3})");
        QVERIFY(find<QWidget>(u"key:/level"_s));
        click(u"true:/on"_s);
        settle();
        QVERIFY(!find<QWidget>(u"key:/level"_s) || !find<QWidget>(u"key:/level"_s)->isVisible());
        QVERIFY(isShown(u"/level"_s));
        QCOMPARE(m_form->value(), R"({"on":true,"level":3})");
    }

    void alternativesOfRequiredMembers_data()
    {
        QTest::addColumn<QByteArray>("keyword");
        QTest::newRow("one of") << "oneOf"_ba;
        QTest::newRow("any of") << "anyOf"_ba;
    }
    void alternativesOfRequiredMembers()
    {
        QFETCH(QByteArray, keyword);
        open(
            R"({"type":"object","properties":{"id":{"type":"integer"},"owner":{"type":"string"},"repo":{"type":"string"},
            "more":{"type":"string"}},")" +
            keyword + R"(":[{"required":["id"]},{"required":["owner","repo"]}]})");
        QVERIFY(isShown(u"/id"_s) && !isShown(u"/owner"_s) && !isShown(u"/repo"_s) && isShown(u"/more"_s));
        QCOMPARE(find<QAbstractButton>(u"branch:1:"_s)->text(), u"owner and repo"_s);
        type(u"field:/id"_s, u"1"_s);
        QVERIFY(m_form->issues().isEmpty());
        click(u"branch:1:"_s);
        QVERIFY(!isShown(u"/id"_s) && isShown(u"/owner"_s) && isShown(u"/repo"_s));
        QCOMPARE(m_form->value(), "{}");
        type(u"field:/owner"_s, u"o"_s);
        type(u"field:/repo"_s, u"r"_s);
        QCOMPARE(m_form->value(), R"({"owner":"o","repo":"r"})");
        QVERIFY(m_form->issues().isEmpty());
        // What was typed in another one is kept.
        click(u"branch:0:"_s);
        QCOMPARE(m_form->value(), R"({"id":1})");
        m_form->undo();
        QCOMPARE(m_form->value(), R"({"owner":"o","repo":"r"})");
        QVERIFY(isShown(u"/repo"_s));
        QVERIFY(find<QAbstractButton>(u"branch:1:"_s)->isChecked());
        const bool isAny = keyword == "anyOf";
        QCOMPARE(find<QAbstractButton>(u"branch:2:"_s) != nullptr, isAny);
    }

    // A value that fills in several of them is shown and sent as it is.
    void severalAlternatives()
    {
        open(R"({"type":"object","properties":{"id":{"type":"integer"},"slug":{"type":"string"}},
            "oneOf":[{"required":["id"]},{"required":["slug"]}]})",
             R"({"id":1,"slug":"x"})");
        QVERIFY(isShown(u"/id"_s) && isShown(u"/slug"_s));
        QCOMPARE(m_form->value(), R"({"id":1,"slug":"x"})");
        QCOMPARE(m_form->issues().size(), 1);
    }

    // The place that goes may not have been drawn yet.
    void manyFieldsComeAndGo()
    {
        QByteArray properties;
        for (int i = 0; i < 150; ++i)
            properties += ",\"p" + QByteArray::number(i) + "\":{\"type\":\"string\"}";
        open("{\"type\":\"object\",\"properties\":{\"on\":{\"type\":\"boolean\"}" + properties +
                 "},\"if\":{\"required\":[\"on\"],\"properties\":{\"on\":{\"const\":true}}},"
                 "\"then\":{\"properties\":{\"last\":{\"type\":\"string\"}}}}",
             R"({"on":true})");
        click(u"false:/on"_s);
        click(u"true:/on"_s);
        QCOMPARE(m_form->value(), R"({"on":true})");
    }

    void rowsBecomeFieldsWithinAUnion()
    {
        open(R"({"type":"object","properties":{"u":{"oneOf":[{"type":"object","required":["k"],"properties":{
            "k":{"const":"a"},"card":{"type":"boolean"}},
            "if":{"required":["card"],"properties":{"card":{"const":true}}},"then":{"properties":{"bill":{"type":"string"}}}},
            {"type":"object","required":["k"],"properties":{"k":{"const":"b"}}}]}}})",
             R"({"u":{"k":"a","bill":"x"}})");
        click(u"true:/u/card"_s);
        QVERIFY(isShown(u"/u/bill"_s));
        click(u"false:/u/card"_s);
        click(u"true:/u/card"_s);
        QCOMPARE(json::parse(m_form->value())[u"u"][u"bill"].string(), u"x"_s);
    }

    // However long someone types, conditions go on to apply.
    void conditionsDoNotWearOut()
    {
        QByteArray conditions;
        for (int i = 0; i < 20; ++i) {
            const QByteArray number = QByteArray::number(i);
            conditions += (i > 0 ? "," : "") +
                          ("{\"if\":{\"required\":[\"kind\"],\"properties\":{\"kind\":{\"const\":\"k" + number) +
                          "\"}}},\"then\":{\"properties\":{\"f" + number + "\":{\"type\":\"string\"}}}}";
        }
        open(
            "{\"type\":\"object\",\"properties\":{\"kind\":{\"type\":\"string\"},\"text\":{\"type\":\"string\"}},"
            "\"allOf\":[" +
                conditions + "]}",
            R"({"kind":"k3","f3":"precious","text":""})");
        auto *text = find<QPlainTextEdit>(u"field:/text"_s);
        text->setFocus();
        for (int i = 0; i < 2000; ++i)
            QTest::keyClick(text, 'x');
        QCOMPARE(json::parse(m_form->value())[u"f3"].string(), u"precious"_s);
        QVERIFY(isShown(u"/f3"_s));
    }

    // What is typed goes into the field, though its own star comes with it.
    void aFieldThatIsTypedInStays()
    {
        open(R"({"type":"object","properties":{"mode":{"type":"string"},"z":{"type":"string"}},
            "if":{"required":["mode"],"properties":{"mode":{"minLength":2}}},"then":{"required":["mode","z"]}})");
        type(u"field:/mode"_s, u"abcd"_s);
        QCOMPARE(m_form->value(), R"({"mode":"abcd"})");
    }

    void undoBringsBackWhatAConditionHid()
    {
        open(R"({"type":"object","properties":{"card":{"type":"string"}},
            "dependentSchemas":{"card":{"properties":{"bill":{"type":"string"}}}}})",
             R"({"bill":"x"})");
        type(u"field:/card"_s, u"1"_s);
        m_form->undo();
        QCOMPARE(m_form->value(), R"({"bill":"x"})");
        open(R"({"type":"object","properties":{"mode":{"type":"string"}},
            "if":{"required":["mode"],"properties":{"mode":{"minLength":2}}},"else":{"properties":{"x":{"type":"string"}}}})",
             R"({"x":"keep"})");
        type(u"field:/mode"_s, u"ab"_s);
        m_form->setValue(json::parse("{}"));
        m_form->undo();
        m_form->undo();
        QCOMPARE(m_form->value(), R"({"x":"keep"})");
    }

    void manyConditionsTakeNoTime()
    {
        QByteArray dependencies;
        for (int i = 0; i < 20'000; ++i)
            dependencies += (i > 0 ? ",\"d" : "\"d") + QByteArray::number(i) + "\":[\"x\"]";
        open("{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"}},\"dependentRequired\":{" +
             dependencies + "}}");
        type(u"field:/a"_s, u"abc"_s);
        QCOMPARE(m_form->value(), R"({"a":"abc"})");
        QVERIFY(m_form->accepts(u"a"_s));
    }

    void rememberedMembersAreAccepted()
    {
        open(R"({"type":"object","additionalProperties":false,"properties":{"on":{"type":"boolean"}},
            "if":{"properties":{"on":{"const":true}}},"then":{"properties":{"level":{"type":"integer"}}}})");
        QVERIFY(m_form->accepts(u"level"_s));
        QVERIFY(!m_form->accepts(u"other"_s));
    }
};

SONDE_TEST(TestFormConditions)
#include "tst_formconditions.moc"
