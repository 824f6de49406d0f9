// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/flowlayout.h"

#include <algorithm>

namespace sonde::ui {

void FlowLayout::addItem(QLayoutItem *item)
{
    m_items.emplace_back(item);
    invalidate();
}

QLayoutItem *FlowLayout::itemAt(int index) const
{
    return index >= 0 && index < count() ? m_items[size_t(index)].get() : nullptr;
}

QLayoutItem *FlowLayout::takeAt(int index)
{
    if (index < 0 || index >= count())
        return nullptr;
    QLayoutItem *item = m_items[size_t(index)].release();
    m_items.erase(m_items.begin() + index);
    invalidate();
    return item;
}

int FlowLayout::heightForWidth(int width) const
{
    return flow({0, 0, width, 0}, Mode::Measure);
}

QSize FlowLayout::sizeHint() const
{
    QSize size(0, 0);
    for (const auto &item : m_items) {
        if (item->isEmpty())
            continue;
        const QSize hint = item->sizeHint();
        size = {size.width() + hint.width() + (size.width() > 0 ? spacing() : 0),
                std::max(size.height(), hint.height())};
    }
    return size.grownBy(contentsMargins());
}

QSize FlowLayout::minimumSize() const
{
    QSize size(0, 0);
    for (const auto &item : m_items) {
        if (!item->isEmpty())
            size = size.expandedTo(item->minimumSize());
    }
    return size.grownBy(contentsMargins());
}

void FlowLayout::setGeometry(const QRect &rect)
{
    QLayout::setGeometry(rect);
    flow(rect, Mode::Place);
}

int FlowLayout::flow(const QRect &rect, Mode mode) const
{
    const QMargins margins = contentsMargins();
    const QRect room = rect.marginsRemoved(margins);
    QPoint at = room.topLeft();
    int rowHeight = 0;
    for (const auto &item : m_items) {
        if (item->isEmpty())
            continue;
        const QSize hint = item->sizeHint();
        if (at.x() > room.left() && at.x() + hint.width() > room.left() + room.width()) {
            at = {room.left(), at.y() + rowHeight + spacing()};
            rowHeight = 0;
        }
        if (mode == Mode::Place)
            item->setGeometry({at, hint});
        at.rx() += hint.width() + spacing();
        rowHeight = std::max(rowHeight, hint.height());
    }
    return at.y() + rowHeight - rect.top() + margins.bottom();
}

}  // namespace sonde::ui
