// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/requestid.h"

#include "core/json/builder.h"
#include "core/json/stringcodec.h"

#include <algorithm>
#include <charconv>

namespace sonde {

namespace {

// The type and the UTF-16 units: UTF-8 could not tell lone surrogates apart.
QByteArray matchOfString(const QString &text)
{
    return QByteArray("s").append(reinterpret_cast<const char *>(text.utf16()),
                                  text.size() * qsizetype(sizeof(char16_t)));
}

bool isWrittenAsInteger(QByteArrayView text)
{
    if (text.startsWith('-'))
        text = text.sliced(1);
    if (text.isEmpty() || (text.size() > 1 && text.front() == '0'))
        return false;
    return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

RequestId::RequestId(qint64 number) : m_kind(Kind::Integer), m_number(number) {}

RequestId::RequestId(const QString &text)
    : m_kind(Kind::String), m_json(json::quoted(text)), m_match(matchOfString(text))
{}

// Nearly every id is one that fits; "-0" is kept as it is written.
RequestId RequestId::ofInteger(QByteArrayView written)
{
    RequestId id;
    id.m_kind = Kind::Integer;
    const auto [end, problem] = std::from_chars(written.begin(), written.end(), id.m_number);
    if (problem != std::errc()) {
        id.m_json = written.toByteArray();
        id.m_match = 'i' + id.m_json;
    } else if (written == "-0") {
        id.m_json = written.toByteArray();
    }
    return id;
}

RequestId RequestId::fromValue(const json::Value &value)
{
    RequestId id;
    if (!value.exists())
        return id;
    if (value.isNumber() && isWrittenAsInteger(value.slice()))
        return ofInteger(value.slice());
    id.m_json = value.bytes();
    if (value.isString()) {
        id.m_kind = Kind::String;
        id.m_match = matchOfString(value.string());
    } else if (const std::optional<qint64> number = value.toInteger();
               number && std::any_of(id.m_json.cbegin(), id.m_json.cend(),
                                     [](char c) { return c == '.' || c == 'e' || c == 'E'; })) {
        id.m_kind = Kind::Integer;
        id.m_number = *number;
        id.m_isOddlyWritten = true;
    } else {
        id.m_kind = Kind::Other;
    }
    return id;
}

RequestId RequestId::fromPlain(QByteArrayView written)
{
    if (!written.startsWith('"'))
        return ofInteger(written);
    RequestId id;
    id.m_json = written.toByteArray();
    id.m_kind = Kind::String;
    id.m_match = matchOfString(json::fromUtf8(written.sliced(1).chopped(1)));
    return id;
}

QByteArray RequestId::toJson() const
{
    return m_kind == Kind::Integer && m_json.isEmpty() ? QByteArray::number(m_number) : m_json;
}

QString RequestId::toString() const
{
    return QString::fromUtf8(toJson());
}

}  // namespace sonde
