// Texts in a form: colours of the language that a schema names, URLs that can be opened, secrets of several lines.
// SPDX-License-Identifier: Apache-2.0
#include "core/json/document.h"
#include "tests/support/testregistry.h"
#include "tests/ui/form/formfixture.h"
#include "ui/form/inputs.h"
#include "ui/theme/theme.h"

#include <QAbstractButton>
#include <QApplication>
#include <QDesktopServices>
#include <QDialog>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QTest>
#include <QTextBlock>
#include <QTextLayout>
#include <QUrl>
#include <QVBoxLayout>
#include <QWheelEvent>

using namespace Qt::StringLiterals;
using sonde::test::FormFixture;
using sonde::ui::colors;

class TestTextEditor : public QObject, FormFixture {
    Q_OBJECT

public Q_SLOTS:
    void browse(const QUrl &url) { m_opened.append(url.toString()); }

private Q_SLOTS:
    void init() { begin(); }
    void cleanup() { end(); }

    void anotherFontEntersNothing()
    {
        const QByteArray value = R"({"b":"A\u0064a"})"_ba;
        open(
            R"({"type":"object","properties":{"a":{"type":"string","contentEncoding":"base64"},"b":{"type":"string"}}})",
            value);
        const QList<QPlainTextEdit *> edits = m_form->findChildren<QPlainTextEdit *>();
        QCOMPARE(edits.size(), 2);
        for (QPlainTextEdit *edit : edits)
            edit->document()->setDocumentMargin(9);
        QCOMPARE(m_form->value(), value);
        QVERIFY(!m_form->undo());
    }

    void aNameIsNotTakenForAText()
    {
        open(R"({"type":"object","properties":{"plain":{"type":"string"},"postal_code":{"type":"string"},
            "dataSource":{"type":"string"},"code":{"type":"string"},"email_body":{"type":"string"}}})");
        const auto heightOf = [this](const QString &name) { return find<QWidget>(u"field:/"_s + name)->height(); };
        QCOMPARE(heightOf(u"postal_code"_s), heightOf(u"plain"_s));
        QCOMPARE(heightOf(u"dataSource"_s), heightOf(u"plain"_s));
        QVERIFY(heightOf(u"code"_s) > heightOf(u"plain"_s));
        QVERIFY(heightOf(u"email_body"_s) > heightOf(u"plain"_s));
    }

    // One that fills its place scrolls wherever the focus is; one among others leaves that to the form.
    void theWheelScrollsWhatFillsItsPlace_data()
    {
        QTest::addColumn<int>("maxLines");
        QTest::addColumn<bool>("scrolls");
        QTest::newRow("as high as its place") << 0 << true;
        QTest::newRow("among others") << 8 << false;
    }
    void theWheelScrollsWhatFillsItsPlace()
    {
        QFETCH(int, maxLines);
        QFETCH(bool, scrolls);
        QWidget window;
        QVBoxLayout column(&window);
        QLineEdit other;
        sonde::ui::GrowingTextEdit edit;
        column.addWidget(&other);
        column.addWidget(&edit);
        edit.setLines(0, maxLines);
        edit.setText(u"line\n"_s.repeated(200));
        window.resize(300, 200);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        other.setFocus();
        const int before = edit.verticalScrollBar()->value();
        QVERIFY(edit.verticalScrollBar()->maximum() > 0);
        QWheelEvent wheel(QPointF(5, 5), edit.viewport()->mapToGlobal(QPointF(5, 5)), {}, {0, -120}, Qt::NoButton,
                          Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(edit.viewport(), &wheel);
        QCOMPARE(edit.verticalScrollBar()->value() > before, scrolls);
    }

    void sqlIsColored()
    {
        openAs("application/sql", u"SELECT a, 'it''s', 12.5 -- all\nfrom t /* two\nlines */ where \"x y\" > 1"_s);
        QCOMPARE(colorOf(u"SELECT"_s), colors().accent);
        QCOMPARE(colorOf(u"'it''s'"_s), colors().ok);
        QCOMPARE(colorOf(u"12.5"_s), colors().asks);
        QCOMPARE(colorOf(u"-- all"_s), colors().dim);
        QCOMPARE(colorOf(u"from"_s), colors().accent);
        QCOMPARE(colorOf(u"lines */"_s), colors().dim);
        QCOMPARE(colorOf(u"where"_s), colors().accent);
        QCOMPARE(colorOf(u"\"x y\""_s), colors().finding);
        QCOMPARE(colorOf(u" a,"_s), QColor());
        // What is opened goes on below as it is typed.
        auto *edit = find<QPlainTextEdit>(u"field:/t"_s);
        edit->moveCursor(QTextCursor::Start);
        QTest::keyClicks(edit, u"/*"_s);
        QCOMPARE(colorOf(u"from"_s), colors().dim);
        QCOMPARE(colorOf(u"where"_s), colors().accent);
    }

    void markdownIsColored()
    {
        openAs("text/markdown; charset=utf-8",
               u"# Title\nplain **bold** and *slanted* `a * b`\n- item [x](https://example.com)\n> quoted\n"
               "```sh\n# no heading\n```\nsnake_case_name 2 * 3 * 4"_s);
        QCOMPARE(colorOf(u"# Title"_s), colors().accent);
        QCOMPARE(formatOf(u"**bold**"_s).fontWeight(), int(QFont::Bold));
        QVERIFY(formatOf(u"*slanted*"_s).fontItalic());
        QCOMPARE(colorOf(u"`a * b`"_s), colors().ok);
        QCOMPARE(colorOf(u"-"_s), colors().accent);
        QCOMPARE(colorOf(u"[x](https://example.com)"_s), colors().finding);
        QCOMPARE(colorOf(u"> quoted"_s), colors().dim);
        QCOMPARE(colorOf(u"# no heading"_s), colors().ok);
        QVERIFY(!formatOf(u"case"_s).fontItalic());
        QVERIFY(!formatOf(u" 3 "_s).fontItalic());
        QCOMPARE(colorOf(u"plain"_s), QColor());
    }

    void jsonIsColoredAndRemarkedOn()
    {
        openAs("application/json", u"{\"a\": 1}"_s);
        QCOMPARE(colorOf(u"\"a\""_s), colors().accent);
        QCOMPARE(colorOf(u"1"_s), colors().asks);
        QCOMPARE(find<QPlainTextEdit>(u"field:/t"_s)->font().family(), sonde::ui::monoFont().family());
        type(u"field:/t"_s, u"}"_s);
        QTRY_COMPARE(issueAt(u"/t"_s), u"◆ should be valid JSON"_s);
    }

    void encodedTextIsNotColored()
    {
        open(R"({"type":"object","properties":{"t":{"type":"string","contentMediaType":"application/json",)"
             R"("contentEncoding":"base64"}}})",
             R"({"t":"e30="})");
        QCOMPARE(colorOf(u"e30="_s), QColor());
    }

    void aUrlIsOpenedAfterAConfirmation()
    {
        QDesktopServices::setUrlHandler(u"https"_s, this, "browse");
        open(R"({"type":"object","properties":{"u":{"type":"string","format":"uri"},"n":{"type":"string"}}})");
        auto *button = find<QAbstractButton>(u"browse:/u"_s);
        QVERIFY(!button->isEnabled());
        type(u"field:/u"_s, u"https://example.com/a?b=1"_s);
        QVERIFY(button->isEnabled());
        press(Qt::Key_Tab);
        QCOMPARE(QApplication::focusWidget()->objectName(), u"field:/n"_s);
        press(Qt::Key_Backtab, Qt::ShiftModifier);
        press(Qt::Key_Right, Qt::AltModifier);
        QCOMPARE(QApplication::focusWidget()->objectName(), u"browse:/u"_s);
        press(Qt::Key_Return);
        auto *dialog = m_form->findChild<QDialog *>(u"openAddress"_s);
        QVERIFY(dialog && dialog->isVisible());
        QCOMPARE(m_opened, QStringList());
        QCOMPARE(dialog->findChild<QLabel *>(u"urlHost"_s)->text(), u"example.com"_s);
        QTest::mouseClick(dialog->findChild<QWidget *>(u"confirmOpen"_s), Qt::LeftButton);
        QCOMPARE(m_opened, QStringList{u"https://example.com/a?b=1"_s});
        QVERIFY(!dialog->isVisible());
        QDesktopServices::unsetUrlHandler(u"https"_s);
    }

    void whatWouldNotBeOpenedIsNotOffered_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::newRow("http to elsewhere") << u"http://example.com/"_s;
        QTest::newRow("file") << u"file:///etc/passwd"_s;
        QTest::newRow("script") << u"javascript:alert(1)"_s;
        QTest::newRow("user name") << u"https://bank.example@evil.example/"_s;
        QTest::newRow("relative") << u"/path?q"_s;
        QTest::newRow("half") << u"https://"_s;
    }
    void whatWouldNotBeOpenedIsNotOffered()
    {
        QFETCH(QString, typed);
        open(R"({"type":"object","properties":{"u":{"type":"string","format":"uri-reference"}}})");
        type(u"field:/u"_s, typed);
        const auto *button = find<QAbstractButton>(u"browse:/u"_s);
        QVERIFY(!button->isEnabled());
        QVERIFY2(!button->toolTip().isEmpty(), qPrintable(button->toolTip()));
    }

    // Its lines are hidden like a password; the eye shows them.
    void aSecretOfSeveralLinesIsHidden()
    {
        const auto pictureOf = [this](const QByteArray &secret, bool isShown) {
            begin();
            open(R"({"type":"object","properties":{"private_key":{"type":"string"}}})",
                 R"({"private_key":")" + secret + R"("})");
            if (isShown)
                click(u"reveal:/private_key"_s);
            QWidget *edit = find<QWidget>(u"field:/private_key"_s);
            edit->clearFocus();
            return edit->grab().toImage();
        };
        const QByteArray one = R"(-----BEGIN\nabcdef\n-----END)";
        const QByteArray other = R"(-----BEGIN\nfedcba\n-----END)";
        QCOMPARE(pictureOf(one, false), pictureOf(other, false));
        QVERIFY(pictureOf(one, true) != pictureOf(other, true));
        type(u"field:/private_key"_s, u"X"_s);
        QVERIFY(m_form->value().contains("X"));
    }

    // As dots, like in the field itself.
    void aSecretThatIsEditedAsJsonIsHidden()
    {
        const auto pictureOf = [this](const QByteArray &secret) {
            begin();
            open(R"({"type":"object","properties":{"token":{"type":"string"}}})", R"({"token":")" + secret + R"("})");
            choose(u"presence:/token"_s, u"json"_s);
            settle();
            auto *edit = find<QPlainTextEdit>(u"field:/token"_s);
            edit->clearFocus();
            return edit->grab().toImage();
        };
        QCOMPARE(pictureOf("abcdef"), pictureOf("fedcba"));
        click(u"revealJson"_s);
        auto *edit = find<QPlainTextEdit>(u"field:/token"_s);
        edit->clearFocus();
        const QImage revealed = edit->grab().toImage();
        QVERIFY(revealed != pictureOf("fedcba"));
    }

private:
    void openAs(const QByteArray &mediaType, const QString &text)
    {
        open(R"({"type":"object","properties":{"t":{"type":"string","contentMediaType":")" + mediaType + R"("}}})");
        auto *edit = find<QPlainTextEdit>(u"field:/t"_s);
        QVERIFY(edit);
        edit->setPlainText(text);
        settle();
    }
    QTextCharFormat formatOf(const QString &part) const
    {
        const auto *edit = find<QPlainTextEdit>(u"field:/t"_s);
        for (QTextBlock block = edit->document()->begin(); block.isValid(); block = block.next()) {
            const qsizetype at = block.text().indexOf(part);
            const QList<QTextLayout::FormatRange> formats = block.layout()->formats();
            for (const QTextLayout::FormatRange &range : formats) {
                if (at >= 0 && range.start <= at && range.start + range.length >= at + part.size())
                    return range.format;
            }
            if (at >= 0)
                break;
        }
        return {};
    }
    QColor colorOf(const QString &part) const
    {
        const QTextCharFormat format = formatOf(part);
        return format.hasProperty(QTextFormat::ForegroundBrush) ? format.foreground().color() : QColor();
    }

    QStringList m_opened;
};

SONDE_TEST(TestTextEditor)
#include "tst_texteditor.moc"
