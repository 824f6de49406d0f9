// The id that pairs a request with its response.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"

#include <QHashFunctions>

namespace sonde {

// JSON-RPC 2.0 section 4 as MCP narrows it: an integer or a string, never null. Anything else (1.5, {}, null) can be
// shown but never matches. Matching is by type and value: 1 and "1" differ, 1 and 1.0 do not, as some languages have
// no other way to write an integer; integers of any size compare exactly.
class RequestId {
public:
    enum class Kind : quint8 { None, Integer, String, Other };

    RequestId() = default;
    explicit RequestId(qint64 number);
    explicit RequestId(const QString &text);
    static RequestId fromValue(const json::Value &value);  // Missing gives None
    // An integer, or a string without escapes, as it is written. Not checked.
    static RequestId fromPlain(QByteArrayView written);

    Kind kind() const { return m_kind; }
    bool isNone() const { return m_kind == Kind::None; }
    bool isOddlyWritten() const { return m_isOddlyWritten; }  // an integer as 1.0 or 1e0
    bool isMatchable() const { return m_kind == Kind::Integer || m_kind == Kind::String; }

    QByteArray toJson() const;  // exactly as received or to be sent; empty for None
    QString toString() const;   // for people: as it is written, strings in quotes

    // Two ids that are not matchable are never equal, not even to themselves.
    bool operator==(const RequestId &other) const
    {
        return m_number == other.m_number && m_kind == other.m_kind && isMatchable() &&
               (m_match.isEmpty() ? other.m_match.isEmpty() : m_match == other.m_match);
    }
    friend size_t qHash(const RequestId &id, size_t seed = 0) noexcept
    {
        return id.m_match.isEmpty() ? ::qHash(id.m_number, seed) : ::qHash(id.m_match, seed);
    }

private:
    static RequestId ofInteger(QByteArrayView written);

    Kind m_kind = Kind::None;
    bool m_isOddlyWritten = false;
    qint64 m_number = 0;  // of an integer that fits
    QByteArray m_json;    // empty where m_number says it
    QByteArray m_match;   // canonical text of all others; strings decoded so that "\u0061" matches "a"
};

}  // namespace sonde
