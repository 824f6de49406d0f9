// Objects and lists of the JSON side can be folded, by key and by mouse.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testregistry.h"
#include "ui/form/jsoneditor.h"
#include "ui/form/jsonfolding.h"
#include "ui/form/linenumbers.h"

#include <QPlainTextEdit>
#include <QTest>
#include <QTextBlock>

using namespace Qt::StringLiterals;
using sonde::ui::JsonEditor;
using sonde::ui::JsonFolding;
using sonde::ui::LineNumbers;

namespace {

const QByteArray FoldedText =
    "{\n  \"a\": {\n    \"b\": [\n      1,\n      2\n    ],\n    \"c\": \"}\"\n  },\n  \"d\": {}\n}";

class Folded {
public:
    explicit Folded(const QByteArray &json = FoldedText)
    {
        editor.resize(400, 300);
        editor.setLineNumbers();
        editor.setJson(json);
        editor.show();
        (void)QTest::qWaitForWindowExposed(&editor);
        editor.edit()->setFocus();
    }

    void goToLine(int line) const
    {
        editor.edit()->setTextCursor(QTextCursor(editor.edit()->document()->findBlockByNumber(line)));
    }

    void fold() const { QTest::keyClick(editor.edit(), Qt::Key_BraceLeft, Qt::ControlModifier | Qt::ShiftModifier); }
    void unfold() const { QTest::keyClick(editor.edit(), Qt::Key_BraceRight, Qt::ControlModifier | Qt::ShiftModifier); }

    // The numbers of the lines that can be seen, from 0.
    QList<int> visible() const
    {
        QList<int> lines;
        for (QTextBlock block = editor.edit()->document()->begin(); block.isValid(); block = block.next()) {
            if (block.isVisible())
                lines.append(block.blockNumber());
        }
        return lines;
    }

    JsonEditor editor;
    JsonFolding *folding() const { return editor.edit()->findChild<JsonFolding *>(); }
};

}  // namespace

class TestJsonFolding : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void keysFoldWhatIsAroundTheCursor();
    void theMarkInTheMarginFolds();
    void aFoldedPartStaysSoWhileTheRestIsEdited();
    void aNewLineIsIndented();
    void whatIsGoneToIsUnfolded();
    void aPartThatIsNoneAnyMoreIsUnfolded();
};

void TestJsonFolding::keysFoldWhatIsAroundTheCursor()
{
    const Folded folded;
    folded.goToLine(3);
    folded.fold();
    QCOMPARE(folded.visible(), (QList<int>{0, 1, 2, 6, 7, 8, 9}));
    QCOMPARE(folded.editor.edit()->textCursor().blockNumber(), 2);
    folded.fold();  // the next one around it
    QCOMPARE(folded.visible(), (QList<int>{0, 1, 8, 9}));
    folded.unfold();
    QCOMPARE(folded.visible(), (QList<int>{0, 1, 2, 6, 7, 8, 9}));  // what was folded within stays so
    folded.goToLine(2);
    folded.unfold();
    QCOMPARE(folded.visible().size(), 10);
    QVERIFY(!folded.folding()->isFoldable(8));  // closed on its line
    QCOMPARE(folded.editor.json(), FoldedText);
}

void TestJsonFolding::theMarkInTheMarginFolds()
{
    const Folded folded;
    auto *numbers = folded.editor.findChild<LineNumbers *>();
    const int height = folded.editor.edit()->cursorRect().height();
    const QPoint second(numbers->width() - 8, int(height * 1.5) + 4);
    const QImage before = folded.editor.edit()->viewport()->grab().toImage();
    QTest::mouseClick(numbers, Qt::LeftButton, {}, second);
    QCOMPARE(folded.visible(), (QList<int>{0, 1, 8, 9}));
    QVERIFY(folded.editor.edit()->viewport()->grab().toImage() != before);
    QTest::mouseClick(numbers, Qt::LeftButton, {}, second);
    QCOMPARE(folded.visible().size(), 10);
}

void TestJsonFolding::aFoldedPartStaysSoWhileTheRestIsEdited()
{
    Folded folded;
    folded.goToLine(2);
    folded.fold();
    folded.goToLine(0);
    QTest::keyClick(folded.editor.edit(), Qt::Key_End);
    QTest::keyClick(folded.editor.edit(), Qt::Key_Return);
    QTest::keyClicks(folded.editor.edit(), u"\"new\": 1,"_s);
    QCOMPARE(folded.visible(), (QList<int>{0, 1, 2, 3, 7, 8, 9, 10}));
    QByteArray changed = folded.editor.json();
    folded.editor.changeJson(changed.replace("      2", "      20"));
    QCOMPARE(folded.visible(), (QList<int>{0, 1, 2, 3, 7, 8, 9, 10}));
}

// A line break is indented like the line before it; between brackets it makes room for what they hold.
void TestJsonFolding::aNewLineIsIndented()
{
    Folded folded("{\n    \"a\": []\n}");
    folded.goToLine(1);
    QTest::keyClick(folded.editor.edit(), Qt::Key_End);
    QTest::keyClick(folded.editor.edit(), Qt::Key_Left);
    QTest::keyClick(folded.editor.edit(), Qt::Key_Return);
    QTest::keyClicks(folded.editor.edit(), u"1,"_s);
    QTest::keyClick(folded.editor.edit(), Qt::Key_Return);
    QTest::keyClicks(folded.editor.edit(), u"2"_s);
    QCOMPARE(folded.editor.json(), "{\n    \"a\": [\n      1,\n      2\n    ]\n}");
}

void TestJsonFolding::whatIsGoneToIsUnfolded()
{
    Folded folded;
    folded.goToLine(3);
    folded.fold();
    folded.fold();
    folded.editor.goTo(sonde::json::Pointer({u"a"_s, u"b"_s, u"1"_s}));
    QCOMPARE(folded.visible().size(), 10);
}

void TestJsonFolding::aPartThatIsNoneAnyMoreIsUnfolded()
{
    const Folded folded;
    folded.goToLine(2);
    folded.fold();
    folded.goToLine(2);
    QTest::keyClick(folded.editor.edit(), Qt::Key_End);
    QTest::keyClick(folded.editor.edit(), Qt::Key_Backspace);
    QCOMPARE(folded.visible().size(), 10);
}

SONDE_TEST(TestJsonFolding)
#include "tst_jsonfolding.moc"
