// SPDX-License-Identifier: Apache-2.0
#include "ui/result/timelinefilter.h"

#include "core/client/call.h"
#include "core/json/pointer.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr qsizetype MaxWords = 200;     // characters
constexpr qsizetype MaxPointer = 4000;  // characters

QString inQuotes(QString text)
{
    text.replace(u'\\', u"\\\\"_s).replace(u'"', u"\\\""_s);
    return u'"' + text + u'"';
}

bool isOneLine(const QString &text)
{
    return std::none_of(text.cbegin(), text.cend(), [](QChar c) { return c.category() == QChar::Other_Control; });
}

// What needs no quotes in front of an operator.
bool isPlainPlace(const QString &pointer)
{
    return !pointer.isEmpty() && std::all_of(pointer.cbegin(), pointer.cend(), [](QChar c) {
        return c.isLetterOrNumber() || c == u'/' || c == u'_' || c == u'-' || c == u'.' || c == u'~';
    });
}

}  // namespace

QString filterForCall(const Outcome &outcome)
{
    const json::Value id = outcome.message.isParsed() || outcome.message.raw().size() <= Message::LargeBytes
                               ? outcome.message.root()[u"id"]
                               : json::Value();
    if (id.isNumber())
        return u"id == "_s + QString::fromLatin1(id.numberText());
    if (id.isString() && id.slice().size() <= MaxWords && isOneLine(id.string()))
        return u"id == "_s + inQuotes(id.string());
    return {};
}

QString filterForValue(const json::Value &value)
{
    const QString pointer = json::Pointer::to(value).toString();
    if (!value.exists() || pointer.size() > MaxPointer || !isOneLine(pointer))
        return {};
    const QString place = isPlainPlace(pointer) ? pointer : inQuotes(pointer);
    if (value.isString()) {
        const QString text = value.slice().size() <= MaxWords ? value.string() : QString();
        return text.isEmpty() || !isOneLine(text) ? place + u" != none"_s : place + u" == "_s + inQuotes(text);
    }
    if (value.isContainer() || value.slice().size() > MaxWords)
        return place + u" != none"_s;
    return place + u" == "_s + QString::fromLatin1(value.slice());
}

QString filterForWords(const QString &words)
{
    const bool isWrittenInOneWay = std::all_of(words.cbegin(), words.cend(), [](QChar c) {
        return c.unicode() >= 0x20 && c.unicode() < 0x7F && c != u'"' && c != u'\\';
    });
    return isWrittenInOneWay && !words.trimmed().isEmpty() && words.size() <= MaxWords ? inQuotes(words) : QString();
}

QString filterForResource(const QString &uri)
{
    return uri.isEmpty() || uri.size() > MaxPointer || !isOneLine(uri) ? QString() : u"uri == "_s + inQuotes(uri);
}

}  // namespace sonde::ui
