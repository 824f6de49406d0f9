// HTTP headers of one message only: what may be asked for, and what comes of it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/error.h"

#include <QByteArray>
#include <QList>

namespace sonde {

// Name and value. A header takes the place of the one that Sonde would send of that name, or goes beside Sonde's own;
// one with an empty value is left out. Unlike a server's headers they may be any that Sonde sets itself.
using MessageHeaders = QList<std::pair<QByteArray, QByteArray>>;

// What goes with one message beside the headers of its transport.
struct OutgoingHeaders {
    MessageHeaders dialect;  // that the revision wants; where messages have no headers, they are left out
    MessageHeaders typed;    // by a person, for this message only
};

namespace http {
bool isToken(QByteArrayView name);         // RFC 9110 section 5.6.2
bool isHeaderValue(QByteArrayView value);  // no CR, LF, NUL or other control but tab
}  // namespace http

// What is wrong with the first that cannot be sent: no token for a name, a control character in a value (RFC 9110
// sections 5.1 and 5.5), a name twice, or a header that says where the body ends. None when all can.
Error checkMessageHeaders(const MessageHeaders &headers);

// Whether HTTP/1.1 needs such a header in every request. It can have another value, but not be left out: then Sonde's
// own goes.
bool isIndispensableHeader(QByteArrayView name);

// In the place of the one of that name, or at the end.
void putHeader(MessageHeaders *list, const QByteArray &name, const QByteArray &value);
MessageHeaders withMessageHeaders(MessageHeaders own, const MessageHeaders &headers);

}  // namespace sonde
