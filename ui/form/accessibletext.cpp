// SPDX-License-Identifier: Apache-2.0
#include "ui/form/accessibletext.h"

#include "ui/form/abbreviatedruns.h"
#include "ui/form/inputs.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QTextBoundaryFinder>
#include <algorithm>

namespace sonde::ui {

namespace {

// Qt's own one for a QPlainTextEdit has the text itself.
class AccessibleText final : public QAccessibleWidget,
                             public QAccessibleTextInterface,
                             public QAccessibleEditableTextInterface {
public:
    explicit AccessibleText(GrowingTextEdit *edit) : QAccessibleWidget(edit, QAccessible::EditableText) {}

    void *interface_cast(QAccessible::InterfaceType type) override
    {
        if (type == QAccessible::TextInterface)
            return static_cast<QAccessibleTextInterface *>(this);
        if (type == QAccessible::EditableTextInterface)
            return static_cast<QAccessibleEditableTextInterface *>(this);
        return QAccessibleWidget::interface_cast(type);
    }

    QAccessible::State state() const override
    {
        QAccessible::State state = QAccessibleWidget::state();
        state.readOnly = edit()->isReadOnly();
        state.editable = !edit()->isReadOnly();
        state.multiLine = true;
        state.selectableText = true;
        state.passwordEdit = characterCount() > 0 && edit()->isConcealed(0, 1);
        return state;
    }

    QString text(QAccessible::Text kind) const override
    {
        return kind == QAccessible::Value ? edit()->shownText() : QAccessibleWidget::text(kind);
    }
    void setText(QAccessible::Text kind, const QString &text) override
    {
        if (kind != QAccessible::Value)
            QAccessibleWidget::setText(kind, text);
        else if (!edit()->isReadOnly())
            edit()->replaceAll(text);
    }

    void selection(int index, int *start, int *end) const override
    {
        const QTextCursor cursor = edit()->textCursor();
        *start = *end = 0;
        if (index != 0 || !cursor.hasSelection())
            return;
        *start = cursor.selectionStart();
        *end = cursor.selectionEnd();
    }
    int selectionCount() const override { return edit()->textCursor().hasSelection() ? 1 : 0; }
    void addSelection(int start, int end) override { setSelection(0, start, end); }
    void removeSelection(int index) override
    {
        if (index == 0)
            setCursorPosition(cursorPosition());
    }
    void setSelection(int index, int start, int end) override
    {
        if (index == 0)
            edit()->setTextCursor(cursorAt(start, end));
    }
    int cursorPosition() const override { return edit()->textCursor().position(); }
    void setCursorPosition(int position) override { edit()->setTextCursor(cursorAt(position, position)); }
    QString text(int start, int end) const override { return edit()->shownText().mid(start, std::max(0, end - start)); }
    QString textBeforeOffset(int offset, QAccessible::TextBoundaryType type, int *start, int *end) const override
    {
        const Span at = spanAt(offset, type);
        return textOf(at.from > 0 ? spanAt(at.from - 1, type) : Span{}, start, end);
    }
    QString textAtOffset(int offset, QAccessible::TextBoundaryType type, int *start, int *end) const override
    {
        return textOf(spanAt(offset, type), start, end);
    }
    QString textAfterOffset(int offset, QAccessible::TextBoundaryType type, int *start, int *end) const override
    {
        const Span at = spanAt(offset, type);
        const int count = characterCount();
        return textOf(at.to < count ? spanAt(at.to, type) : Span{count, count}, start, end);
    }
    int characterCount() const override { return edit()->document()->characterCount() - 1; }
    QRect characterRect(int offset) const override
    {
        const QRect here = edit()->cursorRect(cursorAt(offset, offset));
        const QRect next = edit()->cursorRect(cursorAt(offset + 1, offset + 1));
        const int width = next.top() == here.top() ? next.left() - here.left() : 1;
        return {edit()->viewport()->mapToGlobal(here.topLeft()), QSize(std::max(1, width), here.height())};
    }
    int offsetAtPoint(const QPoint &point) const override
    {
        const QPoint at = edit()->viewport()->mapFromGlobal(point);
        return edit()->viewport()->rect().contains(at) ? edit()->cursorForPosition(at).position() : -1;
    }
    void scrollToSubstring(int start, int end) override
    {
        Q_UNUSED(end)
        setCursorPosition(start);
        edit()->ensureCursorVisible();
    }
    QString attributes(int offset, int *start, int *end) const override
    {
        Q_UNUSED(offset)
        *start = 0;
        *end = characterCount();
        return {};
    }

    void deleteText(int start, int end) override { replaceText(start, end, {}); }
    void insertText(int offset, const QString &text) override { replaceText(offset, offset, text); }
    void replaceText(int start, int end, const QString &text) override
    {
        QTextCursor cursor = cursorAt(start, end);
        if (!edit()->isReadOnly())
            edit()->runs()->insert(&cursor, text);
    }

private:
    struct Span {
        int from = 0;
        int to = 0;
    };

    // Words and sentences are those of what is shown: dots are one word. Lines are as they are wrapped.
    Span spanAt(int offset, QAccessible::TextBoundaryType type) const
    {
        QTextCursor cursor = cursorAt(offset, offset);
        if (type == QAccessible::NoBoundary)
            return {0, characterCount()};
        if (type == QAccessible::LineBoundary || type == QAccessible::ParagraphBoundary) {
            const bool isLine = type == QAccessible::LineBoundary;
            cursor.movePosition(isLine ? QTextCursor::StartOfLine : QTextCursor::StartOfBlock);
            const int from = cursor.position();
            cursor.movePosition(isLine ? QTextCursor::EndOfLine : QTextCursor::EndOfBlock);
            cursor.movePosition(QTextCursor::NextCharacter);  // with the line end, so that the next one follows
            return {from, cursor.position()};
        }
        const QString text = edit()->shownText();
        QTextBoundaryFinder finder(type == QAccessible::WordBoundary       ? QTextBoundaryFinder::Word
                                   : type == QAccessible::SentenceBoundary ? QTextBoundaryFinder::Sentence
                                                                           : QTextBoundaryFinder::Grapheme,
                                   text);
        finder.setPosition(cursor.position());
        const qsizetype from = finder.isAtBoundary() ? finder.position() : finder.toPreviousBoundary();
        const qsizetype to = finder.toNextBoundary();
        return {int(std::max(qsizetype(0), from)), int(to < 0 ? text.size() : to)};
    }
    QString textOf(const Span &span, int *start, int *end) const
    {
        *start = span.from;
        *end = span.to;
        return text(span.from, span.to);
    }

    GrowingTextEdit *edit() const { return static_cast<GrowingTextEdit *>(widget()); }
    QTextCursor cursorAt(int start, int end) const
    {
        QTextCursor cursor(edit()->document());
        cursor.setPosition(std::clamp(start, 0, characterCount()));
        cursor.setPosition(std::clamp(end, 0, characterCount()), QTextCursor::KeepAnchor);
        return cursor;
    }
};

QAccessibleInterface *makeAccessibleText(const QString &, QObject *object)
{
    auto *edit = qobject_cast<GrowingTextEdit *>(object);
    return edit ? new AccessibleText(edit) : nullptr;
}

void announce(GrowingTextEdit *edit, int from, int removed, int added)
{
    if (!QAccessible::isActive())
        return;
    const QString after = added > 0 ? edit->shownText().mid(from, added) : QString();
    const QString before(removed, u' ');  // it is gone
    if (removed == 0) {
        QAccessibleTextInsertEvent event(edit, from, after);
        QAccessible::updateAccessibility(&event);
    } else if (added == 0) {
        QAccessibleTextRemoveEvent event(edit, from, before);
        QAccessible::updateAccessibility(&event);
    } else {
        QAccessibleTextUpdateEvent event(edit, from, before, after);
        QAccessible::updateAccessibility(&event);
    }
}

}  // namespace

void makeTextAccessible(GrowingTextEdit *edit)
{
    static const bool isInstalled = (QAccessible::installFactory(makeAccessibleText), true);
    Q_UNUSED(isInstalled)
    // Qt's control would announce what is typed as it is.
    const QObjectList children = edit->children();
    for (const QObject *child : children) {
        if (child->inherits("QWidgetTextControl"))
            QObject::disconnect(edit->document(), SIGNAL(contentsChange(int, int, int)), child, nullptr);
    }
    QObject::connect(edit->document(), &QTextDocument::contentsChange, edit,
                     [edit](int from, int removed, int added) { announce(edit, from, removed, added); });
}

}  // namespace sonde::ui
