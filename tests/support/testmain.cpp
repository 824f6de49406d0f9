// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testregistry.h"

#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#ifdef SONDE_TEST_GUI
#include <QApplication>
#else
#include <QCoreApplication>
#endif

namespace sonde::test {

QList<Registration> &registry()
{
    static QList<Registration> all;
    return all;
}

Registrar::Registrar(const char *file, std::function<std::unique_ptr<QObject>()> create)
{
    const QByteArray name = QFileInfo(QString::fromUtf8(file)).completeBaseName().toUtf8();
    registry().append({name, std::move(create)});
}

}  // namespace sonde::test

// usage: EXECUTABLE [tst_name [Qt Test arguments]]; without a name every registered class runs.
int main(int argc, char *argv[])
{
    // Nothing a test does may touch the user's own settings, sessions or keychain.
    QTemporaryDir home;
    for (const char *variable : {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"})
        qputenv(variable, home.path().toUtf8());
    qputenv("XDG_RUNTIME_DIR", home.path().toUtf8());
    qputenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=" + home.filePath(QStringLiteral("no-bus")).toUtf8());
    for (const char *variable : {"http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"})
        qunsetenv(variable);
#ifdef SONDE_TEST_GUI
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication app(argc, argv);
#else
    QCoreApplication app(argc, argv);
#endif
    QCoreApplication::setApplicationName(QStringLiteral("sonde-test"));

    QByteArray wanted;
    QStringList arguments = app.arguments();
    if (arguments.size() > 1 && arguments.at(1).startsWith(QLatin1String("tst_")))
        wanted = arguments.takeAt(1).toUtf8();

    int failures = 0;
    int run = 0;
    for (const sonde::test::Registration &entry : std::as_const(sonde::test::registry())) {
        if (!wanted.isEmpty() && entry.name != wanted)
            continue;
        ++run;
        qputenv("SONDE_TEST_NAME", entry.name);
        const std::unique_ptr<QObject> object = entry.create();
        failures += QTest::qExec(object.get(), arguments);
    }
    if (run == 0) {
        qWarning("no test class is called '%s'", wanted.constData());
        return 127;
    }
    return qMin(failures, 125);
}
