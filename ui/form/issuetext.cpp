// SPDX-License-Identifier: Apache-2.0
#include "ui/form/issuetext.h"

#include "ui/form/draft.h"

#include <algorithm>

namespace sonde::ui {

QStringList placeWords(const Draft &draft)
{
    QStringList words;
    for (const Draft *at = &draft; const Draft *parent = at->parent(); at = parent) {
        const bool isItem = parent->kind() == json::Kind::Array;
        words.prepend(isItem ? itemWord(parent->indexOf(at)) : at->name());
    }
    return words;
}

QList<qsizetype> placePath(const Draft &draft)
{
    QList<qsizetype> path;
    for (const Draft *at = &draft; const Draft *parent = at->parent(); at = parent) {
        if (!at->isPresent()) {
            path.clear();
            continue;
        }
        if (parent->kind() == json::Kind::Array) {
            path.prepend(parent->indexOf(at));
            continue;
        }
        const QList<Draft::Ptr> members = parent->members();
        const auto end = std::find_if(members.cbegin(), members.cend(),
                                      [at](const Draft::Ptr &member) { return member.get() == at; });
        path.prepend(
            std::count_if(members.cbegin(), end, [](const Draft::Ptr &member) { return member->isPresent(); }));
    }
    return path;
}

QList<qsizetype> placePath(const json::Value &root, qsizetype offset)
{
    QList<qsizetype> path;
    for (json::Value at = root; at.offset() < offset;) {
        json::Value within;
        qsizetype index = -1;
        for (const json::Value &child : at) {
            if (child.offset() > offset)
                break;
            within = child;
            ++index;
        }
        if (!within.exists())
            break;
        path.append(index);
        at = within;
    }
    return path;
}

json::Value valueAt(const json::Value &root, const QList<qsizetype> &path)
{
    json::Value at = root;
    for (const qsizetype index : path) {
        const json::Value inner = at.at(index);
        if (!inner.exists())
            break;
        at = inner;
    }
    return at;
}

}  // namespace sonde::ui
