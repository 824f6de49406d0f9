// SPDX-License-Identifier: Apache-2.0
#include "core/transport/http/sseparser.h"

#include "core/transport/appendlarge.h"

#include <algorithm>
#include <new>

namespace sonde {

std::optional<SseParser::Event> SseParser::next()
{
    while (std::optional<LineFramer::Line> line = m_lines.next()) {
        if (std::optional<Event> event = take(std::move(*line)))
            return event;
    }
    return std::nullopt;
}

QByteArray SseParser::takeRest()
{
    QByteArray rest = std::exchange(m_event, Event()).data;
    m_isEmpty = true;
    m_id = m_lastId;
    if (const std::optional<LineFramer::Line> line = m_lines.takeRest()) {
        if (!rest.isEmpty())
            rest += '\n';
        rest += line->bytes;
    }
    return rest;
}

std::optional<SseParser::Event> SseParser::take(LineFramer::Line line)
{
    if (m_isFirstLine) {
        m_isFirstLine = false;
        if (line.bytes.startsWith("\xEF\xBB\xBF"))
            line.bytes.remove(0, 3);
    }
    if (line.bytes.isEmpty()) {
        if (m_isEmpty)
            return std::nullopt;
        return finish();
    }
    if (line.bytes.front() == ':') {
        Event comment;
        comment.isComment = true;
        comment.id = m_lastId;
        comment.data = line.bytes.mid(1);
        comment.length = line.length - 1;
        comment.isCut = line.isCut;
        return comment;
    }
    const qsizetype colon = line.bytes.indexOf(':');
    if (colon < 0) {
        field(line.bytes, QByteArray(""), line);
        return std::nullopt;
    }
    const QByteArray name = line.bytes.left(colon);
    const bool hasSpace = line.bytes.size() > colon + 1 && line.bytes.at(colon + 1) == ' ';
    QByteArray value = std::exchange(line.bytes, QByteArray());
    value.remove(0, colon + (hasSpace ? 2 : 1));
    line.length -= colon + (hasSpace ? 2 : 1);
    field(name, std::move(value), line);
    return std::nullopt;
}

void SseParser::field(QByteArrayView name, QByteArray value, const LineFramer::Line &line)
{
    if (name == "data") {
        addData(std::move(value), line);
    } else if (name == "event") {
        m_event.type = value;
        m_isEmpty = false;
    } else if (name == "id") {
        if (value.contains('\0'))
            return;
        m_id = value;
        m_event.hasId = true;
        m_isEmpty = false;
    } else if (name == "retry") {
        const bool isNumber =
            !value.isEmpty() && std::all_of(value.begin(), value.end(), [](char c) { return c >= '0' && c <= '9'; });
        if (!isNumber)
            return;
        bool fits = false;
        const qint64 ms = value.toLongLong(&fits);
        m_retryMs = fits ? ms : std::numeric_limits<qint64>::max();
        m_event.retryMs = m_retryMs;
        m_isEmpty = false;
    }
}

void SseParser::addData(QByteArray value, const LineFramer::Line &line)
{
    m_isEmpty = false;
    const bool isFirst = !m_event.hasData;
    m_event.hasData = true;
    m_event.length += line.length + (isFirst ? 0 : 1);
    if (line.isCut)
        m_event.sha256 = isFirst ? line.sha256 : QByteArray();
    if (m_event.isCut) {
        m_event.sha256.clear();
        return;
    }
    m_event.isOutOfMemory = line.isOutOfMemory;
    if (isFirst) {
        m_event.data = std::move(value);
    } else {
        try {
            appendLarge(m_event.data, "\n");
            appendLarge(m_event.data, value);
        } catch (const std::bad_alloc &) {
            m_event.isOutOfMemory = true;
        }
    }
    if (m_event.isOutOfMemory || line.isCut || m_event.length > m_maxBytes) {
        m_event.isCut = true;
        m_event.data.truncate(qMin<qint64>(LineFramer::KeptOfCutLine, m_maxBytes));
        m_event.data.squeeze();
    }
}

SseParser::Event SseParser::finish()
{
    m_isEmpty = true;
    m_lastId = m_id;
    Event event = std::exchange(m_event, Event());
    event.id = m_lastId;
    return event;
}

}  // namespace sonde
