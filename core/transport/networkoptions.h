// What a person says of the network on the way to a server.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QString>
#include <QStringList>
#include <utility>

namespace sonde::http {

// Empty: as the system has it.
struct NetworkOptions {
    QString proxy;              // "system", "none", http://[USER:PASSWORD@]HOST:PORT or socks5://…
    QString caFile;             // PEM: certificate authorities to be trusted beside the system's
    QString clientCertificate;  // PEM file: the certificate, then those that lead to its authority
    QString clientKey;          // PEM file; empty: in that of the certificate
    // SHA-256 in hexadecimal digits of the one certificate that is accepted in spite of errors.
    QString acceptedCertificate;
    // On this computer or a private network, where this server may lead although it is a public one; see AddressPolicy.
    QStringList allowedHosts;

    bool operator==(const NetworkOptions &) const = default;
    // All that are one string, by name.
    using Member = QString NetworkOptions::*;
    static const QList<std::pair<QString, Member>> &members();
    void take(const NetworkOptions &other);  // what is given there
};

}  // namespace sonde::http
