// The desktop turns dark, and bright again, while Sonde is open: a settings portal like a desktop's, on a real bus.
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/gui/testwindow.h"
#include "tests/support/contrast.h"
#include "tests/support/testregistry.h"
#include "ui/theme/theme.h"

#include <QDBusConnection>
#include <QDBusMetaType>
#include <QDBusVariant>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QProcess>
#include <QStandardPaths>
#include <QVariantMap>
#include <algorithm>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::Patience;
using sonde::test::TestWindow;

class FakePortal : public QObject {
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.portal.Settings")
public:
    void set(const QString &settings, const QString &key, const QVariant &value)
    {
        m_settings[settings][key] = value;
        Q_EMIT SettingChanged(settings, key, QDBusVariant(value));
    }

public Q_SLOTS:
    QMap<QString, QVariantMap> ReadAll(const QStringList &) { return m_settings; }

Q_SIGNALS:
    void SettingChanged(const QString &settings, const QString &key, const QDBusVariant &value);

private:
    QMap<QString, QVariantMap> m_settings;
};

namespace {

constexpr int MaxForeign = 100;  // 1 of so many pixels may have a colour of the other theme's background

// What does not have the colours of the theme: empty if everything has. Qt tells the application of a new palette
// before its windows, so it is waited for.
QString strangers(QWidget *window, const ui::Colors &other)
{
    const QColor around = ui::colors().window;
    for (const QLabel *label : window->findChildren<QLabel *>()) {
        const QColor text = label->palette().color(label->foregroundRole());
        if (label->isVisible() && label->isEnabled() && !label->text().isEmpty() &&
            test::contrastOf(text, around) < test::TextContrast)
            return u"%1 %2 is %3 on %4"_s.arg(label->objectName(), label->text(), text.name(), around.name());
    }
    const QImage image = window->grab().toImage().convertToFormat(QImage::Format_RGB32);
    const QList<QRgb> backgrounds{other.window.rgb(), other.panel.rgb(), other.field.rgb()};
    qsizetype foreign = 0;
    for (int y = 0; y < image.height(); ++y) {
        const auto *line = reinterpret_cast<const QRgb *>(image.constScanLine(y));
        foreign += std::count_if(line, line + image.width(), [&](QRgb pixel) { return backgrounds.contains(pixel); });
    }
    if (foreign * MaxForeign > qsizetype(image.width()) * image.height())
        return u"%1 pixels of %2 have a background of the other theme"_s.arg(foreign).arg(window->objectName());
    return {};
}

}  // namespace

class TestDesktopSettings : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        TestWindow::clear();
        const QString daemon = QStandardPaths::findExecutable(u"dbus-daemon"_s);
        if (daemon.isEmpty())
            QSKIP("there is no dbus-daemon here");
        m_daemon.start(daemon, {u"--session"_s, u"--nofork"_s, u"--print-address"_s});
        QVERIFY(m_daemon.waitForStarted());
        QTRY_VERIFY(m_daemon.canReadLine());
        m_address = QString::fromUtf8(m_daemon.readLine()).trimmed();
        qDBusRegisterMetaType<QMap<QString, QVariantMap>>();
        QDBusConnection desktop = QDBusConnection::connectToBus(m_address, u"desktop"_s);
        QVERIFY(desktop.registerObject(u"/org/freedesktop/portal/desktop"_s, &m_portal,
                                       QDBusConnection::ExportAllSlots | QDBusConnection::ExportAllSignals));
        QVERIFY(desktop.registerService(u"org.freedesktop.portal.Desktop"_s));
    }
    void cleanupTestCase()
    {
        QDBusConnection::disconnectFromBus(u"sonde"_s);
        QDBusConnection::disconnectFromBus(u"desktop"_s);
        m_daemon.terminate();
        QVERIFY(m_daemon.state() == QProcess::NotRunning || m_daemon.waitForFinished(Patience));
    }

    // Tabs and dialogs that are open change with it, and keep what was typed.
    void everythingFollows()
    {
        TestWindow desk;
        desk.theme().setMode(ui::ThemeController::Mode::System);
        desk.theme().followDesktop(QDBusConnection::connectToBus(m_address, u"sonde"_s));
        QVERIFY(desk.openDemo());
        QVERIFY(desk.enter(u"/a"_s, u"1"_s));
        QVERIFY(desk.enter(u"/b"_s, u"2"_s));
        QVERIFY(desk.call(u"✓ OK"_s));
        QVERIFY(desk.enter(u"/b"_s, u"no number"_s));
        const QPointer<QWidget> focus = QApplication::focusWidget();
        const QByteArray typed = desk.panel()->arguments();
        const ui::Colors light = ui::colors();

        set(u"color-scheme"_s, 1U);
        QTRY_VERIFY(ui::isDark());
        const ui::Colors dark = ui::colors();
        QTRY_COMPARE(strangers(&desk.window(), light), QString());
        QCOMPARE(desk.panel()->arguments(), typed);
        QCOMPARE(QApplication::focusWidget(), focus);
        QCOMPARE(desk.badge(), u"✓ OK"_s);

        test::WhenDialog dialog([&](QDialog *shown) {
            auto *command = shown->findChild<QLineEdit *>(u"serverCommand"_s);
            QTest::keyClicks(command, u"a-program --typed"_s);
            QTRY_COMPARE(strangers(shown, light), QString());
            set(u"color-scheme"_s, 0U);  // no preference: as it was
            QTRY_VERIFY(!ui::isDark());
            QTRY_COMPARE(strangers(shown, dark), QString());
            QTRY_COMPARE(strangers(&desk.window(), dark), QString());
            QCOMPARE(command->text(), u"a-program --typed"_s);
            QVERIFY(command->hasFocus());
            shown->reject();
        });
        desk.servers().askForServer();
        QVERIFY(dialog.hasRun());

        set(u"contrast"_s, 1U);
        QTRY_COMPARE(ui::colors().window, QColor(Qt::black));
        ui::Colors bright = light;
        bright.panel = bright.window;  // white, as texts are now
        QTRY_COMPARE(strangers(&desk.window(), bright), QString());
        set(u"contrast"_s, 0U);
        QTRY_COMPARE(ui::colors().window, light.window);
        const bool usual = ui::reducesMotion();
        set(u"reduced-motion"_s, 1U);
        QTRY_VERIFY(ui::reducesMotion());
        set(u"reduced-motion"_s, 0U);
        QTRY_COMPARE(ui::reducesMotion(), usual);
        QCOMPARE(desk.panel()->arguments(), typed);

        // A theme that was chosen stays.
        desk.theme().setMode(ui::ThemeController::Mode::Light);
        set(u"color-scheme"_s, 1U);
        set(u"reduced-motion"_s, 1U);
        QTRY_VERIFY(ui::reducesMotion());  // told at the same time
        QVERIFY(!ui::isDark());
        QVERIFY(desk.close());
    }

private:
    void set(const QString &key, uint value) { m_portal.set(u"org.freedesktop.appearance"_s, key, value); }

    QProcess m_daemon;
    QString m_address;
    FakePortal m_portal;
};

SONDE_TEST(TestDesktopSettings)
#include "tst_desktopsettings.moc"
