// SPDX-License-Identifier: Apache-2.0
#include "core/transport/messageheaders.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace sonde {

namespace {

struct MessageHeadersText {
    Q_DECLARE_TR_FUNCTIONS(sonde::HttpTransport)
};

bool isName(QByteArrayView left, QByteArrayView right)
{
    return left.compare(right, Qt::CaseInsensitive) == 0;
}

auto find(MessageHeaders &list, QByteArrayView name)
{
    return std::find_if(list.begin(), list.end(), [name](const auto &header) { return isName(header.first, name); });
}

QString controlName(char c)
{
    switch (c) {
        case '\r':
            return MessageHeadersText::tr("a carriage return (CR)");
        case '\n':
            return MessageHeadersText::tr("a line feed (LF)");
        case '\0':
            return MessageHeadersText::tr("a NUL");
        default:
            return MessageHeadersText::tr("the control character 0x%1").arg(int(uchar(c)), 2, 16, QLatin1Char('0'));
    }
}

Error checkValue(const QString &name, const QByteArray &value)
{
    const auto bad = std::find_if(value.begin(), value.end(), [](char c) { return !http::isHeaderValue({&c, 1}); });
    if (bad == value.end())
        return {};
    const qsizetype place = QString::fromUtf8(value.left(bad - value.begin())).size() + 1;
    return Error::local(MessageHeadersText::tr("The value of header “%1” contains %2 at character %3.")
                            .arg(name, controlName(*bad))
                            .arg(place),
                        MessageHeadersText::tr("A header is one line of text; remove that character."));
}

}  // namespace

bool http::isToken(QByteArrayView name)
{
    static constexpr QByteArrayView marks("!#$%&'*+-.^_`|~");
    return !name.isEmpty() && std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || marks.contains(c);
    });
}

bool http::isHeaderValue(QByteArrayView value)
{
    return std::all_of(value.begin(), value.end(),
                       [](char c) { return c == '\t' || (uchar(c) >= 0x20 && uchar(c) != 0x7F); });
}

Error checkMessageHeaders(const MessageHeaders &headers)
{
    static constexpr std::array<QByteArrayView, 2> framing{"content-length", "transfer-encoding"};
    for (auto it = headers.begin(); it != headers.end(); ++it) {
        const auto &name = it->first;
        const auto &value = it->second;
        const QString shown = QString::fromUtf8(name);
        const QString place = QString::number(it - headers.begin() + 1);
        if (name.isEmpty())
            return Error::local(MessageHeadersText::tr("Header %1 has a value but no name.").arg(place),
                                MessageHeadersText::tr("Give it a name, or remove it."));
        if (!http::isToken(name))
            return Error::local(
                MessageHeadersText::tr("“%1” is not a valid header name (header %2).").arg(shown, place),
                MessageHeadersText::tr("Use only letters, digits and !#$%&'*+-.^_`|~, without spaces."));
        if (std::any_of(headers.begin(), it, [&](const auto &other) { return isName(other.first, name); }))
            return Error::local(
                MessageHeadersText::tr("Duplicate header “%1” (header %2).").arg(shown, place),
                MessageHeadersText::tr("Each name is sent once. Combine the values, separated by a comma."));
        if (std::any_of(framing.begin(), framing.end(), [&](QByteArrayView other) { return isName(other, name); }))
            return Error::local(
                MessageHeadersText::tr("The header “%1” cannot be set; Sonde computes it from the message.").arg(shown),
                MessageHeadersText::tr("Remove it; a wrong length would corrupt the next request."));
        if (const Error error = checkValue(shown, value))
            return error;
    }
    return {};
}

bool isIndispensableHeader(QByteArrayView name)
{
    static constexpr std::array<QByteArrayView, 3> names{"host", "connection", "content-length"};
    return std::any_of(names.begin(), names.end(), [name](QByteArrayView other) { return isName(other, name); });
}

void putHeader(MessageHeaders *list, const QByteArray &name, const QByteArray &value)
{
    if (const auto it = find(*list, name); it != list->end())
        *it = {name, value};
    else
        list->append({name, value});
}

MessageHeaders withMessageHeaders(MessageHeaders own, const MessageHeaders &headers)
{
    for (const auto &[name, value] : headers) {
        if (!value.isEmpty())
            putHeader(&own, name, value);
        else if (const auto it = find(own, name); it != own.end() && !isIndispensableHeader(name))
            own.erase(it);
    }
    return own;
}

}  // namespace sonde
