// Many words looked for at once.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/redact/unescaped.h"

#include <QByteArray>
#include <bitset>
#include <map>
#include <vector>

namespace sonde {

// What one byte of a text costs grows with the logarithm of the number of words and, at the worst, with the few
// thousand bytes that a text can have in common with one of them; not with how many words begin alike.
class SecretIndex {
public:
    // Where a name or number must not go on.
    enum class Edge { None, End, Both };

    struct Hit {
        qsizetype start = 0;
        qsizetype end = 0;
        QByteArray secret;
    };

    static constexpr qsizetype ShortestWord = 4;  // shorter ones would hit everywhere, and are ignored

    // secret: whose spelling it is. Several may have the same.
    void add(const QByteArray &word, const QByteArray &secret, Edge edge);
    template <typename IsGone>
    void removeIf(const IsGone &isGone)  // by the secret
    {
        std::erase_if(m_words, [&isGone](const auto &word) { return isGone(word.second.secret); });
        rebuild();
    }
    bool isEmpty() const { return m_words.empty(); }

    // The characters that a hit may consist of, and those that an escape within an escape may.
    const Unescaped::Bytes &bytes() const { return m_bytes; }

    // The hits in their order. What overlaps is one hit, so that no rest of a second secret remains.
    std::vector<Hit> find(QByteArrayView text) const;
    // Only what holds an escape: the rest is in the text that was unescaped.
    std::vector<Hit> find(const Unescaped &text) const;

private:
    struct Word {
        QByteArray secret;
        Edge edge = Edge::None;
    };
    // So much of a secret is one, whatever comes behind it. It bounds what a single place may cost: the search goes on
    // behind what was compared.
    static constexpr qsizetype LongEnough = 4096;
    static QByteArrayView beginningOf(QByteArrayView text) { return text.first(qMin(text.size(), LongEnough)); }
    struct IsBefore {
        using is_transparent = void;
        bool operator()(QByteArrayView left, QByteArrayView right) const
        {
            return beginningOf(left) < beginningOf(right);
        }
    };
    struct Match {
        qsizetype length = 0;  // 0: nothing
        QByteArray secret;
    };

    void rebuild();
    void note(QByteArrayView word);
    Match matchAt(QByteArrayView text, qsizetype at) const;
    qsizetype take(QByteArrayView text, qsizetype at, std::vector<Hit> &hits) const;
    qsizetype findBetween(QByteArrayView text, qsizetype from, qsizetype to, std::vector<Hit> &hits) const;

    std::multimap<QByteArray, Word, IsBefore> m_words;
    Unescaped::Bytes m_bytes;
    qsizetype m_longest = 0;
    // Pairs of bytes within the first four of a word, of which every third pair of a text meets one; and by a hash of
    // the first four bytes. Almost every place in a text is dismissed by one bit.
    std::bitset<65536> m_pairs;
    std::vector<quint64> m_filter;
    int m_filterShift = 0;
};

}  // namespace sonde
