// Feeds a session in memory with what a connection would report.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/session/session.h"
#include "core/transport/monotonicclock.h"
#include "ui/timeline/table/timelinemodel.h"

namespace sonde::test {

class SessionFeed {
public:
    explicit SessionFeed(Session *session) : m_session(session) {}

    Session *session() const { return m_session; }
    void message(Direction direction, const QByteArray &raw, const QByteArray &facts = {})
    {
        WireEvent event = made(WireEvent::Kind::Message, direction, raw);
        event.message = Message::parse(raw);
        event.facts = facts;
        m_session->append(event, 1);
    }
    void toServer(const QByteArray &raw) { message(Direction::ToServer, raw); }
    void fromServer(const QByteArray &raw) { message(Direction::FromServer, raw); }
    void other(WireEvent::Kind kind, const QByteArray &bytes, const QByteArray &facts = {},
               Direction direction = Direction::FromServer)
    {
        WireEvent event = made(kind, direction, bytes);
        event.facts = facts;
        m_session->append(event, 1);
    }
    void stderrLines(int count, const QByteArray &text = "line")
    {
        for (int i = 0; i < count; ++i)
            other(WireEvent::Kind::Stderr, text + ' ' + QByteArray::number(i));
        m_session->flush();
    }
    // A call and its response: two rows.
    void exchange(int id, const QByteArray &tool, const QByteArray &resultOrError)
    {
        const QByteArray number = QByteArray::number(id);
        toServer(R"({"jsonrpc":"2.0","id":)" + number + ",\"method\":\"tools/call\",\"params\":{\"name\":\"" + tool +
                 "\"}}");
        fromServer(R"({"jsonrpc":"2.0","id":)" + number + ',' + resultOrError + '}');
    }

private:
    static WireEvent made(WireEvent::Kind kind, Direction direction, const QByteArray &bytes)
    {
        WireEvent event;
        event.kind = kind;
        event.direction = direction;
        event.monotonicNs = monotonicNs();
        event.bytes = bytes;
        event.wireLength = bytes.size();
        event.terminator = bytes.isEmpty() ? 0 : 1;
        return event;
    }

    Session *m_session;
};

// What a model shows, as rows of the session.
inline QList<qsizetype> rowsOf(const ui::TimelineModel &model)
{
    QList<qsizetype> rows;
    for (int i = 0; i < model.rowCount(); ++i)
        rows.append(model.sessionRow(model.index(i, 0)));
    return rows;
}

}  // namespace sonde::test
