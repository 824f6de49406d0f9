// The items of a list while it is edited.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"

#include <QList>
#include <functional>
#include <memory>

namespace sonde::ui {

class Draft;

// Only items that somebody has asked for are places of their own. All others stay in the text that the list was read
// from, as stretches of it, so a list of millions takes no longer than what is shown of it.
class DraftItems {
public:
    using Item = std::shared_ptr<Draft>;
    struct Part {
        Item item;            // null: a stretch
        qsizetype count = 1;  // of items
        qsizetype first = 0;  // of a stretch: the index of its first item in the source
        qsizetype from = 0;   // where it begins in the text of the source
        qsizetype end = 0;    // without the comma behind it
    };
    using Make = std::function<Item(const json::Value &value)>;

    // The list has no insignificant white space.
    void reset(const json::Value &list);
    void clear();

    bool isEmpty() const { return m_parts.isEmpty(); }
    qsizetype count() const;
    const QList<Part> &parts() const { return m_parts; }
    QByteArrayView text(const Part &stretch) const;
    const json::Value &source() const { return m_source; }
    Item at(qsizetype index, const Make &make);  // a place of its own from now on; null: there is none
    QList<Item> all(const Make &make);
    qsizetype indexOf(const Draft *item) const;  // -1: none of them
    // Which item of a stretch holds this byte of it, and where an item of it begins.
    qsizetype itemAt(const Part &stretch, qsizetype offset) const;
    qsizetype offsetOf(const Part &stretch, qsizetype item) const;

    void insert(qsizetype index, const QList<Item> &items);
    void move(qsizetype from, qsizetype to);
    void remove(qsizetype index);
    // The list is now this one. Parts keep their items; stretches are as long as before and in the same order.
    void rebase(const json::Value &list, const QList<Part> &parts);
    QList<Part> partsOf(qsizetype from, qsizetype to);  // from here up to there

private:
    qsizetype split(qsizetype index);  // the position of the part that begins there
    json::Value sourceItem(qsizetype index) const;

    json::Value m_source;
    QList<Part> m_parts;
    // Items are mostly asked for in their order.
    mutable json::Value::Iterator m_walk;
    mutable qsizetype m_walked = -1;
};

}  // namespace sonde::ui
