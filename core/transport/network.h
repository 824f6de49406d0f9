// How connections to a server are made: through which proxy, trusting whom, and where they may lead.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/addresspolicy.h"
#include "core/transport/networkoptions.h"

#include <QNetworkProxy>
#include <QSslConfiguration>
#include <QString>
#include <QUrl>
#include <optional>

namespace sonde::http {

// Ready to be used. A value; made on any thread.
struct Network {
    std::optional<QNetworkProxy> proxy;  // none: the system's
    QSslConfiguration tls = QSslConfiguration::defaultConfiguration();
    QByteArray acceptedCertificate;  // 32 bytes, or empty
    AddressPolicy addressPolicy;

    // Reads the files. What cannot be read or is no PEM is an error that names the file.
    static Result<Network> from(const NetworkOptions &options);
};

// None for the system's; or what is wrong with the text.
Result<std::optional<QNetworkProxy>> proxyFromText(const QString &text);
// 32 bytes of hexadecimal text with or without colons and blanks; empty: it is none.
QByteArray fingerprintFromText(const QString &text);
QString fingerprintText(const QByteArray &sha256);  // "AB:CD:…"
QByteArray fingerprintOf(const QSslCertificate &certificate);

// What the system says about a URL. May take long, as some systems run a script for it: not on the GUI thread.
QNetworkProxy systemProxy(const QUrl &url);
// Without asking the system: this computer needs none.
bool isThisComputer(const QUrl &url);

}  // namespace sonde::http
