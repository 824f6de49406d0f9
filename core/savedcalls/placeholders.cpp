// SPDX-License-Identifier: Apache-2.0
#include "core/savedcalls/placeholders.h"

#include "core/json/builder.h"
#include "core/json/pointer.h"
#include "core/savedcalls/texts.h"
#include "core/secrets/secretreference.h"
#include "core/server/specvariables.h"

#include <QRegularExpression>
#include <algorithm>
#include <optional>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

// Whatever begins like a placeholder, with the dollars before it: two and more are an escaped one.
const QRegularExpression &candidates()
{
    static const QRegularExpression expression(u"(\\$+)\\{(keychain:|env:|calls\\.)([^}]*)\\}?"_s);
    return expression;
}

struct Candidate {
    qsizetype start = 0;
    qsizetype length = 0;
    QString text;
    bool isEscaped = false;
    std::optional<Placeholder> placeholder;  // none: escaped, or not of the right form
};

std::optional<Placeholder> placeholderOf(const QString &text, const QString &kind, const QString &inner)
{
    using Kind = Placeholder::Kind;
    if (!text.endsWith(u'}'))
        return std::nullopt;
    if (kind == "keychain:"_L1)
        return secretNamesIn(text).contains(inner) ? std::optional(Placeholder{Kind::Keychain, text, inner, {}})
                                                   : std::nullopt;
    if (kind == "env:"_L1)
        return isVariableReference(text) ? std::optional(Placeholder{Kind::Environment, text, inner, {}})
                                         : std::nullopt;
    static const QRegularExpression place(u"\\A([^/]+)\\.result(/.*)?\\z"_s,
                                          QRegularExpression::DotMatchesEverythingOption);
    const QRegularExpressionMatch match = place.match(inner);
    if (!match.hasMatch())
        return std::nullopt;
    return Placeholder{Kind::Result, text, match.captured(1), match.captured(2)};
}

QList<Candidate> candidatesIn(const QString &text)
{
    QList<Candidate> found;
    if (!text.contains(u"${"))
        return found;
    for (auto matches = candidates().globalMatch(text); matches.hasNext();) {
        const QRegularExpressionMatch match = matches.next();
        Candidate each{
            match.capturedStart(), match.capturedLength(), match.captured(), match.capturedLength(1) > 1, {}};
        if (!each.isEscaped)
            each.placeholder = placeholderOf(each.text, match.captured(2), match.captured(3));
        found.append(each);
    }
    return found;
}

// All strings of a value that may have placeholders, in the order of the text.
QList<json::Value> stringsIn(const json::Value &value)
{
    QList<json::Value> found;
    QList<json::Value> waiting{value};
    while (!waiting.isEmpty()) {
        const json::Value each = waiting.takeLast();
        if (each.isString())
            found.append(each);
        for (const json::Value &child : each)
            waiting.append(child);
    }
    std::ranges::sort(found, {}, &json::Value::offset);
    return found;
}

QByteArray quoted(const QString &text)
{
    return json::Builder().string(text).take();
}

// What is inserted into a longer string.
QString insertedText(const json::Value &value)
{
    return value.isString() ? value.string() : QString::fromUtf8(json::compact(value));
}

// The text with each string replaced by what `replacement` makes of it; nothing: it stays.
template <typename Function>
Result<QByteArray> withStrings(const json::Value &arguments, const Function &replacement)
{
    QByteArray text;
    qsizetype at = arguments.offset();
    const QByteArrayView whole = arguments.document().text();
    const QList<json::Value> strings = stringsIn(arguments);
    for (const json::Value &string : strings) {
        const Result<std::optional<QByteArray>> made = replacement(string);
        if (!made)
            return made.error();
        if (!*made)
            continue;
        text += whole.sliced(at, string.offset() - at);
        text += **made;
        at = string.offset() + string.slice().size();
    }
    text += whole.sliced(at, arguments.offset() + arguments.slice().size() - at);
    return text;
}

}  // namespace

Result<QList<PlaceholderUse>> placeholdersIn(const json::Value &arguments)
{
    QList<PlaceholderUse> uses;
    const QList<json::Value> strings = stringsIn(arguments);
    for (const json::Value &string : strings) {
        PlaceholderUse use{string, {}};
        const QList<Candidate> found = candidatesIn(string.string());
        for (const Candidate &each : found) {
            if (each.isEscaped)
                continue;
            if (!each.placeholder)
                return Error::local(
                    SavedCallText::tr("'%1' is not a placeholder").arg(each.text),
                    SavedCallText::tr(
                        "Placeholders are ${keychain:NAME}, ${env:NAME} and ${calls.NAME.result/POINTER}. "
                        "To send the text as it is, write $${ instead of ${."));
            use.placeholders.append(*each.placeholder);
        }
        if (!use.placeholders.isEmpty())
            uses.append(use);
    }
    return uses;
}

QByteArray withResultsRenamed(const json::Value &arguments, const QString &from, const QString &to)
{
    using Made = Result<std::optional<QByteArray>>;
    const Result<QByteArray> text = withStrings(arguments, [&from, &to](const json::Value &string) -> Made {
        constexpr qsizetype beforeName = QLatin1StringView("${calls.").size();
        QString renamed = string.string();
        const QList<Candidate> found = candidatesIn(renamed);
        for (auto each = found.crbegin(); each != found.crend(); ++each) {
            if (each->placeholder && each->placeholder->kind == Placeholder::Kind::Result &&
                each->placeholder->name == from)
                renamed.replace(each->start + beforeName, from.size(), to);
        }
        return renamed == string.string() ? std::nullopt : std::optional(quoted(renamed));
    });
    return *text;
}

QByteArray withoutPlaceholders(const json::Value &arguments)
{
    using Made = Result<std::optional<QByteArray>>;
    const Result<QByteArray> text = withStrings(arguments, [](const json::Value &string) -> Made {
        QString escaped = string.string();
        const QList<Candidate> found = candidatesIn(escaped);
        for (auto each = found.crbegin(); each != found.crend(); ++each)
            escaped.insert(each->start, u'$');
        return found.isEmpty() ? std::nullopt : std::optional(quoted(escaped));
    });
    return *text;
}

Result<QByteArray> withPlaceholderValues(const json::Value &arguments,
                                         const std::function<Result<json::Value>(const Placeholder &)> &valueOf)
{
    using Made = Result<std::optional<QByteArray>>;
    return withStrings(arguments, [&valueOf](const json::Value &string) -> Made {
        const QString text = string.string();
        const QList<Candidate> found = candidatesIn(text);
        if (found.isEmpty())
            return Made(std::nullopt);
        QString result;
        qsizetype at = 0;
        for (const Candidate &each : found) {
            result += QStringView(text).sliced(at, each.start - at);
            at = each.start + each.length;
            if (!each.placeholder) {
                result += each.isEscaped ? each.text.sliced(1) : each.text;
                continue;
            }
            const Result<json::Value> value = valueOf(*each.placeholder);
            if (!value)
                return value.error();
            if (each.length == text.size())
                return std::optional(json::compact(*value));
            result += insertedText(*value);
        }
        result += QStringView(text).sliced(at);
        return std::optional(quoted(result));
    });
}

json::Value resolvePlace(const json::Value &result, const QString &pointer)
{
    json::Value value = result;
    QString rest = pointer;
    for (;;) {
        // A name may end with '#' too: the whole pointer is tried first.
        if (const auto whole = json::Pointer::fromString(rest)) {
            if (const json::Value found = whole->resolve(value); found.exists())
                return found;
        }
        const qsizetype hash = rest.indexOf(QRegularExpression(u"#(/|$)"_s));
        const auto outer = hash < 0 ? std::nullopt : json::Pointer::fromString(rest.first(hash));
        const json::Value text = outer ? outer->resolve(value) : json::Value();
        if (!text.isString())
            return {};
        const json::Document document = json::Document::parse(text.utf8());
        if (!document.isValid())
            return {};
        value = document.root();
        rest = rest.sliced(hash + 1);
    }
}

}  // namespace sonde
