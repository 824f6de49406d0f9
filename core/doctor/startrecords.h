// What a session holds of the last start of its server.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/eventfacts.h"

#include <QByteArray>

namespace sonde {

class Session;

struct StartRecords {
    static constexpr qsizetype MaxBytes = 4096;  // of a body or a line

    std::optional<EventFacts> exit;      // of the process
    std::optional<EventFacts> response;  // the server's last over HTTP
    QByteArray body;                     // of it, where it was no message
    qint64 messages = 0;                 // from the server
    qint64 errorLines = 0;
    qint64 junkLines = 0;
    QByteArray firstJunk;
    // On standard error: the first line that names an error, or the last line where none does.
    QByteArray reasonLine;
    bool namesError = false;  // reasonLine does

    // Of a start that asked twice, the last attempt.
    static StartRecords in(Session &session);
};

}  // namespace sonde
