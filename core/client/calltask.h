// The task that a call has become: what is known of it, and what is under way about it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/dialect.h"
#include "core/client/inputround.h"

#include <QTimer>
#include <map>
#include <memory>
#include <optional>

namespace sonde {

// Belongs to its call; Client::Tasks works with it.
class CallTask {
public:
    // Something that the task wants to know. It keeps its place when it is over, so that nobody is asked twice.
    struct Input {
        std::shared_ptr<InputRound> round;
        std::optional<QByteArray> response;  // until the server has taken it
        bool isBeingSent = false;
    };

    TaskState state;
    RequestBody next;  // when the timer is over
    QTimer timer;
    qint64 wakeNs = 0;           // the same by the client's clock
    bool isEndless = false;      // the request that is open ends with the task
    bool isUnreachable = false;  // there is no connection
    int failures = 0;            // of requests about it, one after the other
    std::map<QString, Input> inputs;
    QStringList toldFindings;
};

}  // namespace sonde
