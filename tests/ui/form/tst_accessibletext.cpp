// What assistive tools get of text boxes: everything, and dots for what is concealed.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testregistry.h"
#include "tests/ui/form/formfixture.h"
#include "ui/form/inputs.h"
#include "ui/form/jsoneditor.h"

#include <QAbstractButton>
#include <QAccessible>
#include <QApplication>
#include <QClipboard>
#include <QPlainTextEdit>
#include <QTest>

using namespace Qt::StringLiterals;
using sonde::test::FormFixture;
using sonde::ui::ElidedText;
using sonde::ui::GrowingTextEdit;
using sonde::ui::JsonEditor;

namespace {

// Every way to read the text.
QStringList readings(QPlainTextEdit *edit)
{
    QAccessibleInterface *box = QAccessible::queryAccessibleInterface(edit);
    QAccessibleTextInterface *text = box->textInterface();
    const int size = text->characterCount();
    int start = 0;
    int end = 0;
    QStringList all{box->text(QAccessible::Value), box->text(QAccessible::Name), box->text(QAccessible::Description),
                    text->text(0, size), text->attributes(0, &start, &end)};
    for (int at = 0; at < size; ++at) {
        for (const auto boundary : {QAccessible::CharBoundary, QAccessible::WordBoundary, QAccessible::LineBoundary,
                                    QAccessible::ParagraphBoundary, QAccessible::NoBoundary}) {
            all << text->textAtOffset(at, boundary, &start, &end) << text->textBeforeOffset(at, boundary, &start, &end)
                << text->textAfterOffset(at, boundary, &start, &end);
        }
    }
    text->setSelection(0, 0, size);
    text->selection(0, &start, &end);
    return all << text->text(start, end);
}

}  // namespace

class TestAccessibleText : public QObject, FormFixture {
    Q_OBJECT

private Q_SLOTS:
    void init() { begin(); }
    void cleanup() { end(); }

    void anOrdinaryTextIsReadAndWritten()
    {
        open(R"({"type":"object","properties":{"note":{"type":"string"}}})", R"({"note":"one\ntwo"})");
        auto *edit = find<QPlainTextEdit>(u"field:/note"_s);
        QAccessibleInterface *box = QAccessible::queryAccessibleInterface(edit);
        QCOMPARE(box->role(), QAccessible::EditableText);
        QCOMPARE(box->text(QAccessible::Name), u"note"_s);
        QCOMPARE(box->text(QAccessible::Value), u"one\ntwo"_s);
        QVERIFY(box->state().multiLine && box->state().editable && !box->state().passwordEdit);
        QAccessibleTextInterface *text = box->textInterface();
        int start = 0;
        int end = 0;
        QCOMPARE(text->textAtOffset(5, QAccessible::WordBoundary, &start, &end), u"two"_s);
        const QRect second = text->characterRect(4);
        QCOMPARE(text->offsetAtPoint(second.center() - QPoint(second.width() / 4, 0)), 4);
        text->setSelection(0, 4, 7);
        QCOMPARE(edit->textCursor().selectedText(), u"two"_s);
        box->editableTextInterface()->replaceText(4, 7, u"three"_s);
        box->editableTextInterface()->insertText(0, u"so "_s);
        QCOMPARE(m_form->value(), R"({"note":"so one\nthree"})");
        QVERIFY(m_form->undo());
    }

    void aSecretOfSeveralLinesIsDots()
    {
        open(R"({"type":"object","properties":{"private_key":{"type":"string"}}})",
             R"({"private_key":"BEGIN\nabc\nEND"})");
        auto *edit = find<QPlainTextEdit>(u"field:/private_key"_s);
        const QStringList all = readings(edit);
        QCOMPARE(all.constFirst(), u"•••••\n•••\n•••"_s);
        for (const QString &reading : all)
            QVERIFY2(!reading.contains(u"BEGIN"_s) && !reading.contains(u'b') && !reading.contains(u"END"_s),
                     qPrintable(reading));
        QVERIFY(QAccessible::queryAccessibleInterface(edit)->state().passwordEdit);
        click(u"reveal:/private_key"_s);
        QCOMPARE(readings(edit).constFirst(), u"BEGIN\nabc\nEND"_s);
        QVERIFY(!QAccessible::queryAccessibleInterface(edit)->state().passwordEdit);
    }

    // It is announced as soon as the text has changed.
    void whatIsTypedIntoASecretIsDotsAtOnce()
    {
        open(R"({"type":"object","properties":{"private_key":{"type":"string"}}})", R"({"private_key":"BEGIN\nEND"})");
        auto *edit = find<GrowingTextEdit>(u"field:/private_key"_s);
        QStringList told;
        connect(edit->document(), &QTextDocument::contentsChange, edit, [edit, &told] { told << edit->shownText(); });
        edit->setFocus();
        press(Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(edit, u"xy"_s);
        QCOMPARE(m_form->value(), R"({"private_key":"xy"})");
        QVERIFY(told.size() >= 2);
        QVERIFY2(told.join(QString()).remove(u'•').remove(u'\n').isEmpty(), qPrintable(told.join(u' ')));
        // Nor is it copied.
        QApplication::clipboard()->setText(u"before"_s);
        press(Qt::Key_A, Qt::ControlModifier);
        press(Qt::Key_C, Qt::ControlModifier);
        press(Qt::Key_X, Qt::ControlModifier);
        QCOMPARE(QApplication::clipboard()->text(), u"before"_s);
        QCOMPARE(m_form->value(), R"({"private_key":"xy"})");
        click(u"reveal:/private_key"_s);
        press(Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QApplication::clipboard()->text(), u"xy"_s);
    }

    void whatIsSaidOfARowHasDots()
    {
        open(R"({"type":"object","properties":{"users":{"type":"array","items":{"type":"object","properties":{
            "name":{"type":"string"},"password":{"type":"string"},"pin":{"type":"string","writeOnly":true}}}}}})",
             R"({"users":[{"name":"Ada","password":"hunter2","pin":"1234"}]})");
        QStringList said;
        const QList<ElidedText *> texts = m_form->findChildren<ElidedText *>();
        for (const ElidedText *text : texts)
            said << text->accessibleName();
        QVERIFY2(said.contains(u"Ada · ••• · •••"_s), qPrintable(said.join(u'\n')));
    }

    void secretsInJsonAreDots()
    {
        JsonEditor editor;
        editor.setJson("{\"token\": \"abcdef\", \"n\": 1}");
        editor.setSecrets({editor.document().root()[u"token"]});
        editor.show();
        const QStringList all = readings(editor.edit());
        QCOMPARE(all.constFirst(), u"{\"token\": \"••••••\", \"n\": 1}"_s);
        for (const QString &reading : all)
            QVERIFY2(!reading.contains(u"abc"_s) && !reading.contains(u"ef"_s), qPrintable(reading));
        editor.findChild<QAbstractButton *>(u"revealJson"_s)->click();
        QVERIFY(readings(editor.edit()).constFirst().contains(u"abcdef"_s));
    }
};

SONDE_TEST(TestAccessibleText)
#include "tst_accessibletext.moc"
