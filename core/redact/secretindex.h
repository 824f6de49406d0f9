// Many words looked for at once.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/redact/unescaped.h"

#include <QByteArray>
#include <bitset>
#include <vector>

namespace sonde {

// What one byte of a text costs grows with the logarithm of the number of words and, at the worst, with the few
// thousand bytes that a text can have in common with one of them; not with how many words begin alike.
// Not safe to share between threads, const or not: it puts its words in order when the next text is searched.
class SecretIndex {
public:
    // Where a name or number must not go on.
    enum class Edge { None, End, Both };

    struct Hit {
        qsizetype start = 0;
        qsizetype end = 0;
        quint32 secret = 0;
    };

    static constexpr qsizetype ShortestWord = 4;  // shorter ones would hit everywhere, and are ignored

    // secret: whose spelling it is.
    void add(const QByteArray &word, quint32 secret, Edge edge);
    void add(const SecretIndex &other);  // all of its words
    template <typename IsGone>
    void removeIf(const IsGone &isGone)  // by the secret
    {
        std::erase_if(m_words, [&isGone](const Word &word) { return isGone(word.secret); });
        m_isPrepared = false;
    }
    void clear();
    bool isEmpty() const { return m_words.empty(); }

    // The characters that a hit may consist of, and those that an escape within an escape may.
    const Unescaped::Bytes &bytes() const;

    // Appends the hits in their order. What overlaps is one hit, so that no rest of a second secret remains.
    void find(QByteArrayView text, std::vector<Hit> &hits) const;
    // Only what holds an escape: the rest is in the text that was unescaped.
    void find(const Unescaped &text, std::vector<Hit> &hits) const;

private:
    struct Word {
        QByteArray text;
        quint32 secret = 0;
        Edge edge = Edge::None;
        qint32 shorter = -1;  // the longest other word that this one begins with
    };
    struct Match {
        qsizetype length = 0;  // 0: nothing
        size_t word = 0;
    };

    void prepare() const;
    bool mayBegin(quint32 head) const;
    Match matchAt(QByteArrayView text, qsizetype at, quint32 head) const;
    qsizetype take(QByteArrayView text, qsizetype at, size_t first, std::vector<Hit> &hits) const;
    qsizetype findBetween(QByteArrayView text, qsizetype from, qsizetype to, size_t first,
                          std::vector<Hit> &hits) const;

    mutable std::vector<Word> m_words;  // in the order of their bytes, once prepared
    mutable bool m_isPrepared = true;
    mutable std::vector<quint32> m_heads;  // the first four bytes of each
    mutable Unescaped::Bytes m_bytes;
    mutable qsizetype m_longest = 0;
    // Pairs of bytes within the first four of a word, of which every third pair of a text meets one; and by a hash of
    // the first four bytes. Almost every place in a text is dismissed by one bit.
    mutable std::bitset<65536> m_pairs;
    mutable std::vector<quint64> m_filter;
    mutable int m_filterShift = 0;
};

}  // namespace sonde
