// SPDX-License-Identifier: Apache-2.0
#include "ui/form/hints.h"

#include "core/protocol/numbertext.h"
#include "core/protocol/visibletext.h"
#include "core/redact/secretnames.h"
#include "ui/form/texts.h"

#include <QRegularExpression>
#include <algorithm>
#include <initializer_list>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

// "clientSecret", "api-key" and "API_KEY" as lower-case words.
QStringList wordsOf(QString name)
{
    static const QRegularExpression hump(u"([a-z0-9])([A-Z])"_s);
    static const QRegularExpression separator(u"[^A-Za-z0-9]+"_s);
    name.replace(hump, u"\\1 \\2"_s);
    return name.toLower().split(separator, Qt::SkipEmptyParts);
}

}  // namespace

bool looksSecret(const QString &name, const Shape &shape)
{
    QHash<QString, bool> known;
    return looksSecret(name, shape, &known);
}

bool looksSecret(const QString &name, const Shape &shape, QHash<QString, bool> *known)
{
    if (shape.kind != Shape::Kind::Text)
        return false;
    if (shape.text(u"format") == "password"_L1 || shape.keyword(u"writeOnly").toBool())
        return true;
    const auto found = known->constFind(name);
    return found == known->cend() ? *known->insert(name, isSecretName(name)) : *found;
}

bool wantsManyLines(const QString &name, const Shape &shape)
{
    const json::Value maxLength = shape.keyword(u"maxLength");
    if (maxLength.isNumber())
        return maxLength.toDouble() > 200;
    if (shape.keyword(u"format").exists() || shape.keyword(u"pattern").exists())
        return false;
    static const QStringList long_{u"sql"_s,    u"body"_s,     u"content"_s,      u"contents"_s, u"text"_s,
                                   u"script"_s, u"markdown"_s, u"html"_s,         u"prompt"_s,   u"description"_s,
                                   u"diff"_s,   u"patch"_s,    u"instructions"_s, u"thought"_s,  u"yaml"_s,
                                   u"xml"_s,    u"snippet"_s};
    // Within a longer name these are something else: "postal_code", "data_source".
    static const QStringList longAlone{u"code"_s, u"source"_s, u"source code"_s, u"query"_s};
    const QStringList words = wordsOf(name);
    return !words.isEmpty() && (long_.contains(words.constLast()) || longAlone.contains(words.join(u' ')));
}

QString summary(const json::Value &value)
{
    return summary(value, ShapeValues(ShapeReader()), {});
}

QString summary(const json::Value &value, const ShapeValues &values, const Shape &shape)
{
    constexpr int MaxShown = 60;
    const ShapeReader &reader = values.reader();
    const Shape own =
        shape.kind == Shape::Kind::Union ? reader.branch(shape, std::max(0, values.branchFor(shape, value))) : shape;
    if (value.isString())
        return visibleLine(value.string().simplified(), MaxShown);
    if (!value.isContainer())
        return QString::fromUtf8(value.bytes()).left(MaxShown);
    if (value.isArray())
        return counted(value.size(), FormText::tr("1 item"), FormText::tr("%1 items"));
    QStringList parts;
    for (const json::Value &member : value) {
        if (member.isContainer() || member.isNull())
            continue;
        const QString name = member.key();
        const bool isSecret =
            member.isString() &&
            looksSecret(name, own.property(name).exists() ? reader.property(own, name) : reader.extraMember(own, name));
        const QString text = isSecret            ? u"•••"_s
                             : member.isString() ? member.string()
                                                 : QString::fromUtf8(member.bytes());
        parts.append(visibleLine(text.simplified(), 24));
        if (parts.size() == 3)
            break;
    }
    return parts.join(u" · "_s);
}

QString singular(const QString &name)
{
    const auto endsWithAny = [&name](std::initializer_list<QLatin1StringView> ends) {
        return std::any_of(ends.begin(), ends.end(), [&name](QLatin1StringView end) { return name.endsWith(end); });
    };
    if (name.size() > 4 && name.endsWith("ies"_L1))
        return name.chopped(3) + u'y';
    if (endsWithAny({"sses"_L1, "xes"_L1, "ches"_L1, "shes"_L1}))
        return name.chopped(2);
    // "status", "analysis", "bias" and "lens" are no plurals.
    if (name.size() > 2 && name.endsWith(u's') && !endsWithAny({"ss"_L1, "us"_L1, "is"_L1, "as"_L1, "ens"_L1}))
        return name.chopped(1);
    return {};
}

}  // namespace sonde::ui
