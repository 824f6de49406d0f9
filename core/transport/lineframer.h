// Cuts a stream of bytes into lines, looking at every byte once.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QCryptographicHash>
#include <optional>

namespace sonde {

// Pull: append() what arrived, then next() until it has nothing. A line longer than the limit is not kept: its first
// bytes, its length and its digest come out when its end is found, and the stream goes on behind it. So does a line
// that there is not enough memory for, without its digest.
class LineFramer {
public:
    enum class Ends {
        Lf,  // LF or CR LF
        Any  // LF, CR LF or CR alone, as server-sent events have it
    };

    struct Line {
        QByteArray bytes;       // without its end; only the head of a line that was too long
        qint64 length = 0;      // on the wire, without its end
        quint8 terminator = 0;  // 0 (none, at the end of the stream), 1 or 2 bytes
        bool isCut = false;
        bool isOutOfMemory = false;  // and that is why it is cut
        QByteArray sha256;           // of the whole, in hexadecimal; lines over the limit only
    };

    static constexpr qsizetype KeptOfCutLine = 64 * 1024;

    explicit LineFramer(qint64 maxBytes, Ends ends = Ends::Lf) : m_maxBytes(maxBytes), m_ends(ends) {}

    void append(QByteArrayView bytes);
    std::optional<Line> next();
    // True while next() can get further without more bytes, also when it has just returned nothing.
    bool isBusy() const;
    // What is left when no more bytes come: a line without its end. Call it after next() is done.
    std::optional<Line> takeRest();

private:
    struct End {
        qsizetype at = -1;
        quint8 length = 1;
    };
    End findEnd(qsizetype from, qsizetype until);
    void shift(qsizetype count);
    std::optional<Line> skip();
    void beginSkipping();
    void giveUpLine();
    Line finishLine(qsizetype length, quint8 terminator);
    Line finishCutLine(quint8 terminator);
    void digest(qsizetype from, qsizetype until);
    void swallowLf();

    QByteArray m_buffer;
    qsizetype m_start = 0;    // of the line in progress
    qsizetype m_scanned = 0;  // no end of line in [m_start, m_scanned)
    // With Ends::Any a CR may end the line long before the next LF, whose place is then remembered.
    qsizetype m_lf = -1;
    qsizetype m_lfScanned = 0;  // no LF in [m_start, m_lfScanned) but m_lf
    qint64 m_maxBytes;
    Ends m_ends;
    bool m_afterCr = false;  // a CR ended the last line: an LF right behind it belongs to it

    bool m_skipping = false;
    bool m_isOutOfMemory = false;
    bool m_heldCr = false;  // the last byte skipped was a CR, which may turn out to belong to the line's end
    QByteArray m_head;
    qint64 m_skipped = 0;
    QCryptographicHash m_hash{QCryptographicHash::Sha256};
};

}  // namespace sonde
