// Server-sent events, as the WHATWG's HTML standard defines their parsing.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/lineframer.h"

namespace sonde {

// Pull, as LineFramer. Beside the events that the standard dispatches it hands out what an inspector shows as well:
// comments, and blocks that carry an id or a retry but no data.
class SseParser {
public:
    struct Event {
        QByteArray type;  // as sent; empty means "message"
        QByteArray data;
        QByteArray id;         // the stream's last event id once this event has been seen
        bool hasData = false;  // false: not an event by the standard, only its id or retry count
        bool hasId = false;    // this block said something about the id
        std::optional<qint64> retryMs;
        bool isComment = false;  // data is its text
        // The data was longer than the limit: only its head is there.
        bool isCut = false;
        bool isOutOfMemory = false;  // and that is why
        qint64 length = 0;
        QByteArray sha256;  // of the one line that was too long, empty when it was several together

        bool isMessage() const { return hasData && (type.isEmpty() || type == "message"); }
    };

    explicit SseParser(qint64 maxBytes) : m_maxBytes(maxBytes), m_lines(maxBytes + FieldRoom, LineFramer::Ends::Any) {}

    void append(QByteArrayView bytes) { m_lines.append(bytes); }
    std::optional<Event> next();
    bool isBusy() const { return m_lines.isBusy(); }
    // The bytes of an event that never got its blank line; it does not count.
    QByteArray takeRest();

    const QByteArray &lastEventId() const { return m_lastId; }
    std::optional<qint64> retryMs() const { return m_retryMs; }

private:
    static constexpr qint64 FieldRoom = 16;  // "data: " and a byte order mark do not count

    std::optional<Event> take(LineFramer::Line line);
    void field(QByteArrayView name, QByteArray value, const LineFramer::Line &line);
    void addData(QByteArray value, const LineFramer::Line &line);
    Event finish();

    qint64 m_maxBytes;
    LineFramer m_lines;
    bool m_isFirstLine = true;
    bool m_isEmpty = true;  // nothing in this block yet
    Event m_event;
    QByteArray m_id;  // takes effect with the blank line
    QByteArray m_lastId;
    std::optional<qint64> m_retryMs;
};

}  // namespace sonde
