// SPDX-License-Identifier: Apache-2.0
#include "app/demo/stdioserver.h"

#include <QCoreApplication>

#include <unistd.h>
#include <cerrno>

using namespace Qt::StringLiterals;

namespace sonde::demo {

StdioServer::StdioServer(const Options &options, const Offer &offer, QObject *parent)
    : QObject(parent),
      m_options(options),
      m_state(options, offer),
      m_session(m_state),
      m_stateless(m_state),
      m_notifier(STDIN_FILENO, QSocketNotifier::Read)
{
    m_notifier.setEnabled(false);
    connect(&m_notifier, &QSocketNotifier::activated, this, &StdioServer::readInput);
    const auto write = [this](const QByteArray &message) {
        writeLine(m_options.has(Fault::JunkOnStdout) ? "DEBUG: about to send a message\n" + message : message);
    };
    connect(&m_session, &Conversation::sent, this, write);
    connect(&m_stateless, &Conversation::sent, this, write);
}

void StdioServer::start()
{
    if (m_options.has(Fault::JunkOnStdout)) {
        writeLine("sonde-demo-server is starting, hello!");
        writeLine(R"({"level":30,"msg":"a JSON log line that is no JSON-RPC"})");
    }
    m_notifier.setEnabled(true);
}

void StdioServer::readInput()
{
    char chunk[65536];
    const ssize_t count = ::read(STDIN_FILENO, chunk, sizeof chunk);
    if (count < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (count <= 0) {
        m_notifier.setEnabled(false);
        if (!m_options.has(Fault::IgnoreSigterm))
            QCoreApplication::quit();
        return;
    }
    qsizetype searched = m_buffer.size();
    m_buffer.append(chunk, count);
    qsizetype from = 0;
    for (qsizetype end; (end = m_buffer.indexOf('\n', searched)) >= 0; searched = from) {
        const QByteArray line = m_buffer.mid(from, end - from).trimmed();
        from = end + 1;
        if (!line.isEmpty())
            receive(line);
    }
    m_buffer.remove(0, from);
}

// Each message says by itself to which era it belongs; only what is cancelled does not.
void StdioServer::receive(const QByteArray &line)
{
    const Era era = m_options.era();
    if (era == Era::Both && json::text(json::member(line, u"method"_s)) == "notifications/cancelled"_L1) {
        m_session.receive(line);
        m_stateless.receive(line);
    } else if (era == Era::Stateless || (era == Era::Both && isStateless(line))) {
        m_stateless.receive(line);
    } else {
        m_session.receive(line);
    }
}

void StdioServer::writeLine(const QByteArray &line)
{
    const QByteArray bytes = line + '\n';
    const char *at = bytes.constData();
    for (qsizetype left = bytes.size(); left > 0;) {
        const ssize_t written = ::write(STDOUT_FILENO, at, size_t(left));
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0) {
            QCoreApplication::quit();  // nobody reads any more
            return;
        }
        at += written;
        left -= written;
    }
}

}  // namespace sonde::demo
