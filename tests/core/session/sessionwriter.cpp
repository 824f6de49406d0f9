// Records until it is killed, and tells each row that it has shown.
// SPDX-License-Identifier: Apache-2.0
#include "core/files/fileops.h"
#include "tests/support/writtensession.h"

#include <unistd.h>
#include <QCoreApplication>
#include <QTimer>
#include <csignal>
#include <cstdio>

using namespace sonde;

namespace {

// Kills its process in the middle of a write.
class DeadlyCalls : public FileOps {
public:
    DeadlyCalls(int deadlyWrite, int percent) : m_deadlyWrite(deadlyWrite), m_percent(percent) {}

    qint64 write(int descriptor, const void *data, size_t size) override
    {
        if (++m_writes != m_deadlyWrite)
            return FileOps::write(descriptor, data, size);
        FileOps::write(descriptor, data, size * size_t(m_percent) / 100);
        std::raise(SIGKILL);
        return -1;
    }

private:
    int m_deadlyWrite;
    int m_percent;
    int m_writes = 0;
};

}  // namespace

// usage: session-writer FILE [WRITE PERCENT]
// WRITE: the number of the write, from 1, of which only so much reaches the file before this process dies.
int main(int argc, char *argv[])
{
    QCoreApplication app(argc, argv);
    const QStringList arguments = app.arguments();
    std::shared_ptr<FileOps> calls;
    if (arguments.size() == 4)
        calls = std::make_shared<DeadlyCalls>(arguments.at(2).toInt(), arguments.at(3).toInt());
    const std::unique_ptr<Session> session = Session::create(arguments.value(1), QStringLiteral("writer"), calls);
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
            WireEvent event;
            event.kind = WireEvent::Kind::Message;
            event.direction = Direction::FromServer;
            event.bytes = test::writtenMessage(count++);
            event.message = Message::parse(event.bytes);
            session->append(event, 1);
        }
    });
    timer.start(0);
    return app.exec();
}
