// All that a server offers, the handshake and its four lists, and how it was started.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/connection/connection.h"

#include <array>

namespace sonde {

struct ServerSnapshot {
    using List = Catalog::List;

    QString name;                             // how the person calls it
    json::Value handshake;                    // the result of initialize, or what server/discover says of the same
    QDateTime handshakeAt;                    // UTC
    json::Value environment;                  // see environment.h
    QHash<QString, QByteArray> secretPrints;  // of a live server
    // The entries as a session holds them, with secrets masked, by their names; resources by URI, templates by URI
    // template. In order. In the names a secret stands as ‹kind›.
    std::array<QList<std::pair<QString, json::Value>>, Catalog::Lists.size()> entries;
    std::array<bool, Catalog::Lists.size()> isListed{};  // false: nobody asked, or there was no response

    const QList<std::pair<QString, json::Value>> &of(List list) const { return entries[size_t(list)]; }

    // What the last handshake of a session and the last whole listings after it said. An Error without a handshake.
    // Reads the whole session; one that was opened on another thread may be read there.
    static Result<ServerSnapshot> of(const Session &session);
    // A connected server whose catalog is loaded. Does not read what was recorded since the handshake.
    static ServerSnapshot of(const Connection &connection);
};

}  // namespace sonde
