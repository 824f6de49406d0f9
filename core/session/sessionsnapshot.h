// A session as it was at one moment, for another thread to read.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

namespace sonde {

class Session;
class SessionData;

// Copies share what was taken. Nothing of it changes while the session goes on or goes away.
class SessionSnapshot {
public:
    SessionSnapshot() = default;  // of nothing
    // On the session's own thread. Of one that still grows it costs the list of rows, 48 bytes each; all else is
    // shared.
    explicit SessionSnapshot(const Session &session);

    bool isNull() const { return !m_data; }
    // The rows that could be shown then, in a session that is over and belongs to the calling thread. Not of nothing.
    std::unique_ptr<Session> open() const;

private:
    std::shared_ptr<const SessionData> m_data;
};

}  // namespace sonde
