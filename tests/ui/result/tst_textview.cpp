// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testregistry.h"
#include "ui/json/bytestext.h"
#include "ui/json/findword.h"
#include "ui/json/jsonhighlighter.h"
#include "ui/json/textlines.h"
#include "ui/json/textview.h"

#include <QAccessible>
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QTest>

using namespace Qt::StringLiterals;

namespace sonde::ui {

class TestTextView : public QObject {
    Q_OBJECT

private:
    static QStringList linesOf(const QByteArray &text, int columns)
    {
        TextLines lines;
        lines.layOut(text, columns);
        QStringList shown;
        for (qsizetype i = 0; i < lines.count(); ++i)
            shown.append(QString::fromUtf8(text.mid(lines.at(i).start, lines.at(i).length)));
        return shown;
    }

private Q_SLOTS:
    void linesBreakWhereTheyShould_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("columns");
        QTest::addColumn<QStringList>("lines");
        QTest::newRow("empty") << ""_ba << 20 << QStringList{u""_s};
        QTest::newRow("two") << "one\ntwo"_ba << 20 << QStringList{u"one"_s, u"two"_s};
        QTest::newRow("newline at the end opens no line") << "one\n"_ba << 20 << QStringList{u"one"_s};
        QTest::newRow("blank lines stay") << "\n\na"_ba << 20 << QStringList{u""_s, u""_s, u"a"_s};
        QTest::newRow("carriage returns belong to the break") << "a\r\nb"_ba << 20 << QStringList{u"a"_s, u"b"_s};
        QTest::newRow("at spaces") << "aaaa bbbb cccc"_ba << 10 << QStringList{u"aaaa bbbb "_s, u"cccc"_s};
        QTest::newRow("within words") << "abcdefghijklmnop"_ba << 10 << QStringList{u"abcdefghij"_s, u"klmnop"_s};
        QTest::newRow("not after an indentation")
            << "    abcdefghijklmnop"_ba << 10 << QStringList{u"    abcdef"_s, u"ghijklmnop"_s};
        QTest::newRow("exactly full") << "abcdefghij"_ba << 10 << QStringList{u"abcdefghij"_s};
        QTest::newRow("characters, not bytes") << QByteArray("ääääääääää") << 10 << QStringList{u"ääääääääää"_s};
        QTest::newRow("never within a character")
            << QByteArray("ääääääääääö") << 10 << QStringList{u"ääääääääää"_s, u"ö"_s};
        QTest::newRow("wide ones count twice")
            << QByteArray("漢漢漢漢漢漢") << 10 << QStringList{u"漢漢漢漢漢"_s, u"漢"_s};
    }

    // Also where the text goes from UTF-8 to the screen without being a string in between.
    void whatWouldVanishOrPaintOverOthersIsMarked()
    {
        const auto shown = [](const QByteArray &text) {
            QStringList marks;
            int stacked = 0;
            for (qsizetype i = 0; i < text.size();) {
                const CodePoint point = codePointAt(text, i);
                if (const QString mark = markFor(point, &stacked); !mark.isEmpty())
                    marks.append(mark);
                i += point.length;
            }
            return marks;
        };
        QCOMPARE(shown("\xEF\xBB\xBFtext"), QStringList{u"‹U+FEFF›"_s});
        QCOMPARE(shown("a\xEF\xBF\xBC"), QStringList{u"‹U+FFFC›"_s});
        QByteArray tower = "e";
        for (int i = 0; i < 200; ++i)
            tower += "\xCC\x81";
        QCOMPARE(shown(tower).size(), 192);
        QCOMPARE(shown(tower).first(), u"‹U+0301›"_s);
        QCOMPARE(shown("e\xCC\x81 o\xCC\x88"), QStringList());
    }

    void linesBreakWhereTheyShould()
    {
        QFETCH(QByteArray, text);
        QFETCH(int, columns);
        QTEST(linesOf(text, columns), "lines");
    }

    void endlessLinesAreCut()
    {
        TextLines lines;
        const QByteArray text(100000, 'x');
        lines.layOut(text, 0);
        QCOMPARE(lines.count(), text.size() / TextLines::MaxLineLength);
        QCOMPARE(lines.lineAt(text.size() - 1), lines.count() - 1);
        QCOMPARE(lines.at(1).start, qsizetype(TextLines::MaxLineLength));
    }

    void everyByteIsOnALine()
    {
        // Whatever is fed in: lines follow each other without a gap other than their breaks, and each offset finds its
        // own.
        QByteArray text;
        for (int i = 0; i < 3000; ++i)
            text += char((i * 7919 + (i >> 3)) & 0xff);
        TextLines lines;
        lines.layOut(text, 40);
        for (qsizetype i = 0; i < lines.count(); ++i) {
            QCOMPARE(lines.lineAt(lines.at(i).start), i);
            const qsizetype next = i + 1 < lines.count() ? lines.at(i + 1).start : text.size();
            const QByteArray between = text.mid(lines.at(i).end(), next - lines.at(i).end());
            QVERIFY2(between.isEmpty() || between == "\n" || between == "\r\n", between.toHex().constData());
        }
    }

    void utf8IsReadStrictly()
    {
        for (const QByteArray &broken :
             {"\xff"_ba, "\xc0\x80"_ba, "\xed\xa0\x80"_ba, "\xf4\x90\x80\x80"_ba, "\xe2\x82"_ba, "\x80"_ba})
            QVERIFY2(!isValidUtf8(broken), broken.toHex().constData());
        QVERIFY(isValidUtf8("plain, ä, €, 😀"));
        QCOMPARE(decodedUtf8("\xef\xbb\xbfx").size(), 2);
    }

    void hexHasOffsetsBytesAndLetters()
    {
        QCOMPARE(hexDump("Hello, world! 0123\n"_ba),
                 "00000000  48 65 6c 6c 6f 2c 20 77  6f 72 6c 64 21 20 30 31  Hello, world! 01\n"
                 "00000010  32 33 0a                                          23.\n"_ba);
        QCOMPARE(hexDump("Hello, wor"_ba, 8),
                 "00000000  48 65 6c 6c 6f 2c 20 77  Hello, w\n"
                 "00000008  6f 72                    or\n"_ba);
        QCOMPARE(hexColumns(8), int(hexDump("Hello, w"_ba, 8).size()) - 1);
        QCOMPARE(hexColumns(16), int(hexDump(QByteArray(16, 'x')).size()) - 1);
        QVERIFY(hexDump(QByteArray(100, 'x'), 16, 32).contains("68 more byte"));
    }

    void controlAndBidiCharactersAreMarks()
    {
        TextView view;
        view.resize(600, 200);
        view.setText(
            "safe\x1b[31m \xe2\x80\xae"
            "evil \xe2\x80\x8b zero"_ba);
        const QString shown = view.shownText();
        for (const QChar c : {QChar(0x1b), QChar(0x202e), QChar(0x200b)})
            QVERIFY2(!shown.contains(c), qPrintable(u"U+%1 is drawn raw"_s.arg(c.unicode(), 4, 16)));
        QVERIFY(shown.contains(u"safe"_s) && shown.contains(u"evil"_s));
        view.selectAll();
        view.copy();
        QCOMPARE(QGuiApplication::clipboard()->text().toUtf8(), view.text());
    }

    void mouseSelectsAndDoubleClickTakesAWord()
    {
        TextView view;
        view.resize(600, 200);
        view.setText("first second third\nanother line");
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        const int width = view.fontMetrics().averageCharWidth();
        QTest::mouseDClick(view.viewport(), Qt::LeftButton, {}, {width * 9, 10});
        QCOMPARE(view.selectedText(), u"second"_s);
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, {0, 10});
        QTest::mouseClick(view.viewport(), Qt::LeftButton, Qt::ShiftModifier, {590, 190});
        QCOMPARE(view.selectedText(), u"first second third\nanother line"_s);
    }

    void keyboardSelectsWholeCharacters()
    {
        TextView view;
        view.resize(600, 200);
        view.setText(QByteArray("ä€😀x\nsecond"));
        view.setFocus();
        for (int i = 0; i < 3; ++i)
            QTest::keyClick(&view, Qt::Key_Right, Qt::ShiftModifier);
        QCOMPARE(view.selectedText(), u"ä€😀"_s);
        QTest::keyClick(&view, Qt::Key_Left, Qt::ShiftModifier);
        QCOMPARE(view.selectedText(), u"ä€"_s);
        QTest::keyClick(&view, Qt::Key_End, Qt::ShiftModifier);
        QCOMPARE(view.selectedText(), u"ä€😀x"_s);
        QTest::keyClick(&view, Qt::Key_Down, Qt::ShiftModifier);
        QVERIFY(view.selectedText().startsWith(u"ä€😀x\nsec"_s));
        QTest::keyClick(&view, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClick(&view, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QGuiApplication::clipboard()->text(), u"ä€😀x\nsecond"_s);
    }

    // A text that is part of no page has a bar of its own.
    void findGoesRoundAndSaysNo()
    {
        QByteArray text;
        for (int i = 0; i < 500; ++i)
            text += "line " + QByteArray::number(i) + '\n';
        text += "Needle\n";
        TextView view;
        view.resize(500, 200);
        view.setText(text);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        view.setFocus();
        QTest::keyClick(&view, Qt::Key_F, Qt::ControlModifier);
        auto *edit = view.findChild<QLineEdit *>(u"findEdit"_s);
        const auto *count = view.findChild<QLabel *>(u"findCount"_s);
        QVERIFY(edit);
        QTRY_VERIFY(edit->hasFocus());
        QTest::keyClicks(edit, u"needle"_s);
        QTRY_COMPARE(view.selectedText(), u"Needle"_s);
        QTRY_COMPARE(count->text(), u"1 of 1"_s);
        QVERIFY(view.verticalScrollBar()->value() > 400);
        edit->setText(u"line 49"_s);
        QTRY_COMPARE(count->text(), u"1 of 11"_s);
        QCOMPARE(view.selectedText(), u"line 49"_s);
        QVERIFY(view.verticalScrollBar()->value() < 60);
        QTest::keyClick(edit, Qt::Key_Return, Qt::ShiftModifier);  // back around the start
        QCOMPARE(count->text(), u"11 of 11"_s);
        QVERIFY(view.verticalScrollBar()->value() > 300);
        QTest::keyClick(edit, Qt::Key_F3);  // and around the end
        QCOMPARE(count->text(), u"1 of 11"_s);
        for (const QString &absent : {u"NEEDLE"_s, u"nothing of the kind"_s}) {  // capitals are meant
            edit->setText(absent);
            QTRY_COMPARE(count->text(), u"Not found"_s);
        }
        QTest::keyClick(edit, Qt::Key_Escape);
        QVERIFY(!edit->isVisible());
        QTRY_VERIFY(view.hasFocus());
    }

    void searchFindsEitherCase()
    {
        const auto indexIn = [](const QByteArray &text, const QString &word, qsizetype from = 0) {
            return FindWord(word).indexIn(text, from);
        };
        QCOMPARE(indexIn("xxNeEdLe", u"needle"_s), qsizetype(2));
        QCOMPARE(indexIn("nnNneedle", u"needle"_s), qsizetype(3));
        QCOMPARE(indexIn("NEEDL", u"needle"_s), qsizetype(-1));
        QCOMPARE(indexIn("", u"a"_s), qsizetype(-1));
        QCOMPARE(indexIn("text", u""_s), qsizetype(-1));
        QCOMPARE(indexIn("1234", u"34"_s), qsizetype(2));
        QCOMPARE(indexIn("abAB", u"AB"_s), qsizetype(2));
        QCOMPARE(indexIn("ab ab", u"ab"_s, 1), qsizetype(3));
        QCOMPARE(indexIn("ab ab", u"ab"_s, 4), qsizetype(-1));
    }

    void tenMegabytesOnOneLine()
    {
        QByteArray text;
        while (text.size() < 10 << 20)
            text += "0123456789abcdef";
        text += "the end";
        TextView view;
        view.resize(500, 300);
        view.setText(text);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        view.showOffset(text.size());
        view.grab();
        QTRY_VERIFY(view.shownText().endsWith(u"the end"_s));  // once a worker has laid out all lines
        // Only whole lines.
        QVERIFY(view.heightForLines(350) <= 350 &&
                view.heightForLines(350) > 350 - view.fontMetrics().lineSpacing() - 8);
        // What is laid out is what is seen, not ten megabytes.
        QVERIFY(view.shownText().size() < 20000);
    }

    void heightIsThatOfTheLines()
    {
        TextView view;
        view.resize(500, 300);
        view.setText("one");
        const int one = view.heightForLines(1000);
        view.setText("one\ntwo\nthree");
        const int three = view.heightForLines(1000);
        QVERIFY(three > one * 2 && three <= one * 3);
        QCOMPARE(view.heightForLines(one), one);
    }

    void wrapFollowsTheWidth()
    {
        TextView view;
        view.setText(QByteArray(300, 'x'));
        view.resize(800, 300);
        view.show();
        const int wide = view.heightForLines(10000);
        view.resize(200, 300);
        QVERIFY(view.heightForLines(10000) > wide);
        view.setWordWrap(false);
        QVERIFY(view.horizontalScrollBar()->maximum() > 0);
    }

    void highlightsPiecesOfJson()
    {
        using Token = JsonHighlighter::Token;
        const QByteArray text = "{\"key\": \"va\\\"lue\", \"n\": -1.5e3, \"t\": true, \"k2\" : null}"_ba;
        JsonHighlighter highlighter;
        highlighter.setText(text);
        QStringList seen;
        for (const JsonHighlighter::Span &span : highlighter.tokens(0, text.size())) {
            const char *const names[] = {"key ", "string ", "number ", "word "};
            seen.append(QString::fromUtf8(names[int(span.token)] + text.mid(span.start, span.length)));
        }
        QCOMPARE(seen, (QStringList{u"key \"key\""_s, u"string \"va\\\"lue\""_s, u"key \"n\""_s, u"number -1.5e3"_s,
                                    u"key \"t\""_s, u"word true"_s, u"key \"k2\""_s, u"word null"_s}));
        // From the middle of a string, and from between a backslash and what it escapes.
        for (const qsizetype start : {qsizetype(10), qsizetype(12)}) {
            const auto spans = highlighter.tokens(start, text.size() - start);
            QCOMPARE(spans.front().token, Token::String);
            QCOMPARE(spans.front().start + spans.front().length, qsizetype(text.indexOf("lue\"") + 4));
        }
    }

    void highlightsFarIntoALongString()
    {
        const QByteArray text = "{\"a\":\"" + QByteArray(100000, 'x') + "\",\"b\":1}";
        JsonHighlighter highlighter;
        highlighter.setText(text);
        QCOMPARE(highlighter.tokens(50000, 100).front().token, JsonHighlighter::Token::String);
        const auto last = highlighter.tokens(text.size() - 6, 6);
        QCOMPARE(last.size(), 2);
        QCOMPARE(last.front().token, JsonHighlighter::Token::Key);
        QCOMPARE(last.back().token, JsonHighlighter::Token::Number);
    }

    void assistiveToolsReadWhatIsShown()
    {
        TextView view;
        view.setAccessibleName(u"Answer"_s);
        view.resize(300, 100);
        view.setText("forty-two");
        QAccessibleInterface *interface = QAccessible::queryAccessibleInterface(&view);
        QVERIFY(interface);
        QCOMPARE(interface->text(QAccessible::Name), u"Answer"_s);
        QVERIFY(interface->text(QAccessible::Value).contains(u"forty-two"_s));
    }

    // Line by line, as screen readers ask for it, in characters where the view counts bytes.
    void assistiveToolsReadTheWholeText()
    {
        TextView view;
        view.resize(400, 60);
        const QString lines = u"grüße 🙂 one\ntwo\n"_s;
        view.setText((lines + QString(200'000, u'x')).toUtf8());
        QAccessibleInterface *spoken = QAccessible::queryAccessibleInterface(&view);
        QVERIFY(spoken->state().readOnly && spoken->state().multiLine);
        QAccessibleTextInterface *text = spoken->textInterface();
        QVERIFY(text);
        QVERIFY(text->characterCount() > 90'000 && text->characterCount() <= 100'000);
        const int two = int(lines.indexOf(u"two"_s));
        QCOMPARE(text->text(two, two + 3), u"two"_s);
        int start = -1;
        int end = -1;
        QVERIFY(text->textAtOffset(two + 1, QAccessible::LineBoundary, &start, &end).startsWith(u"two"_s));
        QCOMPARE(start, two);
        text->setSelection(0, two, two + 3);
        QCOMPARE(view.selectedText(), u"two"_s);
        text->selection(0, &start, &end);
        QCOMPARE(start, two);
        QCOMPARE(end, two + 3);
        QCOMPARE(text->cursorPosition(), end);
        QCOMPARE(text->offsetAtPoint(text->characterRect(two + 1).center() - QPoint(2, 0)), two + 1);
        text->removeSelection(0);
        QCOMPARE(text->selectionCount(), 0);
        for (const int beyond : {-5, 1'000'000'000}) {
            text->setCursorPosition(beyond);
            text->characterRect(beyond);
            QCOMPARE(text->text(beyond, beyond + 2), QString());
        }
        view.setText({});
        QCOMPARE(text->characterCount(), 0);
        QCOMPARE(text->cursorPosition(), 0);
        view.setText("\xff\xc3 not UTF-8");
        text->setSelection(0, 0, text->characterCount());
        QVERIFY(!view.selectedText().isEmpty());
    }
};

}  // namespace sonde::ui

using TestTextView = sonde::ui::TestTextView;
SONDE_TEST(TestTextView)
#include "tst_textview.moc"
