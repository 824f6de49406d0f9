// Session files written record by record, with times of one's choice.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/session/recordline.h"
#include "core/session/session.h"
#include "core/session/sessionheader.h"

#include <QDateTime>
#include <QFile>
#include <QTemporaryDir>

namespace sonde::test {

class HandmadeSession {
public:
    HandmadeSession()
    {
        SessionHeader header = SessionHeader::now(QStringLiteral("demo server"));
        header.createdAt = createdAt();
        m_text = header.toLine();
    }

    static QDateTime createdAt() { return QDateTime::fromString(QStringLiteral("2026-01-31T12:00:00Z"), Qt::ISODate); }

    HandmadeSession &at(qint64 ns)
    {
        m_timeNs = ns;
        return *this;
    }
    HandmadeSession &over(int connection)
    {
        m_connection = quint16(connection);
        return *this;
    }
    HandmadeSession &sent(const QByteArray &json) { return add(WireEvent::Kind::Message, Direction::ToServer, json); }
    HandmadeSession &received(const QByteArray &json)
    {
        return add(WireEvent::Kind::Message, Direction::FromServer, json);
    }

    HandmadeSession &add(WireEvent::Kind kind, Direction direction, const QByteArray &payload,
                         const QByteArray &facts = {})
    {
        RecordLine record;
        record.number = ++m_number;
        record.timeNs = m_timeNs;
        record.wallUs = createdAt().toMSecsSinceEpoch() * 1000 + m_timeNs / 1000;
        record.connection = m_connection;
        record.direction = direction;
        record.kind = kind;
        record.wireLength = payload.size();
        record.hasPayload = !payload.isNull();
        record.facts = facts;
        record.payload = payload;
        appendRecordLine(m_text, record, {});
        return *this;
    }

    const QByteArray &text() const { return m_text; }

    // Written into that folder, where it replaces an earlier one, and opened; null where that fails.
    std::unique_ptr<Session> open(const QTemporaryDir &folder) const
    {
        QFile file(folder.filePath(QStringLiteral("s.mcpsession")));
        if (!file.open(QIODevice::WriteOnly) || file.write(m_text) != m_text.size())
            return {};
        file.close();
        Result<std::unique_ptr<Session>> opened = Session::open(file.fileName());
        return opened ? std::move(opened).value() : nullptr;
    }

    // The same, as another program might write it: all letters of payloads escaped, other keys behind them.
    QByteArray foreignText() const
    {
        QByteArray out;
        const QList<QByteArray> lines = m_text.split('\n');
        for (const QByteArray &line : lines) {
            RecordLine record;
            QByteArray bytes;
            if (readRecordLine(line, &record, bytes) != LineState::Good || record.isBase64) {
                out += line + (line.isEmpty() ? "" : "\n");
                continue;
            }
            const qsizetype start = out.size();
            const qsizetype payload = record.hasPayload ? record.payload.data() - line.constData() : 0;
            out += line.first(record.hasPayload ? payload : line.size() - 18);
            if (record.hasPayload) {
                for (const QChar unit : QString::fromUtf8(bytes))
                    out += "\\u" + QByteArray::number(unit.unicode(), 16).rightJustified(4, '0').toUpper();
                out += "\",\"by\":\"somebody else\"";
            }
            appendChecksum(out, start);
            out += '\n';
        }
        return out;
    }

private:
    QByteArray m_text;
    quint32 m_number = 0;
    qint64 m_timeNs = 0;
    quint16 m_connection = 1;
};

}  // namespace sonde::test
