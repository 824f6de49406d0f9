// A list of flat objects as a table: keys, mouse, what is pasted, and that nothing is sent that nobody has entered.
// SPDX-License-Identifier: Apache-2.0
#include "core/json/document.h"
#include "tests/support/testregistry.h"
#include "tests/ui/form/formfixture.h"
#include "ui/form/celltext.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QTableView>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::FormFixture;

namespace {

const QByteArray People = R"({"type":"object","properties":{"people":{"type":"array","items":{"type":"object",
    "required":["name"],"properties":{
        "name":{"type":"string","title":"Full name","minLength":1},
        "age":{"type":"integer"},
        "role":{"enum":["admin","guest"]},
        "active":{"type":["boolean","null"]},
        "v":{"const":1}}}}}})"_ba;

QByteArray person(const QByteArray &name, const QByteArray &age)
{
    return "{\"name\":\"" + name + '"' + (age.isEmpty() ? QByteArray() : ",\"age\":" + age) + '}';
}

QByteArray people(const QByteArrayList &rows)
{
    return "{\"people\":[" + rows.join(',') + "]}";
}

}  // namespace

class TestTableEditor : public QObject, FormFixture {
    Q_OBJECT

    QTableView *table() const { return find<QTableView>(u"table:/people"_s); }
    QString cell(int row, int column) const { return table()->model()->index(row, column).data().toString(); }
    void openTable(const QByteArray &value = {})
    {
        open(People, value);
        click(u"as-table:/people"_s);
        settle();
        QVERIFY(table());
        QTRY_COMPARE(QApplication::focusWidget(), table());
    }
    void go(int row, int column) const
    {
        const QRect rect = table()->visualRect(table()->model()->index(row, column));
        QTest::mouseClick(table()->viewport(), Qt::LeftButton, {}, rect.center());
    }
    std::pair<int, int> at() const { return {table()->currentIndex().row(), table()->currentIndex().column()}; }
    void keys(const QString &text) const
    {
        // Each where the focus is by then.
        for (const QChar key : text)
            QTest::keyClick(QApplication::focusWidget(), key.toLatin1());
        settle();
    }
    void paste(const QString &text) const
    {
        QApplication::clipboard()->setText(text);
        press(Qt::Key_V, Qt::ControlModifier);
    }
    void chooseInMenu(const QString &action) const
    {
        QContextMenuEvent event(QContextMenuEvent::Keyboard, QPoint(), QPoint());
        QApplication::sendEvent(table(), &event);
        QMenu *menu = nullptr;
        QTRY_VERIFY((menu = qobject_cast<QMenu *>(QApplication::activePopupWidget())));
        auto *entry = menu->findChild<QAction *>(action);
        QVERIFY2(entry, qPrintable(action));
        menu->setActiveAction(entry);
        QTest::keyClick(menu, Qt::Key_Return);
        QTRY_VERIFY(!QApplication::activePopupWidget());
        m_form->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_form.get()));
    }

private Q_SLOTS:
    void init() { begin(); }
    void cleanup() { end(); }

    void readsTheClipboard_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QList<QStringList>>("rows");
        using Rows = QList<QStringList>;
        QTest::newRow("tabs") << u"a\tb\r\nc\td\r\n"_s << Rows{{u"a"_s, u"b"_s}, {u"c"_s, u"d"_s}};
        QTest::newRow("quotes") << u"\"a\tb\"\t\"say \"\"hi\"\"\"\n\"x\ny\"\tz"_s
                                << Rows{{u"a\tb"_s, u"say \"hi\""_s}, {u"x\ny"_s, u"z"_s}};
        QTest::newRow("a quote within") << u"\"a\" b\tc"_s << Rows{{u"\"a\" b"_s, u"c"_s}};
        QTest::newRow("open quote") << u"\"a\tc"_s << Rows{{u"\"a"_s, u"c"_s}};
        QTest::newRow("empty cells") << u"\ta\t\n\t\t"_s << Rows{{u""_s, u"a"_s, u""_s}, {u""_s, u""_s, u""_s}};
        QTest::newRow("commas") << u"a,\"b,c\"\n1,2"_s << Rows{{u"a"_s, u"b,c"_s}, {u"1"_s, u"2"_s}};
        QTest::newRow("semicolons") << u"a;b\n1;2\n"_s << Rows{{u"a"_s, u"b"_s}, {u"1"_s, u"2"_s}};
        QTest::newRow("header") << u"name,x,y"_s << Rows{{u"name"_s, u"x"_s, u"y"_s}};
        QTest::newRow("a sentence") << u"Hello, world"_s << Rows{{u"Hello, world"_s}};
        QTest::newRow("lines") << u"a, b, c\nd"_s << Rows{{u"a, b, c"_s}, {u"d"_s}};
    }
    void readsTheClipboard()
    {
        QFETCH(QString, text);
        QFETCH(QList<QStringList>, rows);
        QCOMPARE(ui::cellsOf(text, 2, [](const QStringList &row) { return row.constFirst() == u"name"_s; }), rows);
    }

    void whatIsCopiedIsReadAgain()
    {
        const QList<QStringList> rows{{u"a\tb"_s, u"\"q\""_s}, {u"x\r\ny"_s, u""_s}};
        QCOMPARE(ui::cellsOf(ui::tabSeparated(rows), 2, [](const QStringList &) { return false; }), rows);
    }

    void onlyFlatListsAreTables()
    {
        open(R"({"type":"object","properties":{
            "flat":{"type":"array","items":{"type":"object","properties":{"a":{"type":"string"}}}},
            "deep":{"type":"array","items":{"type":"object","properties":{"a":{"type":"array"}}}},
            "secret":{"type":"array","items":{"type":"object","properties":{"password":{"type":"string"}}}},
            "tuple":{"type":"array","items":[{"type":"object","properties":{"a":{"type":"string"}}}]},
            "plain":{"type":"array","items":{"type":"string"}}}})");
        QVERIFY(find<QWidget>(u"as-table:/flat"_s));
        for (const QString &name : {u"deep"_s, u"secret"_s, u"tuple"_s, u"plain"_s})
            QVERIFY2(!find<QWidget>(u"as-table:/"_s + name), qPrintable(name));
    }

    void looksChangesNothing()
    {
        const QByteArray value = R"({"people":[{"age":1.0,"name":"A\u0064a","more":{"x":[1e400]}},7,{}]})"_ba;
        openTable(value);
        QCOMPARE(m_form->value(), value);
        QCOMPARE(cell(0, 0), u"Ada"_s);
        QCOMPARE(cell(0, 1), u"1.0"_s);
        QCOMPARE(cell(1, 0), u"7"_s);
        go(0, 1);
        press(Qt::Key_F2);
        press(Qt::Key_Return);
        QCOMPARE(m_form->value(), value);
        click(u"as-list:/people"_s);
        settle();
        QCOMPARE(m_form->value(), value);
        QVERIFY(!table());
    }

    void isFilledByKeyboardAlone()
    {
        openTable();
        QCOMPARE(at(), std::pair(0, 0));
        QCOMPARE(m_form->value(), "{}");
        keys(u"Ada"_s);
        QCOMPARE(m_form->value(), R"({"people":[{"name":"Ada"}]})");
        press(Qt::Key_Tab);
        QCOMPARE(QApplication::focusWidget(), table());
        QCOMPARE(at(), std::pair(0, 1));
        keys(u"18446744073709551616"_s);
        press(Qt::Key_Tab);
        keys(u"g"_s);
        press(Qt::Key_Return);
        go(0, 3);
        keys(u"t"_s);
        QCOMPARE(m_form->value(),
                 R"({"people":[{"name":"Ada","age":18446744073709551616,"role":"guest","active":true}]})");
        keys(u" "_s);
        QCOMPARE(cell(0, 3), u"false"_s);
        keys(u"n"_s);
        QCOMPARE(cell(0, 3), u"null"_s);
        press(Qt::Key_Home);
        press(Qt::Key_Return);
        QCOMPARE(at(), std::pair(1, 0));
        keys(u"Bob"_s);
        press(Qt::Key_Return);
        QCOMPARE(at(), std::pair(2, 0));
        QCOMPARE(table()->model()->rowCount(), 3);
        press(Qt::Key_Up);
        press(Qt::Key_Delete);
        QCOMPARE(m_form->value(),
                 R"({"people":[{"name":"Ada","age":18446744073709551616,"role":"guest","active":null},{}]})");
    }

    // Beside what can be chosen, as when it is pasted.
    void whatIsTypedIsKept()
    {
        openTable(R"({"people":[{"name":"a","role":"admin","active":true}]})");
        go(0, 2);
        keys(u"9.90"_s);
        press(Qt::Key_Tab);
        QCOMPARE(at(), std::pair(0, 3));
        keys(u"Even"_s);
        press(Qt::Key_Return);
        QCOMPARE(at(), std::pair(1, 3));
        QCOMPARE(m_form->value(), R"({"people":[{"name":"a","role":"9.90","active":"Even"}]})");
        const QAbstractItemModel *model = table()->model();
        QTRY_VERIFY(!model->index(0, 2).data(Qt::ToolTipRole).toString().isEmpty());
        QTRY_VERIFY(!model->index(0, 3).data(Qt::ToolTipRole).toString().isEmpty());
        go(0, 2);
        keys(u"Gu"_s);
        QCOMPARE(cell(0, 2), u"guest"_s);
        press(Qt::Key_Escape);
        QCOMPARE(cell(0, 2), u"9.90"_s);
    }

    void aChoiceIsTypedByItsBeginning()
    {
        openTable(R"({"people":[{"name":"a","role":"admin"},{"name":"b"}]})");
        go(0, 2);
        keys(u"g"_s);
        press(Qt::Key_Down);
        QCOMPARE(at(), std::pair(1, 2));
        QCOMPARE(QApplication::focusWidget(), table());
        keys(u"ADM"_s);
        press(Qt::Key_Tab);
        keys(u"tRUE"_s);
        press(Qt::Key_Return);
        QCOMPARE(m_form->value(),
                 R"({"people":[{"name":"a","role":"guest"},{"name":"b","role":"admin","active":true}]})");
        // What is left after something was deleted is not completed.
        go(0, 2);
        keys(u"gue"_s);
        press(Qt::Key_Backspace);
        press(Qt::Key_Return);
        QCOMPARE(cell(0, 2), u"gue"_s);
    }

    void aChoiceIsMadeInAList()
    {
        openTable(R"({"people":[{"name":"a"},{"name":"b"}]})");
        go(0, 2);
        press(Qt::Key_F2);
        QTRY_VERIFY(QApplication::activePopupWidget());
        const auto inPopup = [this](Qt::Key key) {
            QWidget *popup = QApplication::activePopupWidget();
            QTest::keyClick(popup->focusWidget() ? popup->focusWidget() : popup, key);
            settle();
        };
        inPopup(Qt::Key_Down);
        inPopup(Qt::Key_Return);
        QTRY_VERIFY(!QApplication::activePopupWidget());
        QVERIFY(!cell(0, 2).isEmpty());
        QCOMPARE(at(), std::pair(0, 2));
    }

    void tabGoesThroughTheCellsAndOut()
    {
        open(R"({"type":"object","properties":{"a":{"type":"string"},"people":{"type":"array","items":{"type":"object",
            "properties":{"x":{"type":"string"},"y":{"type":"string"}}}},"z":{"type":"string"}}})",
             R"({"people":[{}]})");
        click(u"as-table:/people"_s);
        settle();
        QTRY_COMPARE(QApplication::focusWidget(), table());
        for (const auto &next : {std::pair(0, 1), std::pair(1, 0)}) {
            press(Qt::Key_Tab);
            QCOMPARE(at(), next);
            QCOMPARE(QApplication::focusWidget(), table());
        }
        press(Qt::Key_Backtab);
        QCOMPARE(at(), std::pair(0, 1));
        press(Qt::Key_Tab);
        press(Qt::Key_Tab);
        QVERIFY(QApplication::focusWidget() != table());
        table()->setFocus();
        press(Qt::Key_Right, Qt::AltModifier);
        QVERIFY(!table()->hasFocus());
    }

    void escapeTakesBackWhatWasTyped()
    {
        openTable(R"({"people":[{"name":"Ada"}]})");
        keys(u"xyz"_s);
        QCOMPARE(cell(0, 0), u"xyz"_s);
        press(Qt::Key_Escape);
        QCOMPARE(cell(0, 0), u"Ada"_s);
        QCOMPARE(QApplication::focusWidget(), table());
        // A row that was begun by it goes as well.
        press(Qt::Key_Down);
        press(Qt::Key_F2);
        press(Qt::Key_Escape);
        QCOMPARE(m_form->value(), R"({"people":[{"name":"Ada"}]})");
        QCOMPARE(table()->model()->rowCount(), 2);
    }

    void omittedAndEmptyAreTwoThings()
    {
        openTable(R"({"people":[{"name":"Ada"},{"name":""}]})");
        QCOMPARE(cell(1, 0), u"empty string"_s);
        chooseInMenu(u"cell-empty"_s);
        QCOMPARE(m_form->value(), R"({"people":[{"name":""},{"name":""}]})");
        chooseInMenu(u"cell-omit"_s);
        QCOMPARE(m_form->value(), R"({"people":[{},{"name":""}]})");
        QCOMPARE(cell(0, 0), QString());
        go(0, 3);
        chooseInMenu(u"cell-null"_s);
        QCOMPARE(m_form->value(), R"({"people":[{"active":null},{"name":""}]})");
    }

    void rowsMoveAndGo()
    {
        openTable(R"({"people":[{"name":"a"},{"name":"b"},{"name":"c"}]})");
        press(Qt::Key_Down, Qt::AltModifier);
        QCOMPARE(m_form->value(), R"({"people":[{"name":"b"},{"name":"a"},{"name":"c"}]})");
        QCOMPARE(at(), std::pair(1, 0));
        press(Qt::Key_Down, Qt::ShiftModifier);
        press(Qt::Key_Backspace, Qt::ControlModifier);
        QCOMPARE(m_form->value(), R"({"people":[{"name":"b"}]})");
        QVERIFY(m_form->undo());
        QCOMPARE(m_form->value(), R"({"people":[{"name":"b"},{"name":"a"},{"name":"c"}]})");
        QCOMPARE(cell(2, 0), u"c"_s);
        QVERIFY(m_form->undo());
        QCOMPARE(cell(0, 0), u"a"_s);
        QVERIFY(m_form->redo());
        QCOMPARE(cell(0, 0), u"b"_s);
    }

    void aSpreadsheetIsOneStep()
    {
        openTable();
        paste(u"Full name\tAGE\tother\nAda\t36\tx\n\"Bo\nb\"\t\ty\n"_s);
        QCOMPARE(m_form->value(), R"({"people":[{"name":"Ada","age":36},{"name":"Bo\nb"}]})");
        QVERIFY(find<QLabel>(u"tableState:/people"_s)->text().contains(u"other"_s));
        // Over what is there, and beyond.
        go(1, 0);
        paste(u"Cy\t1e3\tguest\tTRUE\t5\nDi\tx\tking\t\n"_s);
        QCOMPARE(m_form->value(),
                 R"({"people":[{"name":"Ada","age":36},{"name":"Cy","age":1e3,"role":"guest","active":true},)"
                 R"({"name":"Di","age":"x","role":"king"}]})");
        QVERIFY(m_form->undo());
        QCOMPARE(m_form->value(), R"({"people":[{"name":"Ada","age":36},{"name":"Bo\nb"}]})");
        QVERIFY(m_form->undo());
        QCOMPARE(m_form->value(), "{}");
        QVERIFY(!m_form->undo());
        QVERIFY(m_form->redo());
        QCOMPARE(cell(0, 0), u"Ada"_s);
    }

    void manyRowsArePastedByAWorker()
    {
        openTable(R"({"people":[{"name":"a"}]})");
        QString text;
        for (int i = 0; i < 4'000; ++i)
            text += u"n%1\t%1\n"_s.arg(i);
        press(Qt::Key_Down);
        paste(text);
        QTRY_COMPARE(table()->model()->rowCount(), 4'002);
        QVERIFY(m_form->value().startsWith(R"({"people":[{"name":"a"},{"name":"n0","age":0},{"name":"n1","age":1},)"));
        QCOMPARE(at(), std::pair(1, 0));
        QVERIFY(m_form->undo());
        QCOMPARE(m_form->value(), R"({"people":[{"name":"a"}]})");
        QVERIFY(!m_form->undo());
    }

    void whatIsNoColumnIsKept()
    {
        openTable(R"({"people":[{"x":{"y":1},"name":"a","x":2}]})");
        paste(u"b\t7\n"_s);
        QCOMPARE(m_form->value(), R"({"people":[{"x":{"y":1},"name":"b","age":7,"x":2}]})");
    }

    void cellsAreCopiedWithTabs()
    {
        openTable(R"({"people":[{"name":"a\tb","age":1.50},{"age":2}]})");
        press(Qt::Key_Right, Qt::ShiftModifier);
        press(Qt::Key_Down, Qt::ShiftModifier);
        press(Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QApplication::clipboard()->text(), u"\"a\tb\"\t1.50\n\t2\n"_s);
        chooseInMenu(u"cells-copy-header"_s);
        QCOMPARE(QApplication::clipboard()->text(), u"name\tage\n\"a\tb\"\t1.50\n\t2\n"_s);
    }

    void typingIsUndoneWithTheForm()
    {
        openTable(R"({"people":[{"name":"Ada"}]})");
        keys(u"xyz"_s);
        press(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(m_form->value(), R"({"people":[{"name":"Ada"}]})");
        QCOMPARE(cell(0, 0), u"Ada"_s);
        QTRY_COMPARE(QApplication::focusWidget(), table());
        press(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(cell(0, 0), u"xyz"_s);
    }

    void problemsAreInTheirCells()
    {
        openTable(R"({"people":[{"name":"a","age":1.5},{"age":3}]})");
        const QAbstractItemModel *model = table()->model();
        QTRY_VERIFY(model->index(0, 1).data(Qt::ToolTipRole).toString().contains(u"integer"_s));
        QVERIFY(!model->index(1, 0).data(Qt::ToolTipRole).toString().isEmpty());
        QVERIFY(model->index(1, 1).data(Qt::ToolTipRole).toString().isEmpty());
        QCOMPARE(m_form->knownIssues().size(), 2);
        m_form->focusPlace(m_form->knownIssues().constFirst().place);
        settle();
        QCOMPARE(at(), std::pair(0, 1));
        QVERIFY(find<QLabel>(u"tableState:/people"_s)->text().contains(u"integer"_s));
        keys(u"2"_s);
        press(Qt::Key_Return);
        QTRY_COMPARE(m_form->knownIssues().size(), 1);
        QVERIFY(model->index(0, 1).data(Qt::ToolTipRole).toString().isEmpty());
    }

    void rowsThatDoNotMatchAreHidden()
    {
        const QSet<int> aged{3, 70, 299};
        QByteArrayList rows;
        for (int i = 0; i < 300; ++i)
            rows.append(person("n" + QByteArray::number(i), aged.contains(i) ? "1" : ""));
        const QByteArray value = people(rows);
        openTable(value);
        const QString before = find<QLabel>(u"tableState:/people"_s)->text();
        press(Qt::Key_F, Qt::ControlModifier);
        click(u"findSet"_s);
        type(u"findEdit"_s, u"age"_s);
        QTRY_COMPARE(find<QLabel>(u"tableState:/people"_s)->text(), u"3 of 300 rows"_s);
        for (int i = 0; i < 300; ++i)
            QCOMPARE(table()->isRowHidden(i), !aged.contains(i));
        QVERIFY(!table()->isRowHidden(300));  // another one can be added
        QCOMPARE(at(), std::pair(3, 1));
        press(Qt::Key_F3);
        QCOMPARE(at(), std::pair(70, 1));
        press(Qt::Key_Down);
        QTRY_COMPARE(QApplication::focusWidget(), table());
        press(Qt::Key_Return);
        QCOMPARE(at(), std::pair(299, 1));
        press(Qt::Key_Return, Qt::ShiftModifier);
        QCOMPARE(at(), std::pair(70, 1));
        // What cannot be seen is neither copied nor changed.
        press(Qt::Key_A, Qt::ControlModifier);
        press(Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QApplication::clipboard()->text().count(u'\n'), 3);
        go(3, 0);
        paste(u"a\t7\nb\t8\nc\t9\nd\t10\n"_s);
        QByteArrayList pasted = rows;
        pasted[3] = person("a", "7");
        pasted[70] = person("b", "8");
        pasted[299] = person("c", "9");
        QTRY_COMPARE(m_form->value(), people(pasted + QByteArrayList{person("d", "10")}));
        QVERIFY(table()->isRowHidden(4) && !table()->isRowHidden(299));
        QVERIFY(m_form->undo());
        QCOMPARE(m_form->value(), value);
        settle();
        go(3, 0);
        press(Qt::Key_Down, Qt::ShiftModifier);
        press(Qt::Key_Backspace, Qt::ControlModifier);
        rows.removeAt(70);
        rows.removeAt(3);
        QTRY_COMPARE(m_form->value(), people(rows));
        QVERIFY(table()->isRowHidden(3) && table()->isRowHidden(296) && !table()->isRowHidden(297));
        // A problem is led to wherever it is.
        m_form->focusPlace(*json::Pointer::fromString(u"/people/5/name"));
        settle();
        QVERIFY(!table()->isRowHidden(5));
        press(Qt::Key_Escape);
        settle();
        QVERIFY(!table()->isRowHidden(6));
        QVERIFY(m_form->undo());
        settle();
        QCOMPARE(find<QLabel>(u"tableState:/people"_s)->text(), before);
    }

    void theViewIsRemembered()
    {
        openTable(R"({"people":[{"name":"a"}]})");
        m_form->setValue(json::parse(R"({"people":[{"name":"b"},{"name":"c"}]})"));
        settle();
        QVERIFY(table());
        QCOMPARE(cell(1, 0), u"c"_s);
        QVERIFY(m_form->undo());
        settle();
        QCOMPARE(cell(0, 0), u"a"_s);
    }

    void manyRowsAreNoWidgets()
    {
        QByteArray rows;
        for (int i = 0; i < 4'000; ++i)
            rows += (i > 0 ? ",{\"name\":\"n" : "{\"name\":\"n") + QByteArray::number(i) + "\"}";
        openTable("{\"people\":[" + rows + "]}");
        QCOMPARE(table()->model()->rowCount(), 4'001);
        QVERIFY(table()->findChildren<QWidget *>().size() < 30);
        m_form->focusPlace(*json::Pointer::fromString(u"/people/3999/age"));
        settle();
        QCOMPARE(at(), std::pair(3'999, 1));
        keys(u"5"_s);
        QVERIFY(m_form->value().endsWith(R"({"name":"n3999","age":5}]})"));
        press(Qt::Key_Escape);
        press(Qt::Key_A, Qt::ControlModifier);
        QApplication::clipboard()->clear();
        press(Qt::Key_C, Qt::ControlModifier);
        QTRY_VERIFY(QApplication::clipboard()->text().size() > 20'000);
        press(Qt::Key_Delete);
        QTRY_COMPARE(cell(5, 0), QString());
        QCOMPARE(m_form->value().size(), 12'012);
        QVERIFY(m_form->undo());
        QCOMPARE(cell(5, 0), u"n5"_s);
    }
};

SONDE_TEST(TestTableEditor)
#include "tst_tableeditor.moc"
