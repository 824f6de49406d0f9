// SPDX-License-Identifier: Apache-2.0
#include "ui/form/stacklayouts.h"

#include "ui/theme/theme.h"

#include <QHash>
#include <QStyle>
#include <QWidget>
#include <utility>

namespace sonde::ui {

namespace {

constexpr int UsualWidth = 240;  // before the first time that there is an area
constexpr int WideColumn = 328;  // px; enough for nearly every short field
constexpr int ColumnGap = 24;
constexpr int LeastShare = 96;  // px, of what shares a row; an input that has less goes below

// The minimum size of an item would ask for the preferred size as well, which a wrapped text answers by trying widths.
int leastWidthOf(const QWidget *widget)
{
    if (widget->minimumWidth() > 0)
        return widget->minimumWidth();
    if (QLayout *layout = widget->layout())
        return layout->totalMinimumSize().width();
    return qMax(0, widget->minimumSizeHint().width());
}

int heightOf(QLayoutItem *item, int width)
{
    return item->hasHeightForWidth() ? item->heightForWidth(width) : item->sizeHint().height();
}

}  // namespace

StackLayout::~StackLayout()
{
    for (const Entry &entry : std::as_const(m_entries))
        delete entry.item;
}

void StackLayout::addItem(QLayoutItem *item)
{
    m_entries.append({item, 0});
    invalidate();
}

void StackLayout::insert(int index, QWidget *widget, int stretch, Qt::Alignment alignment)
{
    addChildWidget(widget);
    // Remembers its heights itself, until the widget says that they are others now.
    auto *item = new QWidgetItemV2(widget);
    item->setAlignment(alignment);
    m_entries.insert(index < 0 ? m_entries.size() : qsizetype(index), {item, stretch});
    invalidate();
}

QLayoutItem *StackLayout::itemAt(int index) const
{
    return index >= 0 && index < m_entries.size() ? m_entries.at(index).item : nullptr;
}

QLayoutItem *StackLayout::takeAt(int index)
{
    if (index < 0 || index >= m_entries.size())
        return nullptr;
    QLayoutItem *item = m_entries.takeAt(index).item;
    invalidate();
    return item;
}

void StackLayout::invalidate()
{
    m_width = -1;
    m_leastWidth = -1;
    QLayout::invalidate();
}

int StackLayout::heightForWidth(int width) const
{
    if (width != m_width) {
        const QMargins margins = contentsMargins();
        const QRect area(0, 0, width - margins.left() - margins.right(), 0);
        m_height = arrange(area, false) + margins.top() + margins.bottom();
        m_width = width;
    }
    return m_height;
}

QSize StackLayout::sizeHint() const
{
    const int width = geometry().width() > 0 ? geometry().width() : qMax(UsualWidth, minimumSize().width());
    return {width, heightForWidth(width)};
}

QSize StackLayout::minimumSize() const
{
    if (m_leastWidth < 0) {
        const QMargins margins = contentsMargins();
        m_leastWidth = leastWidth() + margins.left() + margins.right();
    }
    return {m_leastWidth, 0};
}

void StackLayout::setGeometry(const QRect &area)
{
    QLayout::setGeometry(area);
    arrange(area.marginsRemoved(contentsMargins()), true);
}

void ColumnLayout::setOrder(const QList<QWidget *> &widgets)
{
    QHash<QWidget *, qsizetype> at;
    at.reserve(m_entries.size());
    for (qsizetype i = 0; i < m_entries.size(); ++i)
        at.insert(m_entries.at(i).item->widget(), i);
    QList<Entry> ordered;
    ordered.reserve(m_entries.size());
    for (QWidget *widget : widgets)
        ordered.append(m_entries.at(at.value(widget)));
    m_entries = ordered;
    invalidate();
}

void ColumnLayout::setShort(QWidget *widget, int width)
{
    for (Entry &entry : m_entries) {
        if (entry.item->widget() == widget)
            entry.shortWidth = width;
    }
    invalidate();
}

// The one that follows, if both are short enough for columns of this width; -1: they are not.
qsizetype ColumnLayout::nextBeside(qsizetype index, int width) const
{
    const auto fits = [width](const Entry &entry) {
        return entry.shortWidth > 0 && (width >= WideColumn || width >= entry.shortWidth);
    };
    if (!fits(m_entries.at(index)))
        return -1;
    for (qsizetype i = index + 1; i < m_entries.size(); ++i) {
        if (!m_entries.at(i).item->isEmpty())
            return fits(m_entries.at(i)) ? i : -1;
    }
    return -1;
}

int ColumnLayout::arrange(const QRect &area, bool place) const
{
    int top = 0;
    const int half = (area.width() - ColumnGap) / 2;
    for (qsizetype i = 0; i < m_entries.size(); ++i) {
        const Entry &entry = m_entries.at(i);
        if (entry.item->isEmpty())
            continue;
        if (top > 0)
            top += spacing();
        QWidget *widget = entry.item->widget();
        const qsizetype next = nextBeside(i, half);
        if (next >= 0) {
            const Entry &other = m_entries.at(next);
            const int height = heightOf(entry.item, half);
            const int otherHeight = heightOf(other.item, half);
            if (place) {
                widget->setGeometry(area.left(), area.top() + top, half, height);
                other.item->widget()->setGeometry(area.left() + half + ColumnGap, area.top() + top, half, otherHeight);
            }
            top += qMax(height, otherHeight);
            i = next;
            continue;
        }
        const bool isAligned = entry.item->alignment().testFlag(Qt::AlignLeft);
        const int width = isAligned ? qMin(entry.item->sizeHint().width(), area.width()) : area.width();
        const int height = heightOf(entry.item, width);
        if (place)
            widget->setGeometry(area.left(), area.top() + top, width, height);
        top += height;
    }
    return top;
}

int ColumnLayout::leastWidth() const
{
    int least = 0;
    for (const Entry &entry : m_entries) {
        if (!entry.item->isEmpty())
            least = qMax(least, leastWidthOf(entry.item->widget()));
    }
    return least;
}

int RowLayout::arrange(const QRect &area, bool place) const
{
    int room = area.width();
    int stretch = 0;
    int shown = 0;
    for (const Entry &entry : m_entries) {
        if (entry.item->isEmpty())
            continue;
        room -= shown++ > 0 ? spacing() : 0;
        stretch += entry.stretch;
        if (entry.stretch == 0)
            room -= entry.item->sizeHint().width();
    }
    int left = 0;
    int height = 0;
    for (const Entry &entry : m_entries) {
        if (entry.item->isEmpty())
            continue;
        const int width = entry.stretch > 0 ? qMax(0, room) * entry.stretch / stretch : entry.item->sizeHint().width();
        const int own = heightOf(entry.item, width);
        if (place)
            entry.item->widget()->setGeometry(area.left() + left, area.top(), width, own);
        left += width + spacing();
        height = qMax(height, own);
    }
    return height;
}

int RowLayout::leastWidth() const
{
    int least = 0;
    int shown = 0;
    for (const Entry &entry : m_entries) {
        if (entry.item->isEmpty())
            continue;
        least += shown++ > 0 ? spacing() : 0;
        least += entry.stretch == 0 ? entry.item->sizeHint().width() : leastWidthOf(entry.item->widget());
    }
    return least;
}

int BreakingRowLayout::rowWidth() const
{
    int width = 0;
    int shown = 0;
    for (const Entry &entry : m_entries) {
        if (entry.item->isEmpty())
            continue;
        width += shown++ > 0 ? spacing() : 0;
        width +=
            entry.stretch == 0 ? entry.item->sizeHint().width() : qMax(LeastShare, leastWidthOf(entry.item->widget()));
    }
    return width;
}

int BreakingRowLayout::arrange(const QRect &area, bool place) const
{
    if (area.width() >= rowWidth())
        return RowLayout::arrange(area, place);
    QList<QLayoutItem *> above;
    QList<QLayoutItem *> below;
    for (const Entry &entry : m_entries) {
        if (!entry.item->isEmpty())
            (entry.stretch == 0 ? above : below).append(entry.item);
    }
    int left = 0;
    int top = 0;
    for (qsizetype i = 0; i < above.size(); ++i) {
        const int width = qMin(above.at(i)->sizeHint().width(), area.width());
        const int height = heightOf(above.at(i), width);
        if (i > 0 && i + 1 == above.size())
            left = area.width() - width;
        if (place)
            above.at(i)->widget()->setGeometry(area.left() + left, area.top(), width, height);
        left += width + spacing();
        top = qMax(top, height);
    }
    for (QLayoutItem *item : std::as_const(below)) {
        top += top > 0 ? spacing() : 0;
        const int height = heightOf(item, area.width());
        if (place)
            item->widget()->setGeometry(area.left(), area.top() + top, area.width(), height);
        top += height;
    }
    return top;
}

int BreakingRowLayout::leastWidth() const
{
    int above = 0;
    int below = 0;
    for (const Entry &entry : m_entries) {
        if (entry.item->isEmpty())
            continue;
        if (entry.stretch == 0)
            above += (above > 0 ? spacing() : 0) + entry.item->sizeHint().width();
        else
            below = qMax(below, leastWidthOf(entry.item->widget()));
    }
    return qMax(above, below);
}

HeaderLayout::HeaderLayout(QWidget *parent, QWidget *name, QWidget *detail)
    : StackLayout(parent), m_name(name), m_detail(detail)
{
    addWidget(name);
    addWidget(detail);
}

bool HeaderLayout::isButton(const Entry &entry) const
{
    return !entry.item->isEmpty() && entry.item->widget() != m_name && entry.item->widget() != m_detail;
}

int HeaderLayout::gap() const
{
    return m_name->sizeHint().width() > 0 ? Grid + spacing() : 0;
}

int HeaderLayout::fullWidth() const
{
    return leastWidth() + m_name->sizeHint().width() + gap() + m_detail->sizeHint().width();
}

int HeaderLayout::leastWidth() const
{
    int least = 0;
    for (const Entry &entry : m_entries)
        least += isButton(entry) ? entry.item->sizeHint().width() + spacing() : 0;
    return least;
}

int HeaderLayout::arrange(const QRect &area, bool place) const
{
    const int line = headerHeight();
    const int room = qMax(0, area.width() - leastWidth());
    const QSize name = m_name->sizeHint();
    const int nameWidth = qMin(name.width(), room);
    const int nameHeight = nameWidth < name.width() ? line + m_name->heightForWidth(nameWidth) - name.height() : line;
    const bool isBelow = name.width() > 0 && name.width() + gap() + m_detail->minimumSizeHint().width() > room;
    const int height = nameHeight + (isBelow ? m_detail->sizeHint().height() : 0);
    if (!place)
        return height;
    const auto put = [&](QLayoutItem *item, const QRect &at) {
        item->setGeometry(QStyle::visualRect(parentWidget()->layoutDirection(), area, at.translated(area.topLeft())));
    };
    int left = 0;
    QLayoutItem *detail = nullptr;
    QList<QLayoutItem *> atEnd;
    for (const Entry &entry : m_entries) {
        if (entry.item->widget() == m_detail) {
            detail = entry.item;
        } else if (entry.item->widget() == m_name) {
            put(entry.item, {left, 0, nameWidth, nameHeight});
            left += nameWidth + (nameWidth > 0 ? spacing() : 0);
        } else if (isButton(entry) && detail) {
            atEnd.prepend(entry.item);
        } else if (isButton(entry)) {
            put(entry.item, {left, 0, entry.item->sizeHint().width(), line});
            left += entry.item->sizeHint().width() + spacing();
        }
    }
    int right = area.width();
    for (QLayoutItem *item : std::as_const(atEnd)) {
        right -= item->sizeHint().width();
        put(item, {right, 0, item->sizeHint().width(), line});
        right -= spacing();
    }
    left += gap() > 0 ? Grid : 0;
    put(detail, isBelow ? QRect(0, nameHeight, area.width(), height - nameHeight)
                        : QRect(left, 0, qMax(0, right - left), line));
    return height;
}

}  // namespace sonde::ui
