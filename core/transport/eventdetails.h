// Writes the small JSON objects that go into the record with a wire event.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/builder.h"
#include "core/transport/eventcode.h"

#include <QStringList>

namespace sonde {

class EventDetails {
public:
    EventDetails() { m_json.beginObject(); }
    explicit EventDetails(EventCode what) : EventDetails() { eventCode(what); }

    EventDetails &eventCode(EventCode what)
    {
        m_occurrence = what;
        return text(u"what", toString(what));
    }
    EventCode eventCode() const { return m_occurrence; }

    EventDetails &text(QStringView name, QStringView value)
    {
        member(name).string(value);
        return *this;
    }
    // Bytes from the network: UTF-8 where they are, replacement characters where they are not.
    EventDetails &bytes(QStringView name, QByteArrayView value) { return text(name, QString::fromUtf8(value)); }
    EventDetails &number(QStringView name, qint64 value)
    {
        member(name).number(value);
        return *this;
    }
    EventDetails &texts(QStringView name, const QStringList &values)
    {
        member(name).beginArray();
        for (const QString &value : values)
            m_json.string(value);
        m_json.endArray();
        return *this;
    }
    // [["Name","value"],…] in order: the shape in which credentials are looked for.
    EventDetails &headers(QStringView name, const QList<std::pair<QByteArray, QByteArray>> &list)
    {
        member(name).beginArray();
        for (const auto &[header, value] : list) {
            m_json.beginArray();
            m_json.string(QString::fromUtf8(header)).string(QString::fromUtf8(value));
            m_json.endArray();
        }
        m_json.endArray();
        return *this;
    }

    // Empty where nothing was told.
    QByteArray take()
    {
        m_json.endObject();
        const QByteArray object = m_json.take();
        return m_hasMembers ? object : QByteArray();
    }

private:
    json::Builder &member(QStringView name)
    {
        m_hasMembers = true;
        return m_json.key(name);
    }

    json::Builder m_json;
    EventCode m_occurrence = EventCode::None;
    bool m_hasMembers = false;
};

}  // namespace sonde
