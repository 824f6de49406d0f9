// What the state of a server is called, and the tone of it: in the list, on its page and in its tabs alike.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/theme/theme.h"

namespace sonde {
class Connection;
}

namespace sonde::ui {

struct ServerStatus {
    QString text;  // a fragment: "not started", "stopped", "exited with code 3", "Starting…"
    Tone tone = Tone::NoResponse;
    bool isFailure = false;    // it is not running, or cannot be reached, although nobody stopped it
    QString sentence() const;  // begins with a capital letter
};
// connection: null while it was never started.
ServerStatus statusOf(const Connection *connection);

}  // namespace sonde::ui
