// SPDX-License-Identifier: Apache-2.0
#include "ui/json/accessibletextview.h"

#include "ui/json/bytestext.h"

#include <QScrollBar>
#include <algorithm>

namespace sonde::ui {

QAccessibleInterface *TextView::Accessible::make(const QString &className, QObject *object)
{
    Q_UNUSED(className)
    auto *view = qobject_cast<TextView *>(object);
    return view ? new Accessible(view) : nullptr;
}

void TextView::Accessible::announceSelection(TextView *view)
{
    if (!QAccessible::isActive())
        return;
    const auto *spoken = dynamic_cast<Accessible *>(QAccessible::queryAccessibleInterface(view));
    if (!spoken)
        return;
    const int cursor = spoken->cursorPosition();
    QAccessibleTextCursorEvent moved(view, cursor);
    QAccessible::updateAccessibility(&moved);
    QAccessibleTextSelectionEvent selected(view, spoken->unitOf(view->d->selectionStart()),
                                           spoken->unitOf(view->d->selectionEnd()));
    selected.setCursorPosition(cursor);
    QAccessible::updateAccessibility(&selected);
}

void *TextView::Accessible::interface_cast(QAccessible::InterfaceType type)
{
    if (type == QAccessible::TextInterface)
        return static_cast<QAccessibleTextInterface *>(this);
    return QAccessibleWidget::interface_cast(type);
}

QAccessible::State TextView::Accessible::state() const
{
    QAccessible::State state = QAccessibleWidget::state();
    state.readOnly = true;
    state.multiLine = true;
    state.selectableText = true;
    return state;
}

QString TextView::Accessible::text(QAccessible::Text kind) const
{
    return kind == QAccessible::Value ? view()->shownText() : QAccessibleWidget::text(kind);
}

void TextView::Accessible::selection(int index, int *start, int *end) const
{
    *start = index == 0 ? unitOf(lines()->selectionStart()) : 0;
    *end = index == 0 ? unitOf(lines()->selectionEnd()) : 0;
}

int TextView::Accessible::selectionCount() const
{
    return lines()->anchor == lines()->position ? 0 : 1;
}

void TextView::Accessible::addSelection(int start, int end)
{
    setSelection(0, start, end);
}

void TextView::Accessible::removeSelection(int index)
{
    if (index == 0)
        setCursorPosition(cursorPosition());
}

void TextView::Accessible::setSelection(int index, int start, int end)
{
    if (index == 0)
        lines()->select(byteOf(start), byteOf(end));
}

int TextView::Accessible::cursorPosition() const
{
    return unitOf(lines()->position);
}

void TextView::Accessible::setCursorPosition(int position)
{
    lines()->select(byteOf(position), byteOf(position));
    lines()->scrollTo(byteOf(position));
}

QString TextView::Accessible::text(int start, int end) const
{
    return spoken().mid(start, std::max(0, end - start));
}

int TextView::Accessible::characterCount() const
{
    return int(spoken().size());
}

QRect TextView::Accessible::characterRect(int offset) const
{
    TextView::Private *text = lines();
    offset = std::clamp(offset, 0, characterCount());
    const qsizetype byte = byteOf(offset);
    const qsizetype index = text->lines.lineAt(byte);
    const TextLines::Span span = text->lines.at(index);
    const qsizetype next = std::min(byteOf(offset + 1), span.end());
    const qreal left = text->line(index).xOf(std::min(byte, span.end()) - span.start);
    const qreal right = text->line(index).xOf(std::max(next, span.start) - span.start);
    const QPoint corner(int(text->leftEdge() + left) - view()->horizontalScrollBar()->value(),
                        text->margin + int(index - text->firstLine()) * text->lineHeight);
    return {view()->viewport()->mapToGlobal(corner), QSize(std::max(1, int(right - left)), text->lineHeight)};
}

int TextView::Accessible::offsetAtPoint(const QPoint &point) const
{
    const QPoint at = view()->viewport()->mapFromGlobal(point);
    return view()->viewport()->rect().contains(at) ? unitOf(lines()->offsetAt(at)) : -1;
}

void TextView::Accessible::scrollToSubstring(int start, int end)
{
    Q_UNUSED(end)
    lines()->scrollTo(byteOf(start));
}

QString TextView::Accessible::attributes(int offset, int *start, int *end) const
{
    Q_UNUSED(offset)
    *start = 0;
    *end = characterCount();
    return {};
}

QString TextView::Accessible::spoken() const
{
    const QByteArray &bytes = lines()->text;
    qsizetype size = std::min(bytes.size(), MaxBytes);
    while (size > 0 && size < bytes.size() && (uchar(bytes[size]) & 0xc0) == 0x80)
        --size;  // whole characters
    return decodedUtf8(QByteArrayView(bytes).first(size));
}

int TextView::Accessible::unitOf(qsizetype byte) const
{
    const QByteArrayView before = QByteArrayView(lines()->text).first(std::min(byte, MaxBytes));
    return std::min(int(decodedUtf8(before).size()), characterCount());
}

// Exact where the bytes are UTF-8.
qsizetype TextView::Accessible::byteOf(int unit) const
{
    const QString all = spoken();
    const QStringView before = QStringView(all).first(std::clamp(unit, 0, int(all.size())));
    return std::min(before.toUtf8().size(), lines()->text.size());
}

}  // namespace sonde::ui
