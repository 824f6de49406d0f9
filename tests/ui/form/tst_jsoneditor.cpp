// The JSON editor: the person's text as it is, and what is wrong with it.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testregistry.h"
#include "ui/form/jsoneditor.h"

#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using sonde::ui::JsonEditor;

class TestJsonEditor : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void textComesBackByteForByte_data();
    void textComesBackByteForByte();
    void editingKeepsTheRest();
    void problemNamesThePlace();
    void ctrlEnterSubmits();
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

SONDE_TEST(TestJsonEditor)
#include "tst_jsoneditor.moc"
