// SPDX-License-Identifier: Apache-2.0
#include "core/redact/secretindex.h"

#include "core/redact/secretforms.h"

#include <QtEndian>
#include <algorithm>
#include <bit>
#include <utility>

namespace sonde {

namespace {

// So much of a secret is one, whatever comes behind it. It bounds what a single place may cost: the search goes on
// behind what was compared.
constexpr qsizetype LongEnough = 4096;
constexpr QByteArrayView EscapeBytes = "\\%ubfnrt0123456789abcdefABCDEF";  // other than " and /, which end one
constexpr int BitsPerWord = 16;                                            // of the filter
constexpr qsizetype Stride = SecretIndex::ShortestWord - 1;                // pairs within the shortest word

quint16 pairAt(const char *at)
{
    return quint16(quint8(at[0]) | quint16(quint8(at[1]) << 8));
}

quint32 headAt(const char *at)
{
    return qFromBigEndian<quint32>(at);
}

quint32 hashed(quint32 head)
{
    return head * 0x9E3779B1u;
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

// How many bytes both begin with, when `known` of them are known to be equal.
qsizetype shared(QByteArrayView left, QByteArrayView right, qsizetype known)
{
    const qsizetype size = qMin(left.size(), right.size());
    const char *const a = left.data();
    const char *const b = right.data();
    qsizetype at = known;
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

void SecretIndex::add(const QByteArray &word, quint32 secret, Edge edge)
{
    if (word.size() < ShortestWord)
        return;
    m_words.push_back({word, secret, edge, -1});
    m_isPrepared = false;
}

void SecretIndex::add(const SecretIndex &other)
{
    m_words.insert(m_words.end(), other.m_words.begin(), other.m_words.end());
    m_isPrepared = false;
}

void SecretIndex::clear()
{
    m_words.clear();
    m_isPrepared = false;
}

void SecretIndex::prepare() const
{
    if (m_isPrepared)
        return;
    m_isPrepared = true;
    // Most of them are in order from the last time.
    const auto isBefore = [](const Word &left, const Word &right) {
        return QByteArrayView(left.text) < QByteArrayView(right.text);
    };
    const auto added = std::is_sorted_until(m_words.begin(), m_words.end(), isBefore);
    std::sort(added, m_words.end(), isBefore);
    std::inplace_merge(m_words.begin(), added, m_words.end(), isBefore);
    const int bits = int(std::bit_width(qMax<size_t>(m_words.size() * BitsPerWord, 65536) - 1));
    m_filter.assign(size_t(1) << (bits - 6), 0);
    m_filterShift = 32 - bits;
    m_pairs.reset();
    m_heads.clear();
    m_bytes.reset();
    for (const char c : EscapeBytes)
        m_bytes.set(uchar(c));
    m_longest = 0;
    qint32 before = -1;
    for (size_t i = 0; i < m_words.size(); ++i) {
        Word &word = m_words[i];
        while (before >= 0 && !word.text.startsWith(m_words[size_t(before)].text))
            before = m_words[size_t(before)].shorter;
        word.shorter = std::exchange(before, qint32(i));
        const quint32 head = headAt(word.text.constData());
        const quint32 hash = hashed(head) >> m_filterShift;
        m_filter[hash / 64] |= quint64(1) << (hash % 64);
        for (qsizetype shift = 0; shift < Stride; ++shift)
            m_pairs.set(pairAt(word.text.constData() + shift));
        m_heads.push_back(head);
        for (const char c : std::as_const(word.text))
            m_bytes.set(uchar(c));
        m_longest = qMax(m_longest, word.text.size());
    }
}

inline bool SecretIndex::mayBegin(quint32 head) const
{
    const quint32 hash = hashed(head) >> m_filterShift;
    return m_filter[hash / 64] >> (hash % 64) & 1;
}

// The longest word that stands at that place: one of those that the last word in front of the rest begins with.
SecretIndex::Match SecretIndex::matchAt(QByteArrayView text, qsizetype at, quint32 head) const
{
    const auto [begin, end] = std::equal_range(m_heads.begin(), m_heads.end(), head);
    const auto first = size_t(begin - m_heads.begin());
    const auto last = size_t(end - m_heads.begin());
    const QByteArrayView rest = text.sliced(at);
    size_t low = first;
    size_t high = last;
    qsizetype lowShared = ShortestWord;
    qsizetype highShared = ShortestWord;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const QByteArray &word = m_words[middle].text;
        const qsizetype equal = shared(word, rest, qMin(lowShared, highShared));
        const bool isBefore = equal == word.size() || (equal < rest.size() && uchar(word[equal]) < uchar(rest[equal]));
        (isBefore ? low : high) = isBefore ? middle + 1 : middle;
        (isBefore ? lowShared : highShared) = equal;
    }
    if (high < last && highShared >= LongEnough && highShared > lowShared)
        return {highShared, high};
    if (low == first)
        return {};
    if (lowShared >= LongEnough)
        return {lowShared, low - 1};
    for (qint32 i = qint32(low) - 1; i >= 0; i = m_words[size_t(i)].shorter) {
        const Word &word = m_words[size_t(i)];
        if (word.text.size() <= lowShared && isWhole(word.edge, text, at, at + word.text.size()))
            return {word.text.size(), size_t(i)};
    }
    return {};
}

// Looks at one place; returns where to continue. Hits before `first` do not belong to this text.
qsizetype SecretIndex::take(QByteArrayView text, qsizetype at, size_t first, std::vector<Hit> &hits) const
{
    const quint32 head = headAt(text.data() + at);
    if (!mayBegin(head))
        return at + 1;
    const Match match = matchAt(text, at, head);
    if (match.length == 0)
        return at + 1;
    const Word &word = m_words[match.word];
    if (hits.size() > first && at < hits.back().end) {
        Hit &hit = hits.back();
        hit.end = qMax(hit.end, at + match.length);
    } else {
        hits.push_back({at, at + match.length, word.secret});
    }
    return match.length >= LongEnough ? at + match.length : at + 1;
}

// The places from `from` up to `to`; answers where to go on.
qsizetype SecretIndex::findBetween(QByteArrayView text, qsizetype from, qsizetype to, size_t first,
                                   std::vector<Hit> &hits) const
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
            at = take(text, at, first, hits);
    }
    return qMin(at, qMax(end, from));
}

const Unescaped::Bytes &SecretIndex::bytes() const
{
    prepare();
    return m_bytes;
}

void SecretIndex::find(QByteArrayView text, std::vector<Hit> &hits) const
{
    prepare();
    findBetween(text, 0, text.size(), hits.size(), hits);
}

void SecretIndex::find(const Unescaped &text, std::vector<Hit> &hits) const
{
    prepare();
    const size_t first = hits.size();
    qsizetype at = 0;
    for (const Unescaped::Escape &escape : text.escapes())
        at = findBetween(text.text(), qMax(at, escape.start - m_longest + 1), escape.end, first, hits);
}

}  // namespace sonde
