// Part of core in builds with tests: writes down every message that passes, for the check of all that Sonde sends
// (tests/peers/checkmessages.mjs). It does nothing unless SONDE_MESSAGE_LOG names a folder.
// SPDX-License-Identifier: Apache-2.0
#include "core/transport/monotonicclock.h"
#include "core/transport/transport.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>

namespace sonde::test {

namespace {

// Of what comes in, only what says how to read what goes out.
bool isNeeded(const WireEvent &event)
{
    constexpr qsizetype maxLooked = 256 * 1024;
    if (event.direction == Direction::ToServer || event.message.kind() == Message::Kind::Batch)
        return true;
    if (event.message.kind() == Message::Kind::Request)
        return true;
    return event.message.kind() == Message::Kind::Result && event.bytes.size() < maxLooked &&
           (event.bytes.contains("\"protocolVersion\"") || event.bytes.contains("\"inputRequests\""));
}

}  // namespace

// Each entry is a line, then the bytes. The line: direction, number of the transport, length, test, a tab, and why the
// message is exempt. Nothing is kept back, since tests kill the programs that run this.
void logMessage(Transport &transport, const WireEvent &event)
{
    static const QByteArray folder = qgetenv("SONDE_MESSAGE_LOG");
    if (folder.isEmpty() || event.kind != WireEvent::Kind::Message || !isNeeded(event))
        return;
    // A process ID may come again.
    static QFile file(QStringLiteral("%1/%2-%3.log")
                          .arg(QString::fromLocal8Bit(folder))
                          .arg(QCoreApplication::applicationPid())
                          .arg(monotonicNs()));
    if (!file.isOpen()) {
        QDir().mkpath(QString::fromLocal8Bit(folder));
        if (!file.open(QIODevice::WriteOnly | QIODevice::Unbuffered))
            qFatal("%s cannot be written", qUtf8Printable(file.fileName()));
    }
    static int transports = 0;
    constexpr const char *numberProperty = "messageLogNumber";
    if (!transport.property(numberProperty).isValid())
        transport.setProperty(numberProperty, ++transports);
    const QByteArray line = QByteArray(event.direction == Direction::ToServer ? "out " : "in ") +
                            transport.property(numberProperty).toByteArray() + ' ' +
                            QByteArray::number(event.bytes.size()) + ' ' + qgetenv("SONDE_TEST_NAME") + '\t' +
                            qgetenv("SONDE_SENDS_WRONG_MESSAGES") + '\n';
    file.write(line + event.bytes + '\n');
}

}  // namespace sonde::test
