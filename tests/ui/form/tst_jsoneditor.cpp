// The JSON editor: the person's text as it is, and what is wrong with it.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testregistry.h"
#include "ui/form/jsoncolors.h"
#include "ui/form/jsoneditor.h"
#include "ui/form/linenumbers.h"
#include "ui/form/schemaform.h"

#include <QAbstractButton>
#include <QAbstractTextDocumentLayout>
#include <QImage>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QTest>
#include <QTextBlock>
#include <QTextLayout>

using namespace Qt::StringLiterals;
using sonde::ui::FormIssue;
using sonde::ui::JsonEditor;

class TestJsonEditor : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void textComesBackByteForByte_data();
    void textComesBackByteForByte();
    void editingKeepsTheRest();
    void problemNamesThePlace();
    void ctrlEnterSubmits();
    void secretsAreDots();
    void bracketsMatch();
    void rightToLeftNamesKeepTheirLine();
    void linesWithProblemsAreMarked();
};

void TestJsonEditor::textComesBackByteForByte_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("spacing") << QByteArray("{ \"a\" :1.0,\n\n\"b\":[ ] }\n");
    QTest::newRow("line ends") << QByteArray("{\r\n\"a\": 1e-7\r\n}");
    QTest::newRow("odd characters") << QByteArray("\"\u00a0\u2028\u2029\ufffc\"");
    QTest::newRow("no JSON") << QByteArray("{nope");
    QTest::newRow("empty") << QByteArray();
}

void TestJsonEditor::textComesBackByteForByte()
{
    QFETCH(QByteArray, text);
    JsonEditor editor;
    QSignalSpy changed(&editor, &JsonEditor::changed);
    editor.setJson(text);
    QCOMPARE(editor.json(), text);
    QCOMPARE(changed.size(), 0);
}

void TestJsonEditor::editingKeepsTheRest()
{
    JsonEditor editor;
    editor.setJson("[9007199254740993, \"\u00a0\u2029\"]");
    QSignalSpy changed(&editor, &JsonEditor::changed);
    editor.edit()->moveCursor(QTextCursor::End);
    QTest::keyClick(editor.edit(), Qt::Key_Left);
    QTest::keyClicks(editor.edit(), u", 1.0"_s);
    QCOMPARE(changed.size(), 5);
    QVERIFY(editor.isValidJson());
    // The one that a text box cannot hold is now an escape: the same JSON.
    QCOMPARE(editor.json(), "[9007199254740993, \"\u00a0\\u2029\", 1.0]");
}

void TestJsonEditor::problemNamesThePlace()
{
    JsonEditor editor;
    editor.setJson("{\n  \"\u00e9\": 1\n  \"b\": 2\n}");
    QVERIFY(!editor.isValidJson());
    QVERIFY2(editor.problem().startsWith(u"line 3, column 3"_s), qPrintable(editor.problem()));
    editor.setJson("{}");
    QCOMPARE(editor.problem(), QString());
}

void TestJsonEditor::ctrlEnterSubmits()
{
    JsonEditor editor;
    editor.setJson("{}");
    QSignalSpy submitted(&editor, &JsonEditor::submitted);
    QTest::keyClick(editor.edit(), Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(submitted.size(), 1);
    QCOMPARE(editor.json(), "{}");
}

// Two secrets of one length look alike, also selected, until the user asks to see them.
void TestJsonEditor::secretsAreDots()
{
    const auto shown = [](const QByteArray &secret, bool isRevealed) {
        JsonEditor editor;
        editor.resize(400, 200);
        editor.setJson("{\"token\": \"" + secret + "\", \"n\": 1}");
        editor.setSecrets({editor.document().root()[u"token"]});
        editor.show();
        editor.edit()->selectAll();
        if (isRevealed)
            editor.findChild<QAbstractButton *>(u"revealJson"_s)->click();
        return editor.edit()->viewport()->grab().toImage();
    };
    QCOMPARE(shown("abcdefgh", false), shown("ijklmnop", false));
    QVERIFY(shown("abcdefgh", true) != shown("ijklmnop", true));
    // Behind a string that is too long to be shown as well, and in its own beginning and end.
    const QByteArray behind = "abcdefgh\", \"long\": \"" + QByteArray(100'000, 'x') + "\",\n\"token\": \"";
    QCOMPARE(shown(behind + "first one", false), shown(behind + "the other", false));
    QVERIFY(shown(behind + "first one", true) != shown(behind + "the other", true));
    QCOMPARE(shown(QByteArray(100'000, 'a'), false), shown(QByteArray(100'000, 'b'), false));
    JsonEditor editor;
    editor.setJson(R"({"n":1})");
    editor.setSecrets({});
    QVERIFY(editor.findChild<QAbstractButton *>(u"revealJson"_s)->isHidden());
}

void TestJsonEditor::bracketsMatch()
{
    const QString text = uR"({"a":[1,"]}\"",{}],"b":[)"_s;
    const auto partner = [&text](qsizetype at) { return sonde::ui::matchingBracket(text, int(at)); };
    QCOMPARE(partner(text.indexOf(u'[')), int(text.indexOf(u']', text.indexOf(u"{}"_s))));
    QCOMPARE(partner(text.indexOf(u"{}"_s) + 1), int(text.indexOf(u"{}"_s)));
    QCOMPARE(partner(text.indexOf(u"]}"_s)), -1);  // within a string
    QCOMPARE(partner(text.size() - 1), -1);
    JsonEditor editor;
    editor.setJson(R"({"a":[1]})");
    QTextCursor cursor = editor.edit()->textCursor();
    cursor.setPosition(1);
    editor.edit()->setTextCursor(cursor);
    QVERIFY(editor.edit()->extraSelections().isEmpty());  // they would look selected
    editor.show();
    editor.edit()->setFocus();
    QTRY_COMPARE(editor.edit()->extraSelections().size(), 2);
    QCOMPARE(editor.edit()->extraSelections().constLast().cursor.selectionStart(), 8);
}

// Indentation at the left and the name before its value.
void TestJsonEditor::rightToLeftNamesKeepTheirLine()
{
    JsonEditor editor;
    editor.resize(400, 200);
    editor.show();
    editor.setJson("{\n  \"\u05e9\u05dd\": 1\n}");
    const QTextBlock block = editor.edit()->document()->findBlockByNumber(1);
    QVERIFY(editor.edit()->document()->documentLayout()->blockBoundingRect(block).isValid());
    const QTextLine line = block.layout()->lineAt(0);
    QVERIFY(line.cursorToX(2) > line.cursorToX(0));
    QVERIFY(line.cursorToX(block.length() - 1) > line.cursorToX(2));
}

void TestJsonEditor::linesWithProblemsAreMarked()
{
    const auto shown = [](const QList<FormIssue> &issues, const QByteArray &json) {
        JsonEditor editor;
        editor.resize(400, 200);
        editor.setLineNumbers();
        editor.setJson(json);
        editor.setIssues(issues);
        editor.show();
        return editor.findChild<sonde::ui::LineNumbers *>()->grab().toImage();
    };
    const QByteArray json = "{\n\"a\": 1,\n\"b\": 2\n}";
    const auto issue = [](const QString &name, bool isRemark = false, const QList<qsizetype> &path = {}) {
        return FormIssue{sonde::json::Pointer({name}), {}, {}, isRemark, path};
    };
    const FormIssue a = issue(u"a"_s);
    const FormIssue b = issue(u"b"_s);
    QVERIFY(shown({}, json) != shown({b}, json));
    QVERIFY(shown({b}, json) != shown({a}, json));
    QVERIFY(shown({}, json) != shown({}, "{\n\"a\": 1,\n\"b\": \n}"));
    // As in the form, and one beside the other.
    const FormIssue noted = issue(u"a"_s, true);
    QVERIFY(shown({a}, json) != shown({noted}, json));
    QVERIFY(shown({b}, json) != shown({b, noted}, json));
    QVERIFY(shown({b, noted}, json) != shown({b, a}, json));
    QCOMPARE(shown({a, noted}, json), shown({a}, json));
    // A key that occurs twice.
    const QByteArray twice = "{\n\"a\": 1,\n\"a\": 2\n}";
    QCOMPARE(shown({issue(u"a"_s, false, {0})}, twice), shown({a}, json));
    QCOMPARE(shown({issue(u"a"_s, false, {1})}, twice), shown({b}, json));
}

SONDE_TEST(TestJsonEditor)
#include "tst_jsoneditor.moc"
