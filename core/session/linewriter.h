// Puts a line of a session file together at the end of a byte array.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <charconv>
#include <cstring>

namespace sonde {

// Each step on a byte array costs more than most parts of a line do, so the parts are written into room made ahead.
// The array must not be touched before finish() or the writer's end.
class LineWriter {
public:
    explicit LineWriter(QByteArray &out) : m_out(out), m_start(out.size()) { makeRoom(UsualLine); }
    ~LineWriter() { finish(); }
    Q_DISABLE_COPY_MOVE(LineWriter)

    LineWriter &text(QByteArrayView text)
    {
        needRoom(text.size());
        std::memcpy(m_to, text.data(), size_t(text.size()));
        m_to += text.size();
        return *this;
    }
    template <size_t size>
    LineWriter &text(const char (&literal)[size])
    {
        needRoom(qsizetype(size));
        std::memcpy(m_to, literal, size - 1);
        m_to += size - 1;
        return *this;
    }
    LineWriter &number(qint64 number)
    {
        needRoom(MaxNumberLength);
        m_to = std::to_chars(m_to, m_to + MaxNumberLength, number).ptr;
        return *this;
    }
    // Eight digits.
    LineWriter &hex(quint32 number);
    // As the content of a JSON string. False, and nothing of them is written, when the bytes are not UTF-8 or when that
    // would be longer than maxEscapedLength().
    bool escaped(QByteArrayView bytes);
    // Text that is mostly control characters would become six times as long: as base64 it is shorter by far. A short
    // one stays readable whatever it costs.
    static constexpr qsizetype maxEscapedLength(qsizetype size) { return 2 * size + 4096; }

    // Takes back the last bytes.
    void drop(qsizetype size) { m_to -= size; }

    // Since the writer began.
    QByteArrayView written() const { return {m_out.constData() + m_start, m_to}; }
    void finish();

private:
    static constexpr qsizetype UsualLine = 512;
    static constexpr qsizetype MaxNumberLength = 20;

    void needRoom(qsizetype size)
    {
        if (m_end - m_to < size)
            makeRoom(size);
    }
    void makeRoom(qsizetype size);

    QByteArray &m_out;
    const qsizetype m_start;
    char *m_to = nullptr;
    char *m_end = nullptr;
};

}  // namespace sonde
