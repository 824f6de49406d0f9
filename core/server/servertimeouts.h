// How long to wait for one server. In its entry of servers.json: "timeouts", an object of seconds.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <chrono>
#include <optional>
#include <span>

namespace sonde {

// None: as for all servers.
struct ServerTimeouts {
    using Timeout = std::optional<std::chrono::milliseconds>;

    Timeout request = {};     // of a request, without response or progress; 0: none
    Timeout total = {};       // of a request, whatever the progress; 0: none
    Timeout connection = {};  // for opening the connection, and for each request of the handshake

    bool operator==(const ServerTimeouts &) const = default;

    struct Member {
        QStringView name;
        Timeout ServerTimeouts::*place;
        std::chrono::seconds min;
        std::chrono::seconds max;

        Timeout fromSeconds(double seconds) const;  // none: it is not within these bounds
    };
    static std::span<const Member> members();
    void take(const ServerTimeouts &other);  // what is given there

    static QString text(std::chrono::milliseconds timeout);  // for people: "60 s", "no limit"
    QString summary() const;                                 // for people, of those that are set; empty: none is
};

}  // namespace sonde
