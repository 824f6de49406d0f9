// SPDX-License-Identifier: Apache-2.0
#include "core/redact/keylines.h"

#include "core/json/scan.h"

namespace sonde {

namespace {

constexpr QByteArrayView KeyDashes = "-----";
constexpr QByteArrayView KeyBegin = "-----BEGIN ";
constexpr QByteArrayView KeyEnd = "-----END ";
constexpr qsizetype MaxLabelLength = 80;
constexpr qsizetype MaxHeaderLength = 200;
constexpr int MaxHeaders = 8;
constexpr qsizetype MaxBetween = 64;
constexpr qsizetype MaxKeyLength = 64 * 1024;

bool isLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

qsizetype endOfKeyBytes(QByteArrayView text, qsizetype at)
{
    while (at < text.size() && isKeyByte(text, at))
        ++at;
    return at;
}

// White space, quotes and commas of a list, also as escapes.
qsizetype behindGap(QByteArrayView text, qsizetype at)
{
    const qsizetype end = qMin(text.size(), at + MaxBetween);
    while (at < end) {
        const char c = text[at];
        if (json::isSpace(c) || c == '"' || c == '\'' || c == ',')
            ++at;
        else if (c == '\\')
            at += at + 1 < end && isLetter(text[at + 1]) && !isKeyByte(text, at + 1) ? 2 : 1;
        else
            break;
    }
    return at;
}

// "DEK-Info: AES-128-CBC,…" and the like precede a key's lines. `at` where there is none.
qsizetype behindHeader(QByteArrayView text, qsizetype at)
{
    const qsizetype maxEnd = qMin(text.size(), at + MaxHeaderLength);
    qsizetype end = at;
    while (end < maxEnd && (isLetter(text[end]) || text[end] == '-'))
        ++end;
    if (end == at || end + 1 >= maxEnd || text[end] != ':' || text[end + 1] != ' ')
        return at;
    while (end < maxEnd && !QByteArrayView("\n\r\\\"").contains(text[end]))
        ++end;
    return end;
}

}  // namespace

qsizetype endOfKeyLabel(QByteArrayView text, qsizetype at)
{
    const QByteArrayView rest = text.sliced(at, qMin(text.size() - at, MaxLabelLength));
    const qsizetype close = rest.indexOf(KeyDashes);
    const QByteArrayView label = rest.first(qMax<qsizetype>(close, 0));
    return label.endsWith("PRIVATE KEY") || label.endsWith("PRIVATE KEY BLOCK") ? at + close + KeyDashes.size() : -1;
}

bool isKeyByte(QByteArrayView text, qsizetype at)
{
    const char c = text[at];
    if (at > 0 && text[at - 1] == '\\' && (c == 'n' || c == 'r' || c == 't'))
        return false;
    return isLetter(c) || (c >= '0' && c <= '9') || c == '+' || c == '/' || c == '=';
}

qsizetype endOfKeyLines(QByteArrayView text, qsizetype body)
{
    qsizetype end = body;
    int headers = 0;
    for (qsizetype at = behindGap(text, body); at < text.size();) {
        const qsizetype lineEnd = endOfKeyBytes(text, at);
        const bool isWhole = lineEnd - at >= ShortestKeyLine;
        if (!isWhole && end == body && headers < MaxHeaders) {
            const qsizetype header = behindHeader(text, at);
            if (header == at)
                break;
            ++headers;
            at = behindGap(text, header);
            continue;
        }
        // The last line may be a short one.
        if (isWhole || end > body)
            end = qMax(end, lineEnd);
        if (!isWhole)
            break;
        at = behindGap(text, lineEnd);
    }
    return end;
}

KeyLines::Part KeyLines::next(QByteArrayView line)
{
    if (!m_isWithin) {
        const qsizetype begin = line.indexOf(KeyBegin);
        const qsizetype label = begin < 0 ? -1 : endOfKeyLabel(line, begin + KeyDashes.size());
        m_isWithin = label >= 0 && line.indexOf(KeyEnd, label) < 0;
        m_hasBody = m_isWithin && endOfKeyLines(line, label) > label;
        m_length = 0;
        return {};
    }
    m_length += line.size();
    const qsizetype end = line.indexOf(KeyEnd);
    const QByteArrayView inner = end < 0 ? line : line.first(end);
    m_isWithin = end < 0 && m_length < MaxKeyLength;
    const auto isWhite = [](QByteArrayView text) { return text.trimmed().isEmpty(); };
    if (isWhite(inner) || (!m_hasBody && behindHeader(inner, 0) > 0))
        return {};
    qsizetype start = 0;
    while (start < inner.size() && endOfKeyBytes(inner, start) - start < ShortestKeyLine)
        start = qMax(start + 1, endOfKeyBytes(inner, start));
    // The last line may be a short one.
    if (start >= inner.size()) {
        start = 0;
        while (json::isSpace(inner[start]))
            ++start;
        if (!m_hasBody || !isWhite(inner.sliced(endOfKeyBytes(inner, start)))) {
            m_isWithin = false;
            return {};
        }
    }
    m_hasBody = true;
    return {start, endOfKeyBytes(inner, start) - start};
}

}  // namespace sonde
