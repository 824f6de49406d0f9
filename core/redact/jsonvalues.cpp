// SPDX-License-Identifier: Apache-2.0
#include "core/redact/jsonvalues.h"

#include <QCryptographicHash>
#include <optional>
#include <vector>

namespace sonde {

namespace {

constexpr qsizetype MaxKeptLength = 1024;  // of what a schema declares; of longer ones a hash is kept

const QSet<QByteArray> &schemaKeywords()
{
    static const QList<QByteArray> words =
        QByteArray(
            "type title description format default const enum enumNames example examples properties "
            "required items prefixItems additionalProperties patternProperties propertyNames "
            "unevaluatedProperties unevaluatedItems anyOf oneOf allOf not if then else $ref $defs "
            "definitions $id $schema $comment $anchor $dynamicRef minLength maxLength pattern minimum "
            "maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems uniqueItems "
            "contains minContains maxContains minProperties maxProperties dependentRequired "
            "dependentSchemas dependencies readOnly writeOnly deprecated contentEncoding "
            "contentMediaType contentSchema nullable discriminator")
            .split(' ');
    static const QSet<QByteArray> keywords(words.begin(), words.end());
    return keywords;
}

bool isExampleKeyword(QByteArrayView name)
{
    return name == QByteArrayView("default") || name == QByteArrayView("const") || name == QByteArrayView("enum") ||
           name == QByteArrayView("example") || name == QByteArrayView("examples");
}

using Stretch = SecretScanner::Stretch;

// What a schema says about a secret property is no secret, but for the values that it gives as an example: these.
// Nothing when the object has a member that no schema has.
std::optional<std::vector<Stretch>> examplesInSchema(QByteArrayView object)
{
    std::vector<Stretch> examples;
    json::Scanner<json::Reading::Strict> scanner(object);
    const bool isSchema = scanner.object([&](QByteArrayView name, bool) {
        if (!name.startsWith("x-") && !schemaKeywords().contains(QByteArray::fromRawData(name.data(), name.size())))
            return false;
        const char *const value = scanner.at;
        if (!scanner.value())
            return false;
        if (isExampleKeyword(name))
            examples.push_back({value - object.data(), scanner.at - object.data()});
        return true;
    });
    return isSchema ? std::optional(examples) : std::nullopt;
}

}  // namespace

QByteArray JsonValues::keptAs(const QByteArray &value)
{
    return value.size() <= MaxKeptLength ? value : QCryptographicHash::hash(value, QCryptographicHash::Sha256);
}

// start: of its opening quote. end: of what is in it.
QByteArray JsonValues::saidBy(qsizetype start, qsizetype end) const
{
    const QByteArrayView content = m_text.sliced(start + 1, end - start - 1);
    return content.contains('\\') ? json::decoded(m_text.sliced(start, end - start)).toUtf8() : content.toByteArray();
}

// Of a string's content: the end of the text where it was cut.
qsizetype JsonValues::endOfContent(qsizetype start) const
{
    const qsizetype end = m_text.closingQuote(start);
    return end - start > 1 && m_text.isAt(end - 1, '"') ? end - 1 : end;
}

void JsonValues::reportJson(qsizetype start, const QByteArray &kind, bool withNumbers, bool withContainers)
{
    if (start >= m_text.size() || m_text.isMarkAt(start))
        return;
    const char c = m_text[start];
    if (c == '"') {
        reportQuoted(start, kind, true);
    } else if (c == '-' || (c >= '0' && c <= '9')) {
        if (withNumbers)
            reportNumber(start, kind);
    } else if ((c == '{' || c == '[') && withContainers) {
        reportContainer(start, kind);
    }
}

void JsonValues::reportNumber(qsizetype start, const QByteArray &kind, SecretMatch::Found found) const
{
    const char *const end = m_text.data() + m_text.size();
    const char *const numberEnd = json::endOfNumber(m_text.data() + start, end);
    if (!numberEnd || numberEnd == m_text.data() + start)
        return;
    const qsizetype last = numberEnd - m_text.data();
    if (last < m_text.size() && isNameCharacter(m_text[last]))
        return;  // a date, say, where this is no JSON
    m_text.report(start, last, m_text.slice(start, last), kind, found, true);
}

void JsonValues::reportQuoted(qsizetype start, const QByteArray &kind, bool isJsonString,
                              SecretMatch::Found found) const
{
    const qsizetype end = m_text[start] == '"' ? endOfContent(start) : m_text.indexOf(m_text[start], start + 1);
    if (end <= start + 1)
        return;
    const qsizetype first = start + 1 + schemeLength(m_text.sliced(start + 1, end - start - 1));
    if (first >= end || m_text.isMarkAt(first))
        return;
    const QByteArray whole = isJsonString ? saidBy(start, end) : m_text.slice(start + 1, end);
    m_text.report(first, end, whole.sliced(qMin(whole.size(), schemeLength(whole))), kind, found);
}

// All texts in it, and the numbers that are its own. Each stretch of the text is read a bounded number of times.
void JsonValues::reportContainer(qsizetype start, const QByteArray &kind)
{
    if (start < m_covered)
        return;
    const char *const end = m_text.data() + m_text.size();
    const qsizetype length = json::endOfContainer(m_text.data() + start, end) - (m_text.data() + start);
    const bool mayRead = m_text.mayRead(length);
    const auto examples =
        m_text[start] == '{' && mayRead ? examplesInSchema(m_text.sliced(start, length)) : std::nullopt;
    if (examples) {
        for (const Stretch &example : *examples)
            reportBelow(start + example.start, start + example.end, kind);
        return;
    }
    m_covered = start + length;
    reportBelow(start, start + length, kind);
}

void JsonValues::reportBelow(qsizetype start, qsizetype end, const QByteArray &kind) const
{
    forEachValue(start, end, [&](qsizetype at, size_t depth, bool isElement) {
        if (m_text[at] == '"')
            reportQuoted(at, kind, true);
        else if (depth == 0 || (depth == 1 && isElement))
            reportNumber(at, kind);
    });
}

// The texts and numbers that are values, of JSON that may be cut or faulty: how deep, and whether in a list.
template <typename See>
void JsonValues::forEachValue(qsizetype start, qsizetype end, const See &see) const
{
    std::vector<bool> isList;  // each of those around that place
    for (qsizetype at = start; at < end;) {
        const char c = m_text[at];
        const bool isElement = !isList.empty() && isList.back();
        if (c == '"') {
            const qsizetype next = m_text.closingQuote(at);
            if (isElement || !m_text.isAt(m_text.skipSpace(next), ':'))
                see(at, isList.size(), isElement);
            at = next;
            continue;
        }
        if (c == '-' || (c >= '0' && c <= '9')) {
            see(at, isList.size(), isElement);
            at = json::endOfWord(m_text.data() + at, m_text.data() + m_text.size()) - m_text.data();
            continue;
        }
        if (c == '[' || c == '{')
            isList.push_back(c == '[');
        else if ((c == ']' || c == '}') && !isList.empty())
            isList.pop_back();
        ++at;
    }
}

void JsonValues::reportDeclared(qsizetype start, const QSet<QByteArray> &values)
{
    const auto take = [&](qsizetype at) {
        if (m_text.isAt(at, '"')) {
            const qsizetype end = endOfContent(at);
            const QByteArray said = saidBy(at, end);
            if (values.contains(keptAs(said)))
                m_text.report(at + 1, end, said, "secret", SecretMatch::Found::Declared);
            return;
        }
        const char *const number = m_text.data() + at;
        const char *const end = json::endOfNumber(number, m_text.data() + m_text.size());
        if (end && values.contains(keptAs(QByteArray(number, end - number))))
            reportNumber(at, "secret", SecretMatch::Found::Declared);
    };
    if (!m_text.isAt(start, '[') && !m_text.isAt(start, '{')) {
        take(start);
        return;
    }
    if (!m_text.mayRead(0)) {
        reportContainer(start, "secret");
        return;
    }
    const char *const end = m_text.data() + m_text.size();
    const qsizetype length = json::endOfContainer(m_text.data() + start, end) - (m_text.data() + start);
    (void)m_text.mayRead(length);
    forEachValue(start, start + length, [&](qsizetype at, size_t, bool isElement) {
        if (isElement)
            take(at);
    });
}

}  // namespace sonde
