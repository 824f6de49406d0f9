// SPDX-License-Identifier: Apache-2.0
#include "app/demo/stdioserver.h"

#include <QCoreApplication>

#include <cstdio>

using namespace Qt::StringLiterals;

namespace sonde::demo {

StdioServer::StdioServer(const Options &options, const Offer &offer, QObject *parent)
    : QObject(parent), m_options(options), m_state(options, offer), m_session(m_state), m_stateless(m_state)
{
    connect(&m_input, &app::StandardInput::received, this, [this](const QByteArray &line) {
        if (!line.isEmpty())
            receive(line);
    });
    connect(&m_input, &app::StandardInput::ended, this, [this] {
        if (!m_options.has(Fault::IgnoreSigterm))
            QCoreApplication::quit();
    });
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
    m_input.setEnabled(true);
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
    const bool isWritten = std::fwrite(bytes.constData(), 1, size_t(bytes.size()), stdout) == size_t(bytes.size());
    if (!isWritten || std::fflush(stdout) != 0)
        QCoreApplication::quit();  // nobody reads any more
}

}  // namespace sonde::demo
