// Unions of objects in a form: what a branch is told by is filled in with it; and places behind references that depend
// on the way to them.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fallbacks.h"
#include "tests/support/testregistry.h"
#include "tests/ui/form/formfixture.h"

#include <QAbstractButton>
#include <QApplication>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;

class TestFormUnions : public QObject, protected test::FormFixture {
    Q_OBJECT

    bool isShown(const QString &pointer) const
    {
        settle();
        const auto *field = find<QWidget>(u"place:"_s + pointer);
        return field && field->isVisible();
    }
    QString labelOf(const QString &button) const
    {
        settle();
        const auto *found = find<QAbstractButton>(button);
        return found ? found->text() : QString();
    }
    bool isChecked(const QString &button) const
    {
        settle();
        const auto *found = find<QAbstractButton>(button);
        return found && found->isChecked();
    }

private Q_SLOTS:
    void init() { begin(); }
    void cleanup() { end(); }

    void aMappingNamesTheBranchesAndIsFilledIn();
    void anUnknownTagIsSeenAndCorrected();
    void anUnknownTagIsCorrectedInABranchWithALongConstant();
    void severalValuesOfABranchAreAChoice();
    void anOptionalConstantIsSentToo();
    void membersBesideAUnionAreInEachBranch();
    void aWrongTagIsReportedWhereItIs();
    void nullOfAReferenceIsDrawn();
    void placesBehindADynamicReference();
    void whatIsTypedAtTheChoiceGoesToTheValue();
    void whatIsTypedAtTheChoiceIsInSight();
    void theDiscriminatorChoosesWhatIsJudged();
};

void TestFormUnions::whatIsTypedAtTheChoiceIsInSight()
{
    m_form->resize(400, 100);
    open(R"({"type":"object","required":["v"],"properties":{"v":{"oneOf":[)"
         R"({"type":"object","title":"A","required":["s"],"properties":{"s":{"type":"string"}}},)"
         R"({"type":"object","title":"B","required":["t"],"properties":{"t":{"type":"string"}}}]}}})");
    const QScrollBar *bar = m_form->findChild<QScrollArea *>()->verticalScrollBar();
    click(u"branch:1:/v"_s);
    settle();
    m_form->findChild<QScrollArea *>()->verticalScrollBar()->setValue(0);
    find<QWidget>(u"branch:1:/v"_s)->setFocus();
    press(Qt::Key_X);
    const QWidget *input = QApplication::focusWidget();
    QCOMPARE(input->objectName(), u"field:/v/t"_s);
    QVERIFY(bar->value() > 0);
    QVERIFY(input->mapTo(m_form.get(), QPoint(0, input->height())).y() <= m_form->height());
}

// By JSON Schema alone both branches match; OpenAPI's discriminator names the one that is meant.
void TestFormUnions::theDiscriminatorChoosesWhatIsJudged()
{
    open(R"({"type":"object","properties":{"pet":{"oneOf":[{"$ref":"#/$defs/Cat"},{"$ref":"#/$defs/Dog"}],)"
         R"("discriminator":{"propertyName":"petType","mapping":{"kitty":"#/$defs/Cat","doggy":"#/$defs/Dog"}}}},)"
         R"("$defs":{"Cat":{"type":"object","required":["petType"],"properties":{"petType":{"type":"string"}}},)"
         R"("Dog":{"type":"object","required":["petType","bark"],"properties":{"petType":{"type":"string"},)"
         R"("bark":{"type":"boolean"}}}}})",
         R"({"pet":{"petType":"doggy","bark":true}})");
    QVERIFY(m_form->issues().isEmpty());
    m_form->setValue(json::parse(R"({"pet":{"petType":"kitty","bark":true}})"));
    QVERIFY(m_form->issues().isEmpty());
}

void TestFormUnions::whatIsTypedAtTheChoiceGoesToTheValue()
{
    open(R"({"type":"object","properties":{"a":{"type":"string"},)"
         R"("v":{"anyOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}]}}})",
         R"({"v":""})");
    find<QWidget>(u"field:/a"_s)->setFocus();
    press(Qt::Key_Tab);
    QCOMPARE(QApplication::focusWidget()->objectName(), u"branch:0:/v"_s);
    press(Qt::Key_X);
    QTest::keyClicks(QApplication::focusWidget(), u"yz"_s);
    QCOMPARE(m_form->value(), R"({"v":"xyz"})");
}

// OpenAPI: the schema of the member is any string, and the mapping says which one means which branch.
void TestFormUnions::aMappingNamesTheBranchesAndIsFilledIn()
{
    open(
        R"({"type":"object","required":["pay"],"properties":{"pay":{"oneOf":[{"$ref":"#/$defs/CardPayment"},{"$ref":"#/$defs/Sepa"}],)"
        R"("discriminator":{"propertyName":"method","mapping":{"card":"#/$defs/CardPayment","sepa":"#/$defs/Sepa"}}}},)"
        R"("$defs":{"CardPayment":{"type":"object","title":"CardPayment","required":["method","number"],)"
        R"("properties":{"method":{"type":"string"},"number":{"type":"string"}}},"Sepa":{"type":"object","title":"Sepa",)"
        R"("required":["method","iban"],"properties":{"method":{"type":"string"},"iban":{"type":"string"}}}}})");
    QCOMPARE(labelOf(u"branch:0:/pay"_s), u"card"_s);
    QCOMPARE(labelOf(u"branch:1:/pay"_s), u"sepa"_s);
    click(u"branch:1:/pay"_s);
    QCOMPARE(m_form->value(), R"({"pay":{"method":"sepa"}})");
    QVERIFY(!isShown(u"/pay/method"_s));
    type(u"field:/pay/iban"_s, u"DE1"_s);
    QCOMPARE(m_form->value(), R"({"pay":{"method":"sepa","iban":"DE1"}})");
    QVERIFY(m_form->issues().isEmpty());
    click(u"branch:0:/pay"_s);
    QCOMPARE(m_form->value(), R"({"pay":{"method":"card"}})");
    m_form->setValue(json::parse(R"({"pay":{"iban":"x","method":"sepa"}})"));
    settle();
    QVERIFY(isChecked(u"branch:1:/pay"_s));
}

// It is offered behind the branches, and what else was typed stays.
void TestFormUnions::anUnknownTagIsSeenAndCorrected()
{
    const QByteArray unknown = R"({"pay":{"method":"bank","number":"1"}})";
    open(
        R"({"type":"object","properties":{"pay":{"oneOf":[{"$ref":"#/$defs/Card"},{"$ref":"#/$defs/Cash"}],)"
        R"("discriminator":{"propertyName":"method","mapping":{"card":"#/$defs/Card","cash":"#/$defs/Cash"}}}},)"
        R"("$defs":{"Card":{"type":"object","required":["number"],"properties":{"method":{"type":"string"},"number":{"type":"string"}}},)"
        R"("Cash":{"type":"object","required":["amount"],"properties":{"method":{"type":"string"}}}}})",
        unknown);
    QCOMPARE(labelOf(u"branch:2:/pay"_s), u"“bank”"_s);
    QVERIFY(isChecked(u"branch:2:/pay"_s));
    QVERIFY(!isShown(u"/pay/method"_s) && isShown(u"/pay/number"_s));
    const QList<ui::FormIssue> issues = m_form->issues();
    QCOMPARE(issues.size(), 1);
    QCOMPARE(issues.constFirst().place.toString(), u"/pay/method"_s);
    QCOMPARE(issues.constFirst().message, u"“bank” is not one of: card, cash"_s);
    QTRY_VERIFY(find<QLabel>(u"issue:/pay"_s) && find<QLabel>(u"issue:/pay"_s)->text().contains(u"“bank”"_s));
    click(u"branch:0:/pay"_s);
    QCOMPARE(m_form->value(), R"({"pay":{"method":"card","number":"1"}})");
    QVERIFY(m_form->issues().isEmpty());
    click(u"branch:2:/pay"_s);
    QCOMPARE(m_form->value(), unknown);
    m_form->undo();
    QCOMPARE(m_form->value(), R"({"pay":{"method":"card","number":"1"}})");
}

// It is too long for a new value.
void TestFormUnions::anUnknownTagIsCorrectedInABranchWithALongConstant()
{
    open(R"({"type":"object","properties":{"pay":{"oneOf":[{"type":"object","required":["note","kind"],)"
         R"("properties":{"note":{"const":")" +
             QByteArray(70'000, 'n') +
             R"("},"kind":{"const":"card"}}},{"type":"object","required":["kind"],)"
             R"("properties":{"kind":{"const":"cash"}}}]}}})",
         R"({"pay":{"kind":"bank"}})");
    click(u"branch:0:/pay"_s);
    QCOMPARE(json::parse(m_form->value())[u"pay"][u"kind"].bytes(), "\"card\"");
}

void TestFormUnions::severalValuesOfABranchAreAChoice()
{
    open(
        R"({"type":"object","required":["op"],"properties":{"op":{"oneOf":[)"
        R"({"type":"object","required":["verb"],"properties":{"verb":{"enum":["get","head"]}}},)"
        R"({"type":"object","required":["verb"],"properties":{"verb":{"enum":["put","post"]},"body":{"type":"string"}}}]}}})");
    QCOMPARE(labelOf(u"branch:1:/op"_s), u"put, post"_s);
    click(u"branch:1:/op"_s);
    QCOMPARE(m_form->value(), R"({"op":{"verb":"put"}})");
    QVERIFY(isShown(u"/op/verb"_s) && isShown(u"/op/body"_s));
    m_form->setValue(json::parse(R"({"op":{"verb":"post"}})"));
    settle();
    QVERIFY(isChecked(u"branch:1:/op"_s));
}

// pydantic gives the member a default, so that it is not required; the server wants it all the same.
void TestFormUnions::anOptionalConstantIsSentToo()
{
    open(R"({"type":"object","properties":{"pet":{"anyOf":[)"
         R"({"type":"object","title":"Cat","required":["lives"],"properties":{)"
         R"("kind":{"const":"cat","default":"cat","type":"string"},"lives":{"type":"integer"}}},)"
         R"({"type":"object","title":"Dog","required":["bark"],"properties":{)"
         R"("kind":{"const":"dog","default":"dog","type":"string"},"bark":{"type":"string"}}}]}},"required":["pet"]})");
    QVERIFY(!isShown(u"/pet/kind"_s));
    type(u"field:/pet/lives"_s, u"9"_s);
    QCOMPARE(m_form->value(), R"({"pet":{"kind":"cat","lives":9}})");
    click(u"branch:1:/pet"_s);
    QCOMPARE(m_form->value(), R"({"pet":{"kind":"dog"}})");
    QCOMPARE(m_form->issues().size(), 1);
    QCOMPARE(m_form->issues().constFirst().place.toString(), u"/pet/bark"_s);
}

// What is beside the union belongs to each branch.
void TestFormUnions::membersBesideAUnionAreInEachBranch()
{
    open(R"({"type":"object","properties":{"common":{"type":"string"}},"required":["common"],"oneOf":[)"
         R"({"title":"By id","properties":{"id":{"type":"integer"}},"required":["id"]},)"
         R"({"title":"By slug","properties":{"slug":{"type":"string"}},"required":["slug"]}]})");
    QVERIFY(isShown(u"/common"_s) && isShown(u"/id"_s) && !isShown(u"/slug"_s));
    click(u"branch:1:"_s);
    QVERIFY(isShown(u"/common"_s) && !isShown(u"/id"_s) && isShown(u"/slug"_s));
    type(u"field:/common"_s, u"c"_s);
    type(u"field:/slug"_s, u"s"_s);
    QCOMPARE(json::parse(m_form->value())[u"slug"].string(), u"s"_s);
    QVERIFY(m_form->issues().isEmpty());
    QVERIFY(test::fallbacksOf(*m_form).isEmpty());
}

void TestFormUnions::aWrongTagIsReportedWhereItIs()
{
    open(R"({"type":"object","properties":{"pay":{"oneOf":[)"
         R"({"type":"object","required":["kind"],"properties":{"kind":{"const":"card"}}},)"
         R"({"type":"object","required":["kind"],"properties":{"kind":{"enum":["sepa","ach"]}}}]}}})",
         R"({"pay":{"kind":"crad"}})");
    const QList<ui::FormIssue> issues = m_form->issues();
    QCOMPARE(issues.size(), 1);
    QCOMPARE(issues.constFirst().place.toString(), u"/pay/kind"_s);
    QVERIFY2(issues.constFirst().message.contains(u"card"), qPrintable(issues.constFirst().message));
}

void TestFormUnions::nullOfAReferenceIsDrawn()
{
    const QByteArray value = R"({"a":null,"b":null,"c":null})";
    open(R"({"type":"object","properties":{"a":{"$ref":"#/$defs/o","nullable":true},)"
         R"("b":{"allOf":[{"$ref":"#/$defs/e"}],"nullable":true},)"
         R"("c":{"oneOf":[{"$ref":"#/$defs/o"},{"type":"integer"}],"nullable":true}},)"
         R"("$defs":{"o":{"type":"object","properties":{"x":{"type":"string"}}},"e":{"enum":["p","q"]}}})",
         value);
    QCOMPARE(m_form->value(), value);
    QVERIFY(m_form->issues().isEmpty());
    QVERIFY(test::fallbacksOf(*m_form).isEmpty());
    QVERIFY(isShown(u"/a"_s) && isShown(u"/b"_s) && isShown(u"/c"_s));
}

// Level by level, as deep as somebody goes.
void TestFormUnions::placesBehindADynamicReference()
{
    open(
        R"({"$id":"urn:example:strict","$dynamicAnchor":"node","$ref":"urn:example:tree","unevaluatedProperties":false,)"
        R"("properties":{"tag":{"enum":["x","y"]}},"$defs":{"tree":{"$id":"urn:example:tree",)"
        R"("$dynamicAnchor":"node","type":"object","properties":{"data":{"type":"integer"},)"
        R"("children":{"type":"array","items":{"$dynamicRef":"#node"}}}}}})");
    click(u"add:/children"_s);
    QVERIFY(isShown(u"/children/0/data"_s) && isShown(u"/children/0/tag"_s));
    click(u"add:/children/0/children"_s);
    QVERIFY(isShown(u"/children/0/children/0/tag"_s));
    type(u"field:/children/0/children/0/data"_s, u"7"_s);
    QCOMPARE(m_form->value(), R"({"children":[{"children":[{"data":7}]}]})");
    QVERIFY(m_form->issues().isEmpty());
    QVERIFY(test::fallbacksOf(*m_form).isEmpty());
}

SONDE_TEST(TestFormUnions)
#include "tst_formunions.moc"
