// The keychain of the system, by QtKeychain: Secret Service or KWallet, the Keychain of macOS, the Credential Manager.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/secrets/secretstore.h"

#include <chrono>

namespace sonde {

// A keychain that is locked may ask the person, which takes as long as it takes: after `patience` the call ends with an
// Error, and what the keychain says later counts no more. Where there is no keychain that is an Error too.
class Keychain final : public SecretStore {
public:
    // service: what the entries are filed under.
    explicit Keychain(const QString &service = QStringLiteral("sonde"),
                      std::chrono::milliseconds patience = std::chrono::seconds(30));

    void read(const QString &name, QObject *context, const ReadDone &done) override;
    void write(const QString &name, const QByteArray &value, QObject *context, const Done &done) override;
    void remove(const QString &name, QObject *context, const Done &done) override;

private:
    QString m_service;
    std::chrono::milliseconds m_patience;
};

}  // namespace sonde
