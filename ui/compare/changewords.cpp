// SPDX-License-Identifier: Apache-2.0
#include "ui/compare/changewords.h"

#include "core/json/compare.h"
#include "core/json/pointer.h"
#include "core/protocol/visibletext.h"

#include <QCoreApplication>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

using json::Difference;

constexpr qsizetype MaxValueLength = 120;

struct ChangeWordsText {
    Q_DECLARE_TR_FUNCTIONS(sonde::ui::ChangeWords)
};

QString valueText(const json::Value &value)
{
    if (value.isString())
        return visibleLine(value.string(), MaxValueLength);
    const QByteArrayView slice = value.slice();
    // Four bytes a character at most.
    return visibleLine(QString::fromUtf8(slice.first(qMin(slice.size(), 4 * MaxValueLength + 4))), MaxValueLength);
}

bool isWords(const QString &member)
{
    static const QStringList names{u"title"_s, u"description"_s, u"instructions"_s,
                                   u"_meta"_s, u"icons"_s,       u"examples"_s};
    return names.contains(member);
}

// "1 → 2", "“a” is new: 1", "description is another one".
QString plain(const QString &place, const Difference &difference)
{
    const QString name = place.section(u'.', -1);
    switch (difference.kind) {
        case Difference::Kind::Added:
            return place.isEmpty() ? ChangeWordsText::tr("only after: %1").arg(valueText(difference.right))
                                   : ChangeWordsText::tr("%1 added: %2").arg(place, valueText(difference.right));
        case Difference::Kind::Removed:
            return place.isEmpty() ? ChangeWordsText::tr("only before: %1").arg(valueText(difference.left))
                                   : ChangeWordsText::tr("%1 removed, was %2").arg(place, valueText(difference.left));
        case Difference::Kind::TextOnly:
        case Difference::Kind::Changed:
            break;
    }
    if (isWords(name) && !place.isEmpty())
        return ChangeWordsText::tr("%1 changed").arg(place);
    const QString change = ChangeWordsText::tr("%1 → %2").arg(valueText(difference.left), valueText(difference.right));
    const QString words = place.isEmpty() ? change : ChangeWordsText::tr("%1: %2").arg(place, change);
    return difference.kind == Difference::Kind::TextOnly ? ChangeWordsText::tr("%1, same value").arg(words) : words;
}

// Entries that only one of two lists has.
QString missing(const json::Value &list, const json::Value &from)
{
    QStringList names;
    for (const json::Value &each : list) {
        const bool isThere = [&] {
            for (const json::Value &other : from) {
                if (json::equal(each, other))
                    return true;
            }
            return false;
        }();
        if (!isThere)
            names.append(valueText(each));
    }
    return names.join(u", "_s);
}

QString listWords(const QString &lost, const QString &gained, const QString &less, const QString &more)
{
    QStringList words;
    if (!gained.isEmpty())
        words.append(more.arg(gained));
    if (!lost.isEmpty())
        words.append(less.arg(lost));
    return words.isEmpty() ? ChangeWordsText::tr("order changed") : words.join(u"; "_s);
}

// The property path of the pointer, "address.street", and the keyword at its end.
struct SchemaPlace {
    QString path;
    QString keyword;
    bool isProperty = false;  // the property itself came or went
    bool isPlain = true;      // nothing but properties and items on the way
};

SchemaPlace placeOf(const QStringList &tokens)
{
    SchemaPlace place;
    QStringList names;
    for (qsizetype i = 0; i < tokens.size(); ++i) {
        if (tokens[i] == "properties"_L1 && i + 1 < tokens.size()) {
            names.append(tokens[++i]);
            place.isProperty = i + 1 == tokens.size();
        } else if (tokens[i] == "items"_L1 && i + 1 < tokens.size()) {
            names.append(u"[]"_s);
        } else {
            place.keyword = tokens.mid(i).join(u'.');
            place.isPlain = i + 1 == tokens.size();
            break;
        }
    }
    place.path = visibleLine(names.join(u'.'), MaxValueLength);
    return place;
}

QString schemaWords(const QStringList &tokens, const Difference &difference, bool isInput)
{
    const SchemaPlace place = placeOf(tokens);
    const QString name = place.path.isEmpty() ? QString() : u'“' + place.path + u'”';
    const bool isAdded = difference.kind == Difference::Kind::Added;
    if (place.isProperty && isAdded)
        return isInput ? ChangeWordsText::tr("parameter %1 added").arg(name)
                       : ChangeWordsText::tr("field %1 added").arg(name);
    if (place.isProperty && difference.kind == Difference::Kind::Removed)
        return isInput ? ChangeWordsText::tr("parameter %1 removed").arg(name)
                       : ChangeWordsText::tr("field %1 removed").arg(name);
    const QString of = name.isEmpty() ? QString() : name + u": "_s;
    if (place.isPlain && place.keyword == "required"_L1)
        return of + listWords(missing(difference.left, difference.right), missing(difference.right, difference.left),
                              ChangeWordsText::tr("no longer required: %1"), ChangeWordsText::tr("now required: %1"));
    if (place.isPlain && place.keyword == "enum"_L1 && difference.left.isArray() && difference.right.isArray())
        return of + listWords(missing(difference.left, difference.right), missing(difference.right, difference.left),
                              ChangeWordsText::tr("values removed: %1"), ChangeWordsText::tr("values added: %1"));
    return of + plain(visibleLine(place.keyword, MaxValueLength), difference);
}

// For search paths, where one entry among hundreds makes the difference.
QString pathWords(const QString &left, const QString &right)
{
    const QStringList before = left.split(u':', Qt::SkipEmptyParts);
    const QStringList after = right.split(u':', Qt::SkipEmptyParts);
    const auto lacking = [](const QStringList &list, const QStringList &from) {
        QStringList result;
        std::copy_if(list.begin(), list.end(), std::back_inserter(result),
                     [&from](const QString &each) { return !from.contains(each); });
        return visibleLine(result.join(u", "_s), MaxValueLength);
    };
    return listWords(lacking(before, after), lacking(after, before), ChangeWordsText::tr("only before: %1"),
                     ChangeWordsText::tr("only after: %1"));
}

}  // namespace

QString changeWords(const SurfaceChange &change, qsizetype depth)
{
    const Difference &difference = change.difference;
    const std::optional<json::Pointer> pointer = json::Pointer::fromString(difference.pointer.section(u'#', 0, 0));
    const QStringList tokens = pointer ? pointer->tokens() : QStringList();
    if (tokens.isEmpty() && !change.name.isEmpty())
        return difference.kind == Difference::Kind::Added ? ChangeWordsText::tr("added")
                                                          : ChangeWordsText::tr("removed");
    if (change.part == SurfaceChange::Part::Tool && tokens.size() > 1 && tokens[0] == "inputSchema"_L1)
        return schemaWords(tokens.sliced(1), difference, true);
    if (change.part == SurfaceChange::Part::Tool && tokens.size() > 1 && tokens[0] == "outputSchema"_L1)
        return ChangeWordsText::tr("result: %1").arg(schemaWords(tokens.sliced(1), difference, false));
    if (change.part == SurfaceChange::Part::Prompt && tokens.size() == 2 && tokens[0] == "arguments"_L1) {
        const bool isAdded = difference.kind == Difference::Kind::Added;
        const json::Value argument = isAdded ? difference.right : difference.left;
        const QString name = visibleLine(argument[u"name"].string(), MaxValueLength);
        return isAdded ? ChangeWordsText::tr("argument “%1” added").arg(name)
                       : ChangeWordsText::tr("argument “%1” removed").arg(name);
    }
    if (change.part == SurfaceChange::Part::Environment && difference.left.isString() && difference.right.isString()) {
        if (difference.left.string() == difference.right.string())
            return ChangeWordsText::tr("different secret value");
        if (tokens.last().endsWith("PATH"_L1) && difference.left.string().contains(u'/'))
            return pathWords(difference.left.string(), difference.right.string());
    }
    if (change.part == SurfaceChange::Part::Environment && tokens.size() == 2 && tokens[0] == "arguments"_L1)
        return plain(ChangeWordsText::tr("argument %1").arg(tokens[1].toInt() + 1), difference);
    return plain(visibleLine(tokens.mid(depth).join(u'.'), MaxValueLength), difference);
}

}  // namespace sonde::ui
