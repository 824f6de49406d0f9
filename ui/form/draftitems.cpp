// SPDX-License-Identifier: Apache-2.0
#include "ui/form/draftitems.h"

#include "ui/form/draft.h"

#include <algorithm>
#include <utility>

namespace sonde::ui {

namespace {

bool hasItem(const DraftItems::Part &part)
{
    return part.item != nullptr;
}

}  // namespace

void DraftItems::reset(const json::Value &list)
{
    clear();
    m_source = list;
    if (!list.isEmpty())
        m_parts.append({nullptr, list.size(), 0, 1, list.slice().size() - 1});
}

void DraftItems::clear()
{
    m_parts.clear();
    m_walked = -1;
    m_source = {};
}

qsizetype DraftItems::count() const
{
    qsizetype count = 0;
    for (const Part &part : m_parts)
        count += part.count;
    return count;
}

QByteArrayView DraftItems::text(const Part &stretch) const
{
    return m_source.slice().sliced(stretch.from, stretch.end - stretch.from);
}

json::Value DraftItems::sourceItem(qsizetype index) const
{
    if (m_walked < 0 || m_walked > index) {
        m_walk = m_source.begin();
        m_walked = 0;
    }
    for (; m_walked < index; ++m_walked)
        ++m_walk;
    return *m_walk;
}

qsizetype DraftItems::split(qsizetype index)
{
    qsizetype position = 0;
    for (; position < m_parts.size() && index >= m_parts.at(position).count; ++position)
        index -= m_parts.at(position).count;
    if (index <= 0 || position == m_parts.size())
        return position;
    Part &left = m_parts[position];
    Part right = left;
    right.first += index;
    right.count -= index;
    right.from = sourceItem(right.first).offset() - m_source.offset();
    left.count = index;
    left.end = right.from - 1;
    m_parts.insert(position + 1, right);
    return position + 1;
}

DraftItems::Item DraftItems::at(qsizetype index, const Make &make)
{
    if (index < 0)
        return nullptr;
    const qsizetype position = split(index);
    if (position == m_parts.size())
        return nullptr;
    if (!m_parts.at(position).item) {
        (void)split(index + 1);
        m_parts[position] = {make(sourceItem(m_parts.at(position).first))};
    }
    return m_parts.at(position).item;
}

QList<DraftItems::Item> DraftItems::all(const Make &make)
{
    QList<Item> items;
    items.reserve(count());
    for (const Part &part : std::as_const(m_parts)) {
        if (part.item)
            items.append(part.item);
        for (qsizetype i = 0; !part.item && i < part.count; ++i)
            items.append(make(sourceItem(part.first + i)));
    }
    if (items.size() == m_parts.size() && std::all_of(m_parts.cbegin(), m_parts.cend(), hasItem))
        return items;
    m_parts.clear();
    for (const Item &item : std::as_const(items))
        m_parts.append({item});
    return items;
}

qsizetype DraftItems::indexOf(const Draft *item) const
{
    qsizetype index = 0;
    for (const Part &part : m_parts) {
        if (part.item.get() == item)
            return index;
        index += part.count;
    }
    return -1;
}

// In steps: looking at an item takes much longer than going past it.
qsizetype DraftItems::itemAt(const Part &stretch, qsizetype offset) const
{
    const qsizetype wanted = m_source.offset() + stretch.from + offset;
    (void)sourceItem(stretch.first);
    qsizetype item = 0;
    for (const qsizetype step : {qsizetype(1024), qsizetype(32), qsizetype(1)}) {
        while (item + step < stretch.count) {
            json::Value::Iterator next = m_walk;
            for (qsizetype i = 0; i < step; ++i)
                ++next;
            if ((*next).offset() > wanted)
                break;
            m_walk = next;
            m_walked += step;
            item += step;
        }
    }
    return item;
}

qsizetype DraftItems::offsetOf(const Part &stretch, qsizetype item) const
{
    return sourceItem(stretch.first + item).offset() - m_source.offset() - stretch.from;
}

void DraftItems::insert(qsizetype index, const QList<Item> &items)
{
    const qsizetype position = split(index);
    QList<Part> parts = m_parts.first(position);
    for (const Item &item : items)
        parts.append({item});
    m_parts = parts + m_parts.sliced(position);
}

void DraftItems::move(qsizetype from, qsizetype to)
{
    const QList<Part> moved = partsOf(from, from + 1);
    if (moved.isEmpty())
        return;
    m_parts.removeAt(split(from));
    m_parts.insert(split(to), moved.constFirst());
}

void DraftItems::remove(qsizetype index)
{
    if (!partsOf(index, index + 1).isEmpty())
        m_parts.removeAt(split(index));
}

void DraftItems::rebase(const json::Value &list, const QList<Part> &parts)
{
    m_source = list;
    m_walked = -1;
    m_parts = parts;
    qsizetype at = 1;
    qsizetype index = 0;
    for (Part &part : m_parts) {
        if (part.item && !part.item->isPresent())
            continue;
        const qsizetype size = part.item ? part.item->size() : part.end - part.from;
        if (!part.item) {
            part.first = index;
            part.from = at;
            part.end = at + size;
        }
        index += part.count;
        at += size + 1;
    }
}

QList<DraftItems::Part> DraftItems::partsOf(qsizetype from, qsizetype to)
{
    const qsizetype first = split(from);
    return m_parts.mid(first, split(to) - first);
}

}  // namespace sonde::ui
