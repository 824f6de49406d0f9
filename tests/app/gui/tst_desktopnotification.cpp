// Notifications on a real bus, with a service like that of a desktop at the other end.
// SPDX-License-Identifier: Apache-2.0
#include "app/gui/desktopnotification.h"
#include "tests/support/testregistry.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QProcess>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTest>
#include <QVariantMap>

using namespace Qt::StringLiterals;

class FakeNotifications : public QObject {
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.Notifications")
public:
    struct Shown {
        QString program;
        uint replaces;
        QString title;
        QString text;
        QStringList actions;
    };
    QList<Shown> shown;
    QList<uint> closed;

public Q_SLOTS:
    uint Notify(const QString &program, uint replaces, const QString &, const QString &title, const QString &text,
                const QStringList &actions, const QVariantMap &, int)
    {
        shown.append({program, replaces, title, text, actions});
        return replaces != 0 ? replaces : uint(shown.size());
    }
    void CloseNotification(uint id) { closed.append(id); }

Q_SIGNALS:
    void ActionInvoked(uint id, const QString &action);
    void NotificationClosed(uint id, uint reason);
};

// At Sonde's end of the bus: what comes here last has been preceded by everything that the desktop sent before it.
class LastSignal : public QObject {
    Q_OBJECT
public:
    uint number = 0;

public Q_SLOTS:
    void onClosed(uint id, uint) { number = id; }
};

class TestDesktopNotification : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        const QString daemon = QStandardPaths::findExecutable(u"dbus-daemon"_s);
        if (daemon.isEmpty())
            QSKIP("there is no dbus-daemon here");
        m_daemon.start(daemon, {u"--session"_s, u"--nofork"_s, u"--print-address"_s});
        QVERIFY(m_daemon.waitForStarted());
        QTRY_VERIFY(m_daemon.canReadLine());
        const QString address = QString::fromUtf8(m_daemon.readLine()).trimmed();
        QDBusConnection desktop = QDBusConnection::connectToBus(address, u"desktop"_s);
        QVERIFY2(desktop.isConnected(), qPrintable(address));
        QVERIFY(desktop.registerService(u"org.freedesktop.Notifications"_s));
        QVERIFY(desktop.registerObject(u"/org/freedesktop/Notifications"_s, &m_service,
                                       QDBusConnection::ExportAllSlots | QDBusConnection::ExportAllSignals));
        QDBusConnection own = QDBusConnection::connectToBus(address, Bus);
        QVERIFY(own.isConnected());
        QVERIFY(own.connect(u"org.freedesktop.Notifications"_s, u"/org/freedesktop/Notifications"_s,
                            u"org.freedesktop.Notifications"_s, u"NotificationClosed"_s, &m_last,
                            SLOT(onClosed(uint, uint))));
    }
    void init()
    {
        m_service.shown.clear();
        m_service.closed.clear();
    }
    void cleanupTestCase()
    {
        QDBusConnection::disconnectFromBus(Bus);
        QDBusConnection::disconnectFromBus(u"desktop"_s);
        m_daemon.terminate();
        QVERIFY(m_daemon.state() == QProcess::NotRunning || m_daemon.waitForFinished(sonde::test::Patience));
    }

    void whatIsShownIsNoMarkup()
    {
        sonde::app::DesktopNotification notification(nullptr, Bus);
        notification.show(u"<b>everything</b> is waiting"_s, u"a < b & c"_s);
        QTRY_COMPARE(m_service.shown.size(), 1);
        QCOMPARE(m_service.shown.first().program, u"Sonde"_s);
        QCOMPARE(m_service.shown.first().title, u"<b>everything</b> is waiting"_s);
        QCOMPARE(m_service.shown.first().text, u"a &lt; b &amp; c"_s);
        QCOMPARE(m_service.shown.first().actions.value(0), u"default"_s);
    }

    void theNextOneReplacesIt()
    {
        sonde::app::DesktopNotification notification(nullptr, Bus);
        notification.show(u"one"_s, {});
        QTRY_COMPARE(m_service.shown.size(), 1);
        QVERIFY(everythingHasArrived());
        notification.show(u"two"_s, {});
        QTRY_COMPARE(m_service.shown.size(), 2);
        QCOMPARE(m_service.shown.last().replaces, 1U);
    }

    void itIsClosedEvenBeforeItsNumberIsKnown()
    {
        sonde::app::DesktopNotification notification(nullptr, Bus);
        notification.show(u"one"_s, {});
        notification.close();
        QTRY_COMPARE(m_service.closed, QList<uint>{1U});
        QCOMPARE(m_service.shown.size(), 1);
        notification.close();  // there is none any more
        notification.show(u"two"_s, {});
        QTRY_COMPARE(m_service.shown.size(), 2);
        QCOMPARE(m_service.shown.last().replaces, 0U);
        QCOMPARE(m_service.closed.size(), 1);
    }

    void clicksOfOthersAreNotOurs()
    {
        sonde::app::DesktopNotification notification(nullptr, Bus);
        const QSignalSpy clicked(&notification, &sonde::app::DesktopNotification::clicked);
        notification.show(u"one"_s, {});
        QTRY_COMPARE(m_service.shown.size(), 1);
        QVERIFY(everythingHasArrived());
        Q_EMIT m_service.ActionInvoked(77, u"default"_s);
        QVERIFY(everythingHasArrived());
        QCOMPARE(clicked.size(), 0);
        Q_EMIT m_service.ActionInvoked(1, u"default"_s);
        QVERIFY(everythingHasArrived());
        QCOMPARE(clicked.size(), 1);
    }

    void withoutABusNothingHappens()
    {
        sonde::app::DesktopNotification notification(nullptr, u"there is no such bus"_s);
        notification.show(u"one"_s, u"two"_s);
        notification.close();
    }

private:
    bool everythingHasArrived()
    {
        const uint number = m_last.number + 1;
        Q_EMIT m_service.NotificationClosed(number, 0);
        return QTest::qWaitFor([&] { return m_last.number == number; }, sonde::test::Patience);
    }

    const QString Bus = u"sonde"_s;
    QProcess m_daemon;
    FakeNotifications m_service;
    LastSignal m_last;
};

SONDE_TEST(TestDesktopNotification)
#include "tst_desktopnotification.moc"
