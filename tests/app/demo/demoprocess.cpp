// SPDX-License-Identifier: Apache-2.0
#include "tests/app/demo/demoprocess.h"

#include "tests/support/programs.h"
#include "tests/support/testregistry.h"

#include <QDeadlineTimer>
#include <QJsonDocument>

using namespace Qt::StringLiterals;

namespace sonde::test {

DemoProcess::DemoProcess(const QStringList &switches)
{
    m_process.start(program(), switches);
    m_process.waitForStarted();
}

DemoProcess::~DemoProcess()
{
    m_process.kill();
    m_process.waitForFinished();
}

QString DemoProcess::program()
{
    return test::builtProgram(QStringLiteral("sonde-demo-server"));
}

QByteArray DemoProcess::readLine()
{
    QDeadlineTimer deadline(Patience);
    while (!m_process.canReadLine() && !deadline.hasExpired()) {
        if (!m_process.waitForReadyRead(int(deadline.remainingTime())) && m_process.state() == QProcess::NotRunning)
            break;
    }
    QByteArray line = m_process.readLine();
    if (line.endsWith('\n'))
        line.chop(1);
    return line;
}

QJsonObject DemoProcess::read()
{
    return QJsonDocument::fromJson(readLine()).object();
}

QJsonObject DemoProcess::readResponse(const QJsonValue &id)
{
    while (true) {
        const QByteArray line = readLine();
        const QJsonObject message = QJsonDocument::fromJson(line).object();
        if (line.isEmpty() || (message.value("id"_L1) == id && !message.contains("method"_L1)))
            return message;
    }
}

QJsonObject DemoProcess::handshake(const QString &revision, const QByteArray &capabilities)
{
    send(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":")" + revision.toUtf8() +
         R"(","capabilities":)" + capabilities + R"(,"clientInfo":{"name":"by hand","version":"1"}}})");
    const QJsonObject response = readResponse(1);
    send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    return response;
}

int DemoProcess::sendRequest(const QString &method, const QJsonObject &params)
{
    const int id = ++m_lastId;
    const QJsonObject message{{"jsonrpc"_L1, "2.0"_L1}, {"id"_L1, id}, {"method"_L1, method}, {"params"_L1, params}};
    send(QJsonDocument(message).toJson(QJsonDocument::Compact));
    return id;
}

QJsonObject DemoProcess::request(const QString &method, const QJsonObject &params)
{
    return readResponse(sendRequest(method, params));
}

QJsonObject DemoProcess::call(const QString &tool, const QByteArray &arguments)
{
    const int id = ++m_lastId;
    send(R"({"jsonrpc":"2.0","id":)" + QByteArray::number(id) + R"(,"method":"tools/call","params":{"name":")" +
         tool.toUtf8() + R"(","arguments":)" + arguments + "}}");
    return readResponse(id);
}

int DemoProcess::waitForEnd()
{
    if (m_process.state() != QProcess::NotRunning && !m_process.waitForFinished(Patience))
        return -1;
    return m_process.exitCode();
}

}  // namespace sonde::test
