// Why a connection is not there, in the few words that fit into a list.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/error.h"
#include "core/transport/wireevent.h"

#include <QStringList>
#include <optional>

namespace sonde {

// Watches one start of a server from its beginning; the wire events say more precisely than any sentence how it ended.
class DisconnectReason {
public:
    void setLookupFailure(const QString &words) { m_lookup = words; }
    void watch(const WireEvent &event);
    void setHandshakeDone() { m_handshakeDone = true; }

    // An exit before the handshake shows in many ways: a broken pipe, a response that stops. This says what it was.
    Error explained(const Error &error, const QStringList &stderrTail) const;
    // "exited with code 127 during startup", "command not found", "HTTP 404".
    QString shortText(const Error &error) const;

private:
    QString m_lookup;
    bool hasExited() const { return m_exitCode || m_signal != 0; }

    bool m_handshakeDone = false;
    bool m_wasSignalled = false;  // by us: what follows is no news
    std::optional<int> m_exitCode;
    int m_signal = 0;
};

}  // namespace sonde
