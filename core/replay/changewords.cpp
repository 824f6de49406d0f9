// SPDX-License-Identifier: Apache-2.0
#include "core/replay/changewords.h"

#include "core/json/compare.h"
#include "core/json/pointer.h"
#include "core/protocol/differencetext.h"
#include "core/protocol/visibletext.h"

#include <QCoreApplication>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

using json::Difference;

constexpr qsizetype MaxValueLength = 120;

struct ChangeWordsText {
    Q_DECLARE_TR_FUNCTIONS(sonde::ChangeWords)
};

// Strings without their quotes.
QString plainText(const json::Value &value)
{
    return value.isString() ? visibleLine(value.string(), MaxValueLength) : valueText(value, MaxValueLength);
}

bool isText(const QString &member)
{
    static const QStringList names{u"title"_s, u"description"_s, u"instructions"_s,
                                   u"_meta"_s, u"icons"_s,       u"examples"_s};
    return names.contains(member);
}

// "1 → 2", "a added: 1", "description changed".
QString plain(const QString &place, const Difference &difference, Wording wording)
{
    const QString name = place.section(u'.', -1);
    switch (difference.kind) {
        case Difference::Kind::Added:
            return place.isEmpty() ? ChangeWordsText::tr("only after: %1").arg(plainText(difference.right))
                                   : ChangeWordsText::tr("%1 added: %2").arg(place, plainText(difference.right));
        case Difference::Kind::Removed:
            return place.isEmpty() ? ChangeWordsText::tr("only before: %1").arg(plainText(difference.left))
                                   : ChangeWordsText::tr("%1 removed, was %2").arg(place, plainText(difference.left));
        case Difference::Kind::TextOnly:
        case Difference::Kind::Changed:
            break;
    }
    if (wording == Wording::Brief && isText(name) && !place.isEmpty())
        return ChangeWordsText::tr("%1 changed").arg(place);
    const QString change = ChangeWordsText::tr("%1 → %2").arg(plainText(difference.left), plainText(difference.right));
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
            names.append(plainText(each));
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
struct KeywordPlace {
    QString path;
    QString keyword;
    bool isProperty = false;  // the property itself came or went
    bool isPlain = true;      // nothing but properties and items on the way
};

KeywordPlace placeOf(const QStringList &tokens)
{
    KeywordPlace place;
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

QString schemaWords(const QStringList &tokens, const Difference &difference, bool isInput, Wording wording)
{
    const KeywordPlace place = placeOf(tokens);
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
    return of + plain(visibleLine(place.keyword, MaxValueLength), difference, wording);
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

// Up to a string that holds JSON. Names of variables may contain the sign for that, and are not looked into.
QStringList tokensOf(const SnapshotChange &change)
{
    const QString &pointer = change.difference.pointer;
    const bool isEnvironment = change.part == SnapshotChange::Part::Environment;
    const std::optional<json::Pointer> parsed =
        json::Pointer::fromString(isEnvironment ? pointer : pointer.section(u'#', 0, 0));
    return parsed ? parsed->tokens() : QStringList();
}

// Depth of a named thing: /capabilities/tools, /variables/PATH, /program.
qsizetype depthOf(SnapshotChange::Part part, const QStringList &tokens)
{
    const bool isTwo =
        part == SnapshotChange::Part::Capabilities || (part == SnapshotChange::Part::Environment && !tokens.isEmpty() &&
                                                       (tokens[0] == "variables"_L1 || tokens[0] == "headers"_L1));
    return qMin<qsizetype>(isTwo ? 2 : 1, tokens.size());
}

QString placeName(SnapshotChange::Part part, const QStringList &tokens)
{
    const QString last = tokens.isEmpty() ? QString() : visibleLine(tokens.last(), 120);
    if (part == SnapshotChange::Part::Capabilities)
        return tokens.size() < 2 ? ChangeWordsText::tr("all capabilities") : last;
    if (part == SnapshotChange::Part::Handshake) {
        return last == "protocolVersion"_L1 ? ChangeWordsText::tr("Protocol revision")
               : last == "serverInfo"_L1    ? ChangeWordsText::tr("Server name and version")
               : last == "instructions"_L1  ? ChangeWordsText::tr("Instructions")
                                            : last;
    }
    if (tokens.size() == 2)
        return tokens[0] == "variables"_L1 ? ChangeWordsText::tr("Variable %1").arg(last)
                                           : ChangeWordsText::tr("Header %1").arg(last);
    return last == "transport"_L1          ? ChangeWordsText::tr("Transport")
           : last == "program"_L1          ? ChangeWordsText::tr("Program")
           : last == "arguments"_L1        ? ChangeWordsText::tr("Arguments")
           : last == "workingDirectory"_L1 ? ChangeWordsText::tr("Working directory")
           : last == "variables"_L1        ? ChangeWordsText::tr("Environment variables")
           : last == "inherited"_L1        ? ChangeWordsText::tr("Inherited variables")
           : last == "url"_L1              ? ChangeWordsText::tr("Address")
           : last == "headers"_L1          ? ChangeWordsText::tr("Headers")
           : last == "client"_L1           ? ChangeWordsText::tr("Client name and version")
           : last == "capabilities"_L1     ? ChangeWordsText::tr("Client capabilities")
           : last == "protocolVersion"_L1  ? ChangeWordsText::tr("Requested revision")
                                           : last;
}

}  // namespace

ChangedThing changedThing(const SnapshotChange &change)
{
    if (listOf(change.part))
        return {{}, visibleLine(change.name)};
    const QStringList tokens = tokensOf(change);
    const json::Pointer place(tokens.first(depthOf(change.part, tokens)));
    return {place, placeName(change.part, place.tokens())};
}

QString changeWords(const SnapshotChange &change, Wording wording)
{
    const Difference &difference = change.difference;
    const QStringList tokens = tokensOf(change);
    const bool isListed = listOf(change.part).has_value();
    if (tokens.isEmpty() && isListed)
        return difference.kind == Difference::Kind::Added ? ChangeWordsText::tr("added")
                                                          : ChangeWordsText::tr("removed");
    if (change.part == SnapshotChange::Part::Tool && tokens.size() > 1 && tokens[0] == "inputSchema"_L1)
        return schemaWords(tokens.sliced(1), difference, true, wording);
    if (change.part == SnapshotChange::Part::Tool && tokens.size() > 1 && tokens[0] == "outputSchema"_L1)
        return ChangeWordsText::tr("result: %1").arg(schemaWords(tokens.sliced(1), difference, false, wording));
    if (change.part == SnapshotChange::Part::Prompt && tokens.size() == 2 && tokens[0] == "arguments"_L1) {
        const bool isAdded = difference.kind == Difference::Kind::Added;
        const json::Value argument = isAdded ? difference.right : difference.left;
        const QString name = visibleLine(argument[u"name"].string(), MaxValueLength);
        return isAdded ? ChangeWordsText::tr("argument “%1” added").arg(name)
                       : ChangeWordsText::tr("argument “%1” removed").arg(name);
    }
    if (change.part == SnapshotChange::Part::Environment && difference.left.isString() && difference.right.isString()) {
        if (difference.left.string() == difference.right.string())
            return ChangeWordsText::tr("different secret value");
        if (tokens.last().endsWith("PATH"_L1) && difference.left.string().contains(u'/'))
            return pathWords(difference.left.string(), difference.right.string());
    }
    if (change.part == SnapshotChange::Part::Environment && tokens.size() == 2 && tokens[0] == "arguments"_L1)
        return plain(ChangeWordsText::tr("argument %1").arg(tokens[1].toInt() + 1), difference, wording);
    const qsizetype depth = isListed ? 0 : depthOf(change.part, tokens);
    return plain(visibleLine(tokens.mid(depth).join(u'.'), MaxValueLength), difference, wording);
}

QString impactWord(SnapshotChange::Part part, Impact impact)
{
    if (part == SnapshotChange::Part::Environment)
        return ChangeWordsText::tr("differs");
    switch (impact) {
        case Impact::None:
            return ChangeWordsText::tr("wording only");
        case Impact::Harmless:
            return ChangeWordsText::tr("harmless");
        case Impact::Unknown:
            return ChangeWordsText::tr("unclear");
        case Impact::Breaking:
            break;
    }
    return ChangeWordsText::tr("breaking");
}

}  // namespace sonde
