// What is known of one start of a server and of the connection that came of it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/connector.h"
#include "core/connection/disconnectreason.h"
#include "core/connection/stdoutjunk.h"
#include "core/server/serverspec.h"

namespace sonde {

// Replaced as a whole by the next start; until then it also tells why there is no connection any more.
struct ServerRun {
    int number = 0;       // in the session
    ServerSpec resolved;  // the description with what is kept in the keychain
    QString target;       // the absolute program with its arguments, or the address; empty: not known yet
    ServerInfo serverInfo;
    QStringList handshakeFindings;
    QString revisionReason;
    qint64 latencyNs = -1;  // of the last ping or handshake
    DisconnectReason disconnectReason;
    StdoutJunk junk;
    Error error;
    Error trouble;
    QString troubleText;   // in few words
    bool hasHeard = true;  // from the server, since a request went out
};

}  // namespace sonde
