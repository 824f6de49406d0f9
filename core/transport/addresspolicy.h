// Which addresses a request may be led to.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/error.h"

#include <QHostAddress>
#include <QStringList>

namespace sonde::http {

// From far to near. What is nearer may be led to only by what is as near.
enum class AddressScope {
    Public,
    Private,    // a network of a house or a company, of a provider (CGNAT), or IPv6 unique local
    LinkLocal,  // cloud metadata is there, too
    Loopback,   // this computer, also as 0.0.0.0
    Reserved    // multicast, broadcast, documentation and the like: nothing that a server could have
};

// Of an IPv4 address within an IPv6 address (mapped, compatible, 6to4, NAT64, Teredo, ISATAP), that of the IPv4
// address.
AddressScope scopeOf(const QHostAddress &address);

// What a person has named may be anywhere. What a server or its metadata names may not be nearer than that server is,
// unless the person has allowed that host.
struct AddressPolicy {
    bool isLed = false;        // by a server, rather than being named by the person
    QHostAddress from;         // of that server, as it was connected to; null, not known: taken for public
    QStringList allowedHosts;  // in spite of that

    bool allows(const QString &host) const;  // without regard to case and a dot at its end
    // None when a connection may be made. host: as it was named; address: that would be connected to.
    Error check(const QString &host, const QHostAddress &address) const;
    // For a connection through a proxy, which resolves names itself: as far as the host tells where it is.
    Error checkName(const QString &host) const;
};

}  // namespace sonde::http
