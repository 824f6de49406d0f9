// Records until it is killed, and tells each row that it has shown.
// SPDX-License-Identifier: Apache-2.0
#include "core/session/session.h"

#include <unistd.h>
#include <QCoreApplication>
#include <QTimer>
#include <cstdio>

using namespace sonde;

// usage: session-writer FILE
int main(int argc, char *argv[])
{
    QCoreApplication app(argc, argv);
    const std::unique_ptr<Session> session = Session::create(app.arguments().value(1), QStringLiteral("writer"));
    if (session->error())
        return 1;
    QObject::connect(session.get(), &Session::appended, session.get(), [](qsizetype, qsizetype last) {
        char text[32];
        const int length = std::snprintf(text, sizeof text, "%lld\n", static_cast<long long>(last));
        if (::write(STDOUT_FILENO, text, size_t(length)) != length)
            std::_Exit(2);
    });
    qint64 count = 0;
    QTimer timer;
    QObject::connect(&timer, &QTimer::timeout, session.get(), [&] {
        for (int i = 0; i < 1 + count % 40; ++i) {
            ++count;
            WireEvent event;
            event.kind = WireEvent::Kind::Message;
            event.direction = Direction::FromServer;
            event.bytes = R"({"jsonrpc":"2.0","method":"notifications/x","params":{"number":)" +
                          QByteArray::number(count) + R"(,"pad":")" + QByteArray(count % 700, 'p') + R"("}})";
            event.message = Message::parse(event.bytes);
            session->append(event, 1);
        }
    });
    timer.start(0);
    return app.exec();
}
