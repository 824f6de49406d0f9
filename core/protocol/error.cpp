// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/error.h"

#include <QCoreApplication>
#include <QLocale>

namespace sonde {

namespace {

struct ErrorText {
    Q_DECLARE_TR_FUNCTIONS(sonde::Error)
};

}  // namespace

Error Error::outOfMemory(qint64 bytes)
{
    return {Kind::Transport,
            0,
            ErrorText::tr("Out of memory: there is not enough for a message of %1.").arg(QLocale().formattedDataSize(bytes)),
            {},
            ErrorText::tr("Ask the server for less at once, or close other sessions and programs."),
            {}};
}

QString meaningOfErrorCode(int code)
{
    switch (code) {
        case -32700:
            return ErrorText::tr("Parse error: the receiver could not read the message as JSON.");
        case -32600:
            return ErrorText::tr(
                "Invalid request: the message is no JSON-RPC request, or not one that may be sent now.");
        case -32601:
            return ErrorText::tr("Method not found: the receiver does not offer this method.");
        case -32602:
            return ErrorText::tr("Invalid params: the receiver does not accept these parameters.");
        case -32603:
            return ErrorText::tr("Internal error: the receiver failed while it handled the request.");
        case -32002:
            return ErrorText::tr("Resource not found.");
        case errorcodes::UrlElicitationRequired:
            return ErrorText::tr("The server asks for a page to be visited before it answers.");
        case errorcodes::HeaderMismatch:
            return ErrorText::tr(
                "Header mismatch: a server of revision 2026-07-28 or later requires HTTP headers that match the "
                "message.");
        case errorcodes::MissingCapability:
            return ErrorText::tr("The server requires a capability that the client did not declare.");
        case errorcodes::UnsupportedRevision:
            return ErrorText::tr("The server does not speak this revision of the protocol.");
        default:
            break;
    }
    if (code <= -32000 && code >= -32019)
        return ErrorText::tr("An error that this server defines for itself.");
    if (code <= -32023 && code >= -32099)
        return ErrorText::tr("A code that the protocol reserves for later.");
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
