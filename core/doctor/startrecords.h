// What a session holds of the last start of its server.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"

#include <QByteArray>

namespace sonde {

class Session;

struct StartRecords {
    static constexpr qsizetype MaxBytes = 4096;  // of a body or a line

    json::Value exit;      // facts, of the process
    json::Value response;  // facts, of the server's last HTTP response
    QByteArray body;       // of it, where it was no message
    qint64 messages = 0;   // from the server
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
