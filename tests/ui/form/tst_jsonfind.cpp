// Finding words in JSON that is edited: marks, folded parts, long lines, secrets, and a cursor that stays in place.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testregistry.h"
#include "ui/form/foundcontext.h"
#include "ui/form/jsoneditor.h"
#include "ui/form/jsonfolding.h"

#include <QAbstractButton>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTest>
#include <QTextBlock>

using namespace Qt::StringLiterals;
using sonde::ui::FoundContext;
using sonde::ui::JsonEditor;
using sonde::ui::JsonFolding;

namespace {

class Searched {
public:
    explicit Searched(const QByteArray &json)
    {
        editor.resize(500, 300);
        editor.setLineNumbers();
        editor.setSearchable();
        editor.setJson(json);
        editor.show();
        (void)QTest::qWaitForWindowExposed(&editor);
        text()->setFocus();
    }

    void find(const QString &word)
    {
        QTest::keyClick(text(), Qt::Key_F, Qt::ControlModifier);
        line()->setText(word);
    }
    QPlainTextEdit *text() const { return editor.edit(); }
    QLineEdit *line() const { return editor.findChild<QLineEdit *>(u"findEdit"_s); }
    QString count() const { return editor.findChild<QLabel *>(u"findCount"_s)->text(); }
    FoundContext *context() const { return editor.findChild<FoundContext *>(); }

    JsonEditor editor;
};

}  // namespace

class TestJsonFind : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void matchesAreCountedAndGoneThrough();
    void searchesFromTheCursor();
    void typingKeepsTheCursor();
    void whatIsFoldedIsUnfolded();
    void whatIsNotDrawnIsFound();
    void secretsAreNotFound();
    void matchesAreMarked();
};

void TestJsonFind::matchesAreCountedAndGoneThrough()
{
    Searched at("{\n  \"name\": \"Ada\",\n  \"Name\": 1,\n  \"names\": []\n}");
    at.find(u"name"_s);
    QTRY_COMPARE(at.count(), u"1 of 3"_s);
    QCOMPARE(at.text()->textCursor().selectedText(), u"name"_s);
    QTest::keyClick(at.line(), Qt::Key_Return);
    QCOMPARE(at.count(), u"2 of 3"_s);
    QCOMPARE(at.text()->textCursor().selectedText(), u"Name"_s);
    QTest::keyClick(at.line(), Qt::Key_F3);
    QTest::keyClick(at.line(), Qt::Key_F3);
    QCOMPARE(at.count(), u"1 of 3"_s);
    QTest::keyClick(at.line(), Qt::Key_F3, Qt::ShiftModifier);
    QCOMPARE(at.count(), u"3 of 3"_s);
    at.line()->setText(u"nobody"_s);
    QTRY_COMPARE(at.count(), u"Not found"_s);
    at.line()->setText(u"names"_s);
    QTRY_COMPARE(at.count(), u"1 of 1"_s);
    QTest::keyClick(at.line(), Qt::Key_Escape);
    QVERIFY(!at.line()->isVisible());
    QVERIFY(at.text()->hasFocus());
    QCOMPARE(at.text()->textCursor().selectedText(), u"names"_s);  // to be typed over
}

void TestJsonFind::searchesFromTheCursor()
{
    Searched at("[\n1,\n1,\n1,\n1\n]");
    at.text()->setTextCursor(QTextCursor(at.text()->document()->findBlockByNumber(3)));
    at.find(u"1"_s);
    QTRY_COMPARE(at.count(), u"3 of 4"_s);
    at.text()->setTextCursor(QTextCursor(at.text()->document()->findBlockByNumber(2)));
    QTest::keyClick(at.text(), Qt::Key_F3, Qt::ShiftModifier);
    QCOMPARE(at.count(), u"1 of 4"_s);
    at.text()->setTextCursor(QTextCursor(at.text()->document()->findBlockByNumber(4)));
    QTest::keyClick(at.text(), Qt::Key_F3);
    QCOMPARE(at.count(), u"4 of 4"_s);
}

void TestJsonFind::typingKeepsTheCursor()
{
    Searched at("[\n\"one\",\n\"one\"\n]");
    at.find(u"one"_s);
    QTRY_COMPARE(at.count(), u"1 of 2"_s);
    at.text()->setFocus();
    at.text()->moveCursor(QTextCursor::End);
    QTest::keyClick(at.text(), Qt::Key_Left);
    QTest::keyClicks(at.text(), u", \"one\", \"on"_s);
    QTRY_COMPARE(at.count(), u"3 matches"_s);
    QTest::keyClicks(at.text(), u"e\""_s);
    QTRY_COMPARE(at.count(), u"4 matches"_s);
    QCOMPARE(at.editor.json(), "[\n\"one\",\n\"one\"\n, \"one\", \"one\"]");
    QTest::keyClick(at.text(), Qt::Key_F3, Qt::ShiftModifier);
    QCOMPARE(at.count(), u"4 of 4"_s);
    // Another value, as from the form.
    at.editor.changeJson("[\n\"one\"\n]");
    QTRY_COMPARE(at.count(), u"1 match"_s);
}

void TestJsonFind::whatIsFoldedIsUnfolded()
{
    Searched at("{\n  \"a\": {\n    \"b\": 7\n  },\n  \"c\": {\n    \"d\": 7\n  }\n}");
    auto *folding = at.text()->findChild<JsonFolding *>();
    folding->setFolded(1, true);
    folding->setFolded(4, true);
    at.find(u"7"_s);
    QTRY_COMPARE(at.count(), u"1 of 2"_s);
    QVERIFY(!folding->isFolded(1));
    QVERIFY(folding->isFolded(4));
    QTest::keyClick(at.line(), Qt::Key_Return);
    QVERIFY(!folding->isFolded(4));
}

void TestJsonFind::whatIsNotDrawnIsFound()
{
    const QByteArray filler(50'000, 'x');
    Searched at("{\"a\": \"word " + filler + " word " + filler + " word, and more\",\n\"b\": \"word\"}");
    at.find(u"word"_s);
    QTRY_COMPARE(at.count(), u"1 of 4"_s);
    QVERIFY(!at.context()->isVisible());
    QTest::keyClick(at.line(), Qt::Key_Return);
    QCOMPARE(at.count(), u"2 of 4"_s);
    QVERIFY(at.context()->isVisible());
    QVERIFY2(at.context()->text().contains(u"x word x"_s), qPrintable(at.context()->text()));
    QTest::keyClick(at.line(), Qt::Key_Return);
    QCOMPARE(at.count(), u"3 of 4"_s);
    QVERIFY(!at.context()->isVisible());
    QCOMPARE(at.text()->textCursor().selectedText(), u"word"_s);
    QTest::keyClick(at.line(), Qt::Key_Return, Qt::ShiftModifier);
    QCOMPARE(at.count(), u"2 of 4"_s);
    QVERIFY(at.context()->isVisible());
    QTest::keyClick(at.line(), Qt::Key_Escape);
    QVERIFY(!at.context()->isVisible());
}

void TestJsonFind::secretsAreNotFound()
{
    const QByteArray filler(50'000, 'x');
    Searched at("{\"token\": \"opened\", \"key\": \"" + filler + "\", \"password\": \"opened\", \"n\": \"" + filler +
                "\", \"opened\": 1}");
    const auto root = at.editor.document().root();
    at.editor.setSecrets({root[u"token"], root[u"password"]});
    at.find(u"opened"_s);
    QTRY_COMPARE(at.count(), u"1 of 1"_s);
    at.line()->setText(u"password"_s);
    QTRY_COMPARE(at.count(), u"1 of 1"_s);
    QVERIFY2(at.context()->text().contains(u"\"password\": \"••••••\""_s), qPrintable(at.context()->text()));
    at.line()->setText(u"opened"_s);
    at.editor.findChild<QAbstractButton *>(u"revealJson"_s)->click();
    QTRY_COMPARE(at.count(), u"3 matches"_s);
}

void TestJsonFind::matchesAreMarked()
{
    Searched at("[\n\"one\",\n\"two\"\n]");
    const auto shown = [&at] { return at.text()->viewport()->grab().toImage(); };
    at.find(u"none"_s);
    QTRY_COMPARE(at.count(), u"Not found"_s);
    at.text()->moveCursor(QTextCursor::End);
    at.text()->moveCursor(QTextCursor::Start);  // where a bracket is marked
    const QImage plain = shown();
    at.line()->setText(u"one"_s);
    QTRY_COMPARE(at.count(), u"1 of 1"_s);
    at.text()->moveCursor(QTextCursor::Start);
    QVERIFY(shown() != plain);
    QTest::keyClick(at.line(), Qt::Key_Escape);
    at.text()->moveCursor(QTextCursor::Start);
    QTest::keyClick(at.text(), Qt::Key_F, Qt::ControlModifier);
    at.line()->setText(u"none"_s);
    QTRY_COMPARE(at.count(), u"Not found"_s);
    QCOMPARE(shown(), plain);
}

SONDE_TEST(TestJsonFind)
#include "tst_jsonfind.moc"
