// GNOME Keyring on a D-Bus of its own: processes of the test, which know nothing of the person's own keychain.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QProcess>
#include <QProcessEnvironment>
#include <QTemporaryDir>

namespace sonde::test {

// Whoever is to use it is started with environment().
class PrivateKeychain {
public:
    PrivateKeychain();
    ~PrivateKeychain();

    static QString whyNot();  // empty: the programs are installed
    bool startBus();
    bool startKeyring();  // unlocked; with a bus
    const QString &busAddress() const { return m_address; }
    QProcessEnvironment environment() const { return m_environment; }
    QString path(const QString &name) const { return m_home.filePath(name); }

private:
    QTemporaryDir m_home;
    QProcessEnvironment m_environment;
    QProcess m_bus;
    QProcess m_keyring;
    QString m_address;
};

}  // namespace sonde::test
