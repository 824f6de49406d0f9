// One undo for everything that can be done in a form.
// SPDX-License-Identifier: Apache-2.0
#include "core/json/document.h"
#include "tests/support/testregistry.h"
#include "tests/ui/form/formfixture.h"
#include "ui/form/formhistory.h"

#include <QAbstractButton>
#include <QApplication>
#include <QClipboard>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QTest>

using namespace Qt::StringLiterals;
using sonde::test::FormFixture;
using sonde::ui::FormHistory;
namespace json = sonde::json;

class TestFormUndo : public QObject, FormFixture {
    Q_OBJECT

    void undo() const { press(Qt::Key_Z, Qt::ControlModifier); }
    void redo() const { press(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier); }

private Q_SLOTS:
    void init() { begin(); }
    void cleanup() { end(); }

    void typedText()
    {
        open(R"({"type":"object","properties":{"a":{"type":"string"},"b":{"type":"number"}}})");
        type(u"field:/a"_s, u"text"_s);
        type(u"field:/b"_s, u"1.50"_s);
        QCOMPARE(m_form->value(), R"({"a":"text","b":1.50})");
        undo();
        QCOMPARE(m_form->value(), R"({"a":"text"})");
        undo();
        QCOMPARE(m_form->value(), "{}");
        QCOMPARE(QApplication::focusWidget()->objectName(), u"field:/a"_s);
        undo();
        QCOMPARE(m_form->value(), "{}");
        redo();
        redo();
        QCOMPARE(m_form->value(), R"({"a":"text","b":1.50})");
        QTest::keyClicks(QApplication::focusWidget(), u"9"_s);
        QCOMPARE(m_form->value(), R"({"a":"text","b":1.509})");
        redo();
        QCOMPARE(m_form->value(), R"({"a":"text","b":1.509})");
    }

    // Boxes of choices know these keys, too: one searches for what is typed, the other one has a line with its own
    // undo.
    void inBoxesOfChoices()
    {
        open(R"({"type":"object","properties":{"a":{"type":"string"},"few":{"enum":["x","y"]},)"
             R"("many":{"enum":["k0","k1","k2","k3","k4","k5","k6","k7","k8","k9","k10"]}}})");
        type(u"field:/a"_s, u"text"_s);
        for (const QString &name : {u"field:/few"_s, u"field:/many"_s}) {
            find<QWidget>(name)->setFocus();
            undo();
            QCOMPARE(m_form->value(), "{}");
            find<QWidget>(name)->setFocus();
            redo();
            QCOMPARE(m_form->value(), R"({"a":"text"})");
        }
        find<QWidget>(u"field:/few"_s)->setFocus();
        press(Qt::Key_Y);
        find<QWidget>(u"field:/many"_s)->setFocus();
        QTest::keyClicks(QApplication::focusWidget(), u"k3"_s);
        QCOMPARE(m_form->value(), R"({"a":"text","few":"y","many":"k3"})");
        undo();
        QCOMPARE(m_form->value(), R"({"a":"text","few":"y"})");
        undo();
        undo();
        QCOMPARE(m_form->value(), "{}");
    }

    void rows()
    {
        open(R"({"type":"object","properties":{"l":{"type":"array","items":{"type":"object",
            "properties":{"t":{"type":"string"}}}}}})",
             R"({"l":[{"t":"first","more":1.0},{"t":"second"},{"t":"third"}]})");
        click(u"remove:/l/1"_s);
        click(u"down:/l/0"_s);
        QCOMPARE(m_form->value(), R"({"l":[{"t":"third"},{"t":"first","more":1.0}]})");
        undo();
        QCOMPARE(m_form->value(), R"({"l":[{"t":"first","more":1.0},{"t":"third"}]})");
        undo();
        QCOMPARE(m_form->value(), R"({"l":[{"t":"first","more":1.0},{"t":"second"},{"t":"third"}]})");
        type(u"field:/l/1/t"_s, u"!"_s);
        QCOMPARE(m_form->value(), R"({"l":[{"t":"first","more":1.0},{"t":"second!"},{"t":"third"}]})");
        undo();
        click(u"add:/l"_s);
        undo();
        QCOMPARE(m_form->value(), R"({"l":[{"t":"first","more":1.0},{"t":"second"},{"t":"third"}]})");
        QVERIFY(!find<QWidget>(u"place:/l/3"_s));
    }

    void setAndOmittedAndNull()
    {
        open(R"({"type":"object","properties":{"a":{"type":["string","null"]},"o":{"type":"object",
            "properties":{"t":{"type":"string"}}}}})",
             R"({"a":"x","o":{"t":"y"}})");
        choose(u"presence:/a"_s, u"Null"_s);
        choose(u"presence:/o"_s, u"not-sent"_s);
        QCOMPARE(m_form->value(), R"({"a":null})");
        undo();
        QCOMPARE(m_form->value(), R"({"a":null,"o":{"t":"y"}})");
        QVERIFY(find<QWidget>(u"field:/o/t"_s)->isVisible());
        undo();
        QCOMPARE(m_form->value(), R"({"a":"x","o":{"t":"y"}})");
    }

    // What is sent because of a value within goes with it.
    void whatWasSentForItsContents()
    {
        open(R"({"type":"object","properties":{"o":{"type":"object","required":["k"],"properties":{
            "k":{"const":1},"t":{"type":"string"}}}},"required":["o"]})");
        const QByteArray before = m_form->value();
        type(u"field:/o/t"_s, u"x"_s);
        QVERIFY(m_form->value().contains(R"("t":"x")"));
        undo();
        QCOMPARE(m_form->value(), before);
        redo();
        QCOMPARE(m_form->value(), R"({"o":{"k":1,"t":"x"}})");
    }

    void branches()
    {
        open(R"({"type":"object","properties":{"u":{"oneOf":[
            {"type":"object","title":"One","required":["a"],"properties":{"a":{"type":"string"}}},
            {"type":"object","title":"Two","required":["b"],"properties":{"b":{"type":"string"}}}]}}})",
             R"({"u":{"a":"kept"}})");
        click(u"branch:1:/u"_s);
        QCOMPARE(m_form->value(), R"({"u":{}})");
        type(u"field:/u/b"_s, u"x"_s);
        undo();
        undo();
        QCOMPARE(m_form->value(), R"({"u":{"a":"kept"}})");
        QVERIFY(find<QWidget>(u"field:/u/a"_s)->isVisible());
    }

    void namesOfEntries()
    {
        open(R"({"type":"object","properties":{"m":{"type":"object","additionalProperties":{"type":"string"}}}})",
             R"({"m":{"a":"1","b":"2"}})");
        type(u"key:/m/a"_s, u"bc"_s);
        QCOMPARE(m_form->value(), R"({"m":{"abc":"1","b":"2"}})");
        undo();
        QCOMPARE(m_form->value(), R"({"m":{"a":"1","b":"2"}})");
        // With one name twice, the row that was meant changes.
        m_form->setValue(json::parse(R"({"m":{"a":"1","a":"2"}})"));
        settle();
        undo();
        QCOMPARE(m_form->value(), R"({"m":{"a":"1","b":"2"}})");
    }

    // One level up or more: the row that was meant changes.
    void membersOfOneNameAtSeveralLevels()
    {
        const QByteArray value = R"({"m":{"a":{"t":"1"},"a":{"t":"2"}}})";
        open(R"({"type":"object","properties":{"m":{"type":"object","additionalProperties":{"type":"object",
            "properties":{"t":{"type":"string"}}}}}})",
             value);
        const QList<QPlainTextEdit *> edits = m_form->findChildren<QPlainTextEdit *>(u"field:/m/a/t"_s);
        QCOMPARE(edits.size(), 2);
        QTest::keyClicks(edits.constFirst(), u"x"_s);
        QVERIFY(m_form->value() != value);
        m_form->undo();
        QCOMPARE(m_form->value(), value);
    }

    void blankRowsWithin()
    {
        open(R"({"type":"object","properties":{"l":{"type":"array","items":{"type":"number"}}}})",
             R"({"l":[1,2,3,4]})");
        QTest::keyClick(find<QWidget>(u"field:/l/0"_s), Qt::Key_Backspace);
        QCOMPARE(m_form->value(), R"({"l":[2,3,4]})");
        const QList<QLineEdit *> edits = m_form->findChildren<QLineEdit *>();
        QTest::keyClicks(edits.at(1), u"5"_s);
        QCOMPARE(m_form->value(), R"({"l":[25,3,4]})");
        m_form->setValue(json::parse("{}"));
        m_form->undo();
        QCOMPARE(m_form->value(), R"({"l":[25,3,4]})");
        m_form->undo();
        QCOMPARE(m_form->value(), R"({"l":[2,3,4]})");
        m_form->undo();
        QCOMPARE(m_form->value(), R"({"l":[1,2,3,4]})");
    }

    void valuesFromElsewhere()
    {
        open(R"({"type":"object","properties":{"a":{"type":"string"}}})");
        type(u"field:/a"_s, u"typed"_s);
        m_form->setValue(json::parse(R"({"a":"from the history"})"));
        m_form->clear();
        m_form->setFocus();
        settle();
        undo();
        QCOMPARE(m_form->value(), R"({"a":"from the history"})");
        undo();
        QCOMPARE(m_form->value(), R"({"a":"typed"})");
        undo();
        QCOMPARE(m_form->value(), "{}");
    }

    // Its JSON is what brings it back, and a worker makes that.
    void aNovelIsTakenBackOnceItIsJson()
    {
        open(R"({"type":"object","properties":{"body":{"type":"string"}}})");
        const auto *body = find<QPlainTextEdit>(u"field:/body"_s);
        find<QPlainTextEdit>(u"field:/body"_s)->setFocus();
        QApplication::clipboard()->setText(QString(2'000'000, u'n'));
        QTest::keySequence(QApplication::focusWidget(), QKeySequence::Paste);
        QVERIFY(!m_form->isPrepared());
        undo();
        QVERIFY(!body->document()->isEmpty());
        QTRY_VERIFY(!find<QPlainTextEdit>(u"field:/body"_s) ||
                    find<QPlainTextEdit>(u"field:/body"_s)->document()->isEmpty());
        QCOMPARE(m_form->value(), "{}");
        QVERIFY(m_form->redo());
        QCOMPARE(json::parse(m_form->value())[u"body"].string().size(), 2'000'000);
    }

    void aPastedNovelIsOneStep()
    {
        open(R"({"type":"object","properties":{"body":{"type":"string"},"b":{"type":"string"}}})");
        QApplication::clipboard()->setText(QString(2'000'000, u'n'));
        find<QWidget>(u"field:/body"_s)->setFocus();
        press(Qt::Key_V, Qt::ControlModifier);
        QTest::keyClicks(find<QWidget>(u"field:/b"_s), u"y"_s);
        QCOMPARE(json::parse(m_form->value())[u"body"].string().size(), 2'000'000);
        undo();
        QCOMPARE(json::parse(m_form->value())[u"body"].string().size(), 2'000'000);
        QVERIFY(!json::parse(m_form->value()).contains(u"b"_s));
        undo();
        QCOMPARE(m_form->value(), "{}");
        redo();
        QCOMPARE(json::parse(m_form->value())[u"body"].string().size(), 2'000'000);
    }

    void theLastStepsAreKept()
    {
        open(R"({"type":"object","properties":{"f":{"type":"boolean"}}})");
        for (int i = 0; i < int(FormHistory::MaxSteps) + 20; ++i)
            find<QAbstractButton>(i % 2 == 0 ? u"true:/f"_s : u"false:/f"_s)->click();
        for (int i = 0; i < int(FormHistory::MaxSteps); ++i)
            m_form->undo();
        QCOMPARE(m_form->value(), R"({"f":false})");  // as after the first twenty
        m_form->undo();
        QCOMPARE(m_form->value(), R"({"f":false})");
    }

    // Whatever is done, going back leads through the same values, and forth again too.
    void anyWayBackAndForth()
    {
        const QByteArray schema =
            R"({"type":"object","properties":{"t":{"type":"string"},"n":{"type":"number"},"f":{"type":"boolean"},
               "l":{"type":"array","items":{"type":"string"}},"m":{"type":"object","additionalProperties":{"type":"number"}}}})";
        for (uint seed = 1; seed <= 5; ++seed) {
            open(schema);
            QList<QByteArray> values{m_form->value()};
            uint state = seed;
            const auto next = [&state](uint count) { return (state = state * 1103515245 + 12345) / 65536 % count; };
            for (int step = 0; step < 30; ++step) {
                const QList<QWidget *> all = m_form->findChildren<QWidget *>(
                    QRegularExpression(u"^(field|add|remove|true|false|presence|key):"_s));
                QWidget *widget = all.at(qsizetype(next(uint(all.size()))));
                if (!widget->isVisible() || !widget->isEnabled())
                    continue;
                if (widget->objectName().startsWith("presence:"_L1))
                    continue;  // opens a menu
                if (auto *button = qobject_cast<QAbstractButton *>(widget)) {
                    button->click();
                } else {
                    widget->setFocus();
                    QTest::keyClick(widget, char('a' + next(26)));
                    // Each key a step of its own.
                    if (m_form->value() != values.constLast())
                        m_form->focusFirstField();
                }
                settle();
                if (m_form->value() != values.constLast())
                    values.append(m_form->value());
            }
            QList<QByteArray> back{m_form->value()};
            for (int step = 0; step < 60; ++step) {
                m_form->undo();
                settle();
                if (m_form->value() != back.constFirst())
                    back.prepend(m_form->value());
            }
            QCOMPARE(back.constFirst(), values.constFirst());
            for (const QByteArray &value : std::as_const(back))
                QVERIFY2(values.contains(value), value.constData());
            for (int step = 0; step < 60; ++step)
                m_form->redo();
            settle();
            QCOMPARE(m_form->value(), values.constLast());
        }
    }
};

SONDE_TEST(TestFormUndo)
#include "tst_formundo.moc"
