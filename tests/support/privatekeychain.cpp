// SPDX-License-Identifier: Apache-2.0
#include "tests/support/privatekeychain.h"

#include "tests/support/testregistry.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QStandardPaths>
#include <QTest>

using namespace Qt::StringLiterals;

namespace sonde::test {

PrivateKeychain::PrivateKeychain() : m_environment(QProcessEnvironment::systemEnvironment())
{
    for (const QString &name :
         {u"HOME"_s, u"XDG_DATA_HOME"_s, u"XDG_CONFIG_HOME"_s, u"XDG_CACHE_HOME"_s, u"XDG_RUNTIME_DIR"_s})
        m_environment.insert(name, m_home.path());
    m_environment.remove(u"DISPLAY"_s);
    m_environment.remove(u"WAYLAND_DISPLAY"_s);
    m_environment.insert(u"DBUS_SESSION_BUS_ADDRESS"_s, u"unix:path="_s + path(u"no-bus"_s));
}

PrivateKeychain::~PrivateKeychain()
{
    for (QProcess *process : {&m_keyring, &m_bus}) {
        process->kill();
        process->waitForFinished();
    }
}

QString PrivateKeychain::whyNot()
{
    for (const QString &program : {u"dbus-daemon"_s, u"gnome-keyring-daemon"_s}) {
        if (QStandardPaths::findExecutable(program).isEmpty())
            return program + u" is not installed"_s;
    }
    return {};
}

bool PrivateKeychain::startBus()
{
    if (m_bus.state() == QProcess::Running)
        return true;
    m_bus.setProcessEnvironment(m_environment);
    m_bus.start(u"dbus-daemon"_s, {u"--session"_s, u"--nofork"_s, u"--print-address"_s, u"--nopidfile"_s,
                                   u"--address=unix:path="_s + path(u"bus"_s)});
    if (!QTest::qWaitFor([this] { return m_bus.canReadLine(); }, Patience))
        return false;
    m_address = QString::fromUtf8(m_bus.readLine().trimmed());
    m_environment.insert(u"DBUS_SESSION_BUS_ADDRESS"_s, m_address);
    return true;
}

bool PrivateKeychain::startKeyring()
{
    if (!startBus())
        return false;
    m_keyring.setProcessEnvironment(m_environment);
    m_keyring.start(u"gnome-keyring-daemon"_s, {u"--foreground"_s, u"--unlock"_s, u"--components=secrets"_s});
    m_keyring.write("a password\n");
    m_keyring.closeWriteChannel();
    const QString watch = u"watch"_s;
    bool isThere = false;
    {
        const QDBusConnection bus = QDBusConnection::connectToBus(m_address, watch);
        QDBusMessage ask = QDBusMessage::createMethodCall(u"org.freedesktop.DBus"_s, u"/org/freedesktop/DBus"_s,
                                                          u"org.freedesktop.DBus"_s, u"NameHasOwner"_s);
        ask << u"org.freedesktop.secrets"_s;
        isThere = QTest::qWaitFor([&] { return bus.call(ask).arguments().value(0).toBool(); }, Patience);
    }
    QDBusConnection::disconnectFromBus(watch);
    return isThere;
}

}  // namespace sonde::test
