// SPDX-License-Identifier: Apache-2.0
#include "core/shape/issuetext.h"

#include "core/protocol/visibletext.h"
#include "core/shape/texts.h"

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

constexpr int MaxPlaceLength = 80;

}  // namespace

QString itemWord(qsizetype index)
{
    return ShapeText::tr("item %1").arg(index + 1);
}

QStringList placeWords(const json::Value &root, const json::Pointer &place)
{
    QStringList words;
    json::Value at = root;
    for (const QString &token : place.tokens()) {
        const std::optional<qsizetype> index = at.isArray() ? json::arrayIndex(token) : std::nullopt;
        words.append(index ? itemWord(*index) : token);
        at = index ? at.at(*index) : at[token];
    }
    return words;
}

QString placeText(const QStringList &words, qsizetype maxLength)
{
    static const QString separator = u", "_s;
    const auto shown = [](const QString &word) {
        return word.isEmpty() ? u"\"\""_s : visibleLine(word, MaxPlaceLength);
    };
    QString text = words.isEmpty() ? QString() : shown(words.constLast());
    for (qsizetype i = words.size() - 2; i >= 0; --i) {
        const QString longer = shown(words.at(i)) + separator + text;
        const qsizetype elision = i > 0 ? separator.size() + 1 : 0;
        if (longer.size() + elision > maxLength)
            return u'…' + separator + text;
        text = longer;
    }
    return text;
}

QString issueText(const QStringList &words, const QString &message)
{
    if (words.isEmpty())
        return message;
    const QString place = placeText(words, MaxPlaceLength);
    // Most of the validator's messages go on from the name of the place; others are sentences of their own, which may
    // begin with the name of a member.
    static const QStringList verbs{u"must"_s, u"should"_s, u"is"_s, u"has"_s, u"cannot"_s, u"not"_s};
    const bool continues = verbs.contains(message.section(u' ', 0, 0));
    return (continues ? ShapeText::tr("“%1” %2") : ShapeText::tr("%1: %2")).arg(place, message);
}

}  // namespace sonde
