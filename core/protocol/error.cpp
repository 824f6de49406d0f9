// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/error.h"

#include "core/protocol/texts.h"

#include <QLocale>

namespace sonde {

Error Error::outOfMemory(qint64 bytes)
{
    return {Kind::Transport,
            0,
            ProtocolText::tr("Out of memory for a message of %1.").arg(QLocale().formattedDataSize(bytes)),
            {},
            ProtocolText::tr("Request less data at once, or close other sessions and programs."),
            {}};
}

QString meaningOfErrorCode(int code)
{
    switch (code) {
        case -32700:
            return ProtocolText::tr("Parse error: the receiver could not read the message as JSON.");
        case -32600:
            return ProtocolText::tr(
                "Invalid request: the message is not a valid JSON-RPC request, or not allowed now.");
        case -32601:
            return ProtocolText::tr("Method not found: the receiver does not implement this method.");
        case -32602:
            return ProtocolText::tr("Invalid params: the receiver rejected the parameters.");
        case -32603:
            return ProtocolText::tr("Internal error: the receiver failed while handling the request.");
        case -32002:
            return ProtocolText::tr("Resource not found.");
        case errorcodes::UrlElicitationRequired:
            return ProtocolText::tr("URL elicitation required: the server requires the user to open a URL first.");
        case errorcodes::HeaderMismatch:
            return ProtocolText::tr(
                "Header mismatch: a server of revision 2026-07-28 or later requires HTTP headers that match the "
                "message.");
        case errorcodes::MissingCapability:
            return ProtocolText::tr("The server requires a capability that the client did not declare.");
        case errorcodes::UnsupportedRevision:
            return ProtocolText::tr("Unsupported protocol revision.");
        default:
            break;
    }
    if (code <= -32000 && code >= -32019)
        return ProtocolText::tr("Server-defined error.");
    if (code <= -32023 && code >= -32099)
        return ProtocolText::tr("Reserved error code.");
    return {};
}

QString toString(Error::Kind kind)
{
    switch (kind) {
        case Error::Kind::None:
            return QStringLiteral("none");
        case Error::Kind::Remote:
            return QStringLiteral("remote");
        case Error::Kind::Protocol:
            return QStringLiteral("protocol");
        case Error::Kind::Transport:
            return QStringLiteral("transport");
        case Error::Kind::Auth:
            return QStringLiteral("auth");
        case Error::Kind::Cancelled:
            return QStringLiteral("cancelled");
        case Error::Kind::Timeout:
            return QStringLiteral("timeout");
        case Error::Kind::Local:
            return QStringLiteral("local");
    }
    return {};
}

}  // namespace sonde
