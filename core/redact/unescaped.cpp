// SPDX-License-Identifier: Apache-2.0
#include "core/redact/unescaped.h"

#include "core/json/stringcodec.h"

#include <algorithm>
#include <cstring>

namespace sonde {

namespace {

// What an escape is in the source, and what it means: nothing if it is not an escape.
struct Step {
    const char *next;
    char *out;
};

Step decodeJson(const char *at, const char *end, char *out)
{
    const json::Escape escape = json::readEscape(at, end);
    if (escape.length == 0 || QChar::isSurrogate(escape.code))
        return {at, out};
    return {at + escape.length, json::putUtf8(out, escape.code)};
}

int hexadecimal(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    const char lower = char(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

Step decodePercent(const char *at, const char *end, char *out)
{
    if (end - at < 3 || hexadecimal(at[1]) < 0 || hexadecimal(at[2]) < 0)
        return {at, out};
    *out = char(hexadecimal(at[1]) * 16 + hexadecimal(at[2]));
    return {at + 3, out + 1};
}

}  // namespace

template <typename Decode>
Unescaped Unescaped::from(QByteArrayView source, char mark, const Bytes &wanted, const Decode &decode)
{
    constexpr size_t maxMeaningLength = 4;
    Unescaped result;
    const char *const begin = source.data();
    const char *const end = begin + source.size();
    const auto nextMark = [mark, end](const char *at) {
        return at == end ? nullptr : static_cast<const char *>(std::memchr(at, mark, size_t(end - at)));
    };
    char *text = nullptr;
    char *out = nullptr;
    const char *copied = begin;
    for (const char *at = nextMark(begin); at; at = nextMark(at)) {
        char meaning[maxMeaningLength] = {};
        const Step step = decode(at, end, meaning);
        if (step.next == at || !wanted[uchar(meaning[0])]) {
            at = qMax(at + 1, step.next);
            continue;
        }
        if (!text) {
            // No escape is shorter than its meaning.
            result.m_text = QByteArray(source.size() + qsizetype(maxMeaningLength), Qt::Uninitialized);
            out = text = result.m_text.data();
            result.m_escapes.reserve(16);
        }
        std::memcpy(out, copied, size_t(at - copied));
        out += at - copied;
        std::memcpy(out, meaning, maxMeaningLength);
        const qsizetype start = out - text;
        out += step.out - meaning;
        result.m_escapes.push_back({start, out - text, at - begin, step.next - begin});
        copied = at = step.next;
    }
    if (text) {
        std::memcpy(out, copied, size_t(end - copied));
        result.m_text.truncate(out + (end - copied) - text);
    }
    return result;
}

Unescaped Unescaped::json(QByteArrayView source, const Bytes &wanted)
{
    return from(source, '\\', wanted, decodeJson);
}

Unescaped Unescaped::percent(QByteArrayView source, const Bytes &wanted)
{
    return from(source, '%', wanted, decodePercent);
}

const Unescaped::Escape *Unescaped::lastBefore(qsizetype place) const
{
    const auto next = std::upper_bound(m_escapes.begin(), m_escapes.end(), place,
                                       [](qsizetype at, const Escape &escape) { return at < escape.start; });
    return next == m_escapes.begin() ? nullptr : &*(next - 1);
}

qsizetype Unescaped::sourceStart(qsizetype start) const
{
    const Escape *escape = lastBefore(start);
    if (!escape)
        return start;
    return start < escape->end ? escape->sourceStart : escape->sourceEnd + (start - escape->end);
}

qsizetype Unescaped::sourceEnd(qsizetype end) const
{
    const Escape *escape = lastBefore(end - 1);
    if (!escape)
        return end;
    return end <= escape->end ? escape->sourceEnd : escape->sourceEnd + (end - escape->end);
}

}  // namespace sonde
