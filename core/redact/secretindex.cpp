// SPDX-License-Identifier: Apache-2.0
#include "core/redact/secretindex.h"

#include "core/redact/secretforms.h"

#include <QtEndian>
#include <bit>

namespace sonde {

namespace {

constexpr QByteArrayView EscapeBytes = "\\%ubfnrt0123456789abcdefABCDEF";  // other than " and /, which end one
constexpr size_t BitsPerWord = 16;                                         // of the filter
constexpr size_t MinFilterBits = 65536;
constexpr qsizetype Stride = SecretIndex::ShortestWord - 1;  // pairs within the shortest word

quint16 pairAt(const char *at)
{
    return quint16(quint8(at[0]) | quint16(quint8(at[1]) << 8));
}

quint32 hashed(const char *head)
{
    return qFromBigEndian<quint32>(head) * 0x9E3779B1u;
}

// Whether what stands before that place is a part of a name, rather than the end of an escape such as \n or %2F.
bool isAfterName(QByteArrayView text, qsizetype at)
{
    if (at == 0 || !(isLetterOrDigit(text[at - 1]) || QByteArrayView("_-.").contains(text[at - 1])))
        return false;
    const auto isBackslash = [text](qsizetype place) { return place >= 0 && text[place] == '\\'; };
    return !isBackslash(at - 2) && !(isBackslash(at - 6) && text[at - 5] == 'u') && !(at >= 3 && text[at - 3] == '%');
}

bool isWhole(SecretIndex::Edge edge, QByteArrayView text, qsizetype start, qsizetype end)
{
    if (edge == SecretIndex::Edge::None)
        return true;
    const bool isDigit = end > start && text[end - 1] >= '0' && text[end - 1] <= '9';
    const bool goesOn = isDigit && end + 1 < text.size() && (text[end] == '.' || text[end] == ',') &&
                        text[end + 1] >= '0' && text[end + 1] <= '9';
    const bool isLonger = end < text.size() && (isLetterOrDigit(text[end]) || goesOn);
    return !isLonger && !(edge == SecretIndex::Edge::Both && isAfterName(text, start));
}

// How many bytes both begin with.
qsizetype shared(QByteArrayView left, QByteArrayView right)
{
    const qsizetype size = qMin(left.size(), right.size());
    const char *const a = left.data();
    const char *const b = right.data();
    qsizetype at = 0;
    for (; at + 8 <= size; at += 8) {
        const quint64 difference = qFromLittleEndian<quint64>(a + at) ^ qFromLittleEndian<quint64>(b + at);
        if (difference != 0)
            return at + std::countr_zero(difference) / 8;
    }
    while (at < size && a[at] == b[at])
        ++at;
    return at;
}

}  // namespace

void SecretIndex::add(const QByteArray &word, const QByteArray &secret, Edge edge)
{
    if (word.size() < ShortestWord)
        return;
    m_words.emplace(word, Word{secret, edge});
    if (m_words.size() * BitsPerWord > m_filter.size() * 64)
        rebuild();
    else
        note(word);
}

// With room for twice as many words as there are.
void SecretIndex::rebuild()
{
    const int bits = int(std::bit_width(qMax(2 * m_words.size() * BitsPerWord, MinFilterBits) - 1));
    m_filter.assign(size_t(1) << (bits - 6), 0);
    m_filterShift = 32 - bits;
    m_pairs.reset();
    m_bytes.reset();
    for (const char c : EscapeBytes)
        m_bytes.set(uchar(c));
    m_longest = 0;
    for (const auto &[word, ignored] : m_words)
        note(word);
}

void SecretIndex::note(QByteArrayView word)
{
    const quint32 hash = hashed(word.data()) >> m_filterShift;
    m_filter[hash / 64] |= quint64(1) << (hash % 64);
    for (qsizetype shift = 0; shift < Stride; ++shift)
        m_pairs.set(pairAt(word.data() + shift));
    for (const char c : word)
        m_bytes.set(uchar(c));
    m_longest = qMax(m_longest, word.size());
}

// The longest word that stands at that place. In the order of the words it is before the rest of the text, and so are
// all those that have more in common with that rest.
SecretIndex::Match SecretIndex::matchAt(QByteArrayView text, qsizetype at) const
{
    const QByteArrayView all = text.sliced(at);
    QByteArrayView rest = all;
    auto next = m_words.upper_bound(rest);
    Match match;
    while (next != m_words.begin()) {
        const auto &[word, info] = *--next;
        const qsizetype equal = shared(word, rest);
        if (equal >= LongEnough) {
            // Others may begin like it.
            if (equal > match.length)
                match = {equal, info.secret};
        } else if (match.length > 0 || equal < ShortestWord) {
            break;
        } else if (equal < word.size()) {
            rest = rest.first(equal);
            next = m_words.upper_bound(rest);
        } else if (isWhole(info.edge, text, at, at + equal)) {
            return {equal, info.secret};
        }
    }
    return match;
}

// Looks at one place; returns where to continue.
qsizetype SecretIndex::take(QByteArrayView text, qsizetype at, std::vector<Hit> &hits) const
{
    const quint32 hash = hashed(text.data() + at) >> m_filterShift;
    if (!(m_filter[hash / 64] >> (hash % 64) & 1))
        return at + 1;
    const Match match = matchAt(text, at);
    if (match.length == 0)
        return at + 1;
    if (!hits.empty() && at < hits.back().end)
        hits.back().end = qMax(hits.back().end, at + match.length);
    else
        hits.push_back({at, at + match.length, match.secret});
    return match.length >= LongEnough ? at + match.length : at + 1;
}

// The places from `from` up to `to`; answers where to go on.
qsizetype SecretIndex::findBetween(QByteArrayView text, qsizetype from, qsizetype to, std::vector<Hit> &hits) const
{
    const char *const data = text.data();
    const qsizetype end = qMin(to, text.size() - ShortestWord + 1);
    qsizetype at = from;
    while (at < end) {
        // A word that begins at one of the places from here on has this pair in it.
        if (!m_pairs[pairAt(data + at + Stride - 1)]) {
            at += Stride;
            continue;
        }
        const qsizetype last = qMin(at + Stride, end);
        while (at < last)
            at = take(text, at, hits);
    }
    return qMin(at, qMax(end, from));
}

std::vector<SecretIndex::Hit> SecretIndex::find(QByteArrayView text) const
{
    std::vector<Hit> hits;
    if (!isEmpty())
        findBetween(text, 0, text.size(), hits);
    return hits;
}

std::vector<SecretIndex::Hit> SecretIndex::find(const Unescaped &text) const
{
    std::vector<Hit> hits;
    qsizetype at = 0;
    for (const Unescaped::Escape &escape : text.escapes()) {
        if (isEmpty())
            break;
        at = findBetween(text.text(), qMax(at, escape.start - m_longest + 1), escape.end, hits);
    }
    return hits;
}

}  // namespace sonde
