// The places in the arguments of a tool that a value can be put into: fields, and what is within objects and lists.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"

#include <QList>
#include <QString>

namespace sonde::ui {

struct FieldPlace {
    struct Step {
        enum class Kind { Member, Item, NewItem };
        Kind kind = Kind::Member;
        QString name;         // of the member
        qsizetype index = 0;  // of the item
        QByteArray initial;   // JSON of what the step is into, where it is not there yet
        bool operator==(const Step &) const = default;
    };
    QList<Step> steps;
    QString words;        // "objs, item 40, name"
    QString type;         // in words; empty: any
    json::Value current;  // Missing: nothing is there yet
    bool fits = false;    // the schema takes the value there
};

// In the order of the schema, those that take the value first. arguments: as they are filled in; Missing: not at all.
// A schema that refers to itself, or is very large, is not followed to its end.
QList<FieldPlace> fieldPlaces(const json::Value &schema, const json::Value &arguments, const json::Value &value);

// The arguments with the value (JSON) at that place. Lists and objects that are missing on the way are made; what is of
// another kind is replaced.
QByteArray withValueAt(const QByteArray &arguments, const FieldPlace &place, const QByteArray &value);

}  // namespace sonde::ui
