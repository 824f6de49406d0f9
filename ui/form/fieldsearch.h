// Finds fields of a form by their names and by what is entered, whether they are drawn or not.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/pointer.h"
#include "core/shape/shapevalues.h"

#include <QHash>
#include <QList>
#include <QSet>
#include <QString>
#include <memory>

namespace sonde::ui {

struct FieldQuery {
    QString words;  // each is in the name, the description or the title
    bool onlyRequired = false;
    bool onlySet = false;        // or at fault
    bool inTitles = false;       // which a form for a person shows
    QSet<QString> atFault = {};  // pointers

    bool isEmpty() const { return words.trimmed().isEmpty() && !onlyRequired && !onlySet; }
    bool operator==(const FieldQuery &) const = default;
};

// The places that stay visible while others are hidden, as a tree of the tokens of their pointers.
struct FieldFilter {
    bool isWhole = false;  // all that is within as well
    QHash<QString, std::shared_ptr<FieldFilter>> inner;

    bool shows(const QString &token) const { return isWhole || inner.contains(token); }
    bool add(const FieldFilter &other);  // false: all of that was shown before
    // Of a member or an item; null: all of it is shown.
    const FieldFilter *within(const QString &token) const;
};

struct FoundFields {
    static constexpr qsizetype MaxFields = 100'000;  // then the search ends

    QList<json::Pointer> places;  // that match, from the top
    std::shared_ptr<const FieldFilter> shown;
    qsizetype fields = 0;  // that were looked at
    bool isCut = false;
};

// Of the form that `root` and `value` make. Takes its time: for a worker, with its own reader of shapes.
FoundFields findFields(const ShapeValues &values, const Shape &root, const json::Value &value, const FieldQuery &query);

}  // namespace sonde::ui
