// What carried a message: its HTTP exchange, and the opening of its connection.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/session/session.h"

namespace sonde {

// Rows of the session; -1: none, or too far away to be looked for.
struct HttpExchangeRows {
    qsizetype request = -1;
    qsizetype response = -1;
};
// Of a message, or of a request or response itself. Nothing for what did not come over HTTP.
HttpExchangeRows httpExchangeOf(const Session &session, qsizetype row);

// The exchanges with these numbers, each the last of its number.
QList<HttpExchangeRows> httpExchangesOf(const Session &session, const QList<int> &streams);

// What was recorded of the HTTP request that carried the message; empty where there is none.
QByteArray requestFactsOf(const Session &session, qsizetype row);

// The same for the first request of the connection that the row belongs to: with the headers that all of its requests
// have, and none that was typed for one message.
QByteArray openingRequestFactsOf(const Session &session, qsizetype row);

// Of the connection that the row belongs to: how it was opened, a JSON object; empty where that is not recorded.
QByteArray openingFactsOf(const Session &session, qsizetype row);

}  // namespace sonde
