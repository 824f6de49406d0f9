// A text with its escapes taken out, that knows where each of its bytes came from.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <bitset>
#include <vector>

namespace sonde {

class Unescaped {
public:
    struct Escape {
        qsizetype start = 0;  // in the text, where its meaning stands
        qsizetype end = 0;
        qsizetype sourceStart = 0;
        qsizetype sourceEnd = 0;
    };

    // Of characters by the first byte of their UTF-8.
    using Bytes = std::bitset<256>;

    // The escapes of JSON strings that mean a wanted character, wherever they stand; the text need not be JSON. What is
    // no escape stays, and so do the others.
    static Unescaped json(QByteArrayView source, const Bytes &wanted = Bytes().set());
    // %41, in upper and lower case.
    static Unescaped percent(QByteArrayView source, const Bytes &wanted = Bytes().set());

    // Empty when there is nothing to unescape, and then the text is empty too.
    const std::vector<Escape> &escapes() const { return m_escapes; }
    const QByteArray &text() const { return m_text; }

    // Where in the source that stretch of the text stands, with the escapes at its ends as a whole.
    qsizetype sourceStart(qsizetype start) const;
    qsizetype sourceEnd(qsizetype end) const;

private:
    template <typename Decode>
    static Unescaped from(QByteArrayView source, char mark, const Bytes &wanted, const Decode &decode);
    const Escape *lastBefore(qsizetype place) const;

    QByteArray m_text;
    std::vector<Escape> m_escapes;
};

}  // namespace sonde
