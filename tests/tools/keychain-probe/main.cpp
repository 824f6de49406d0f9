// keychain-probe: reads, writes and removes one entry of the keychain. See ../README.md.
// SPDX-License-Identifier: Apache-2.0
#include "core/secrets/keychain.h"

#include <QCoreApplication>
#include <cstdio>

using namespace Qt::StringLiterals;
using namespace sonde;

// usage: keychain-probe MILLISECONDS read|write|remove NAME [VALUE]
int main(int argc, char *argv[])
{
    QCoreApplication app(argc, argv);
    const QStringList arguments = app.arguments();
    if (arguments.size() < 4)
        return 2;
    Keychain keychain(u"sonde-test"_s, std::chrono::milliseconds(arguments.at(1).toInt()));
    const QString verb = arguments.at(2);
    const QString name = arguments.at(3);
    const auto say = [&app](const QString &text) {
        std::puts(text.toUtf8().constData());
        QMetaObject::invokeMethod(&app, &QCoreApplication::quit, Qt::QueuedConnection);
    };
    const auto saw = [say](const Error &error) {
        say(error ? u"error: %1 (%2) %3"_s.arg(error.message, error.detail, error.hint) : u"done"_s);
    };
    if (verb == u"read")
        keychain.read(name, &app, [say, saw](const Result<SecretStore::Value> &value) {
            if (!value)
                saw(value.error());
            else
                say(*value ? u"value: "_s + QString::fromUtf8((*value)->toHex()) : u"none"_s);
        });
    else if (verb == u"write")
        keychain.write(name, QByteArray::fromHex(arguments.value(4).toLatin1()), &app, saw);
    else
        keychain.remove(name, &app, saw);
    return app.exec();
}
