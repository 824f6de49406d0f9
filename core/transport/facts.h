// Writes the small JSON objects that go into the record with a wire event.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/builder.h"

#include <QStringList>

namespace sonde {

class Facts {
public:
    Facts() { m_json.beginObject(); }

    Facts &text(QStringView name, QStringView value)
    {
        m_json.key(name).string(value);
        return *this;
    }
    // Bytes from the network: UTF-8 where they are, replacement characters where they are not.
    Facts &bytes(QStringView name, QByteArrayView value) { return text(name, QString::fromUtf8(value)); }
    Facts &number(QStringView name, qint64 value)
    {
        m_json.key(name).number(value);
        return *this;
    }
    Facts &texts(QStringView name, const QStringList &values)
    {
        m_json.key(name).beginArray();
        for (const QString &value : values)
            m_json.string(value);
        m_json.endArray();
        return *this;
    }
    // [["Name","value"],…] in order: the shape in which credentials are looked for.
    Facts &headers(QStringView name, const QList<std::pair<QByteArray, QByteArray>> &list)
    {
        m_json.key(name).beginArray();
        for (const auto &[header, value] : list) {
            m_json.beginArray();
            m_json.string(QString::fromUtf8(header)).string(QString::fromUtf8(value));
            m_json.endArray();
        }
        m_json.endArray();
        return *this;
    }

    QByteArray take()
    {
        m_json.endObject();
        return m_json.take();
    }

private:
    json::Builder m_json;
};

}  // namespace sonde
