// SPDX-License-Identifier: Apache-2.0
#include "core/server/tomltojson.h"

#include "core/json/builder.h"
#include "core/server/texts.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <vector>

#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
#define TOML_MAX_NESTED_VALUES 64
#include <toml++/toml.h>

namespace sonde {

namespace {

constexpr int MaxKeyParts = 64;

Error errorAt(int line, int column, const QString &reason)
{
    Error error = Error::local(reason);
    error.code = line;
    error.bodyCode = column;
    return error;
}

// The end of the comment or string that begins there; the same place where none does. A string of one line ends with it
// in any case: the parser does not read on then.
qsizetype endOfText(const QByteArray &text, qsizetype at)
{
    const char quote = text[at];
    const auto lineEnd = [&text](qsizetype from) {
        const qsizetype end = text.indexOf('\n', from);
        return end < 0 ? text.size() : end;
    };
    if (quote == '#')
        return lineEnd(at);
    if (quote != '"' && quote != '\'')
        return at;
    const QByteArray three(3, quote);
    const bool isLong = QByteArrayView(text).sliced(at).startsWith(three);
    const qsizetype last = isLong ? text.size() : lineEnd(at);
    for (qsizetype i = at + (isLong ? 3 : 1); i < last; ++i) {
        if (quote == '"' && text[i] == '\\') {
            ++i;
        } else if (text[i] == quote && !isLong) {
            return i + 1;
        } else if (QByteArrayView(text).sliced(i).startsWith(three)) {
            // One or two quotes may precede the three at its end.
            for (i += 3; i < text.size() && text[i] == quote && i < last; ++i) {
            }
            return i;
        }
    }
    return last;
}

// The parser makes a table within a table of each part of a dotted key, without a limit, and ends them by recursion.
std::optional<Error> deepKey(const QByteArray &text)
{
    int line = 1;
    int dots = 0;
    qsizetype lineStart = 0;
    for (qsizetype i = 0; i < text.size();) {
        const char c = text[i];
        if (c == '.' && ++dots >= MaxKeyParts)
            return errorAt(line, int(i - lineStart) + 1,
                           ServerText::tr("a key with more than %1 parts.").arg(MaxKeyParts));
        if (QByteArrayView("=,[]{}\n").contains(c))
            dots = 0;
        const qsizetype end = qMax(endOfText(text, i), i + 1);
        for (; i < end; ++i) {
            if (text[i] == '\n') {
                ++line;
                lineStart = i + 1;
            }
        }
    }
    return std::nullopt;
}

QString textOf(std::string_view text)
{
    return QString::fromUtf8(text.data(), qsizetype(text.size()));
}

template <typename Value>
QString printed(const Value &value)
{
    std::ostringstream stream;
    stream << value;
    return QString::fromStdString(stream.str());
}

void write(const toml::node &node, json::Builder &builder);

void writeTable(const toml::table &table, json::Builder &builder)
{
    std::vector<std::pair<const toml::key *, const toml::node *>> members;
    for (auto &&[key, node] : table)
        members.emplace_back(&key, &node);
    const auto isBefore = [](const auto &a, const auto &b) {
        return a.first->source().begin < b.first->source().begin;
    };
    std::stable_sort(members.begin(), members.end(), isBefore);
    builder.beginObject();
    for (const auto &[key, node] : members)
        write(*node, builder.key(textOf(key->str())));
    builder.endObject();
}

void write(const toml::node &node, json::Builder &builder)
{
    if (const toml::table *table = node.as_table()) {
        writeTable(*table, builder);
    } else if (const toml::array *array = node.as_array()) {
        builder.beginArray();
        for (const toml::node &element : *array)
            write(element, builder);
        builder.endArray();
    } else if (const auto *text = node.as_string()) {
        builder.string(textOf(text->get()));
    } else if (const auto *integer = node.as_integer()) {
        builder.number(qint64(integer->get()));
    } else if (const auto *real = node.as_floating_point(); real && std::isfinite(real->get())) {
        builder.number(real->get());
    } else if (const auto *flag = node.as_boolean()) {
        builder.boolean(flag->get());
    } else {
        node.visit([&builder](const auto &value) { builder.string(printed(value)); });
    }
}

}  // namespace

Result<TomlText> tomlToJson(const QByteArray &text, const QString &table)
{
    if (const std::optional<Error> error = deepKey(text))
        return *error;
    const toml::parse_result parsed = toml::parse(std::string_view(text.constData(), size_t(text.size())));
    if (!parsed) {
        const toml::source_position place = parsed.error().source().begin;
        return errorAt(int(place.line), int(place.column), textOf(parsed.error().description()));
    }
    TomlText result;
    if (const toml::table *servers = parsed.table()[table.toStdString()].as_table()) {
        for (auto &&[key, node] : *servers) {
            const toml::source_position place = node.source().begin;
            result.places.insert(textOf(key.str()), {int(place.line), int(place.column)});
        }
    }
    json::Builder builder;
    writeTable(parsed.table(), builder);
    result.json = builder.take();
    return result;
}

}  // namespace sonde
