// The demo server as a child process, spoken to by hand: no code of the client is involved.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QJsonObject>
#include <QProcess>

namespace sonde::test {

class DemoProcess {
public:
    explicit DemoProcess(const QStringList &switches = {});
    ~DemoProcess();

    QProcess &process() { return m_process; }
    void send(const QByteArray &line) { m_process.write(line + '\n'); }
    // The next line of standard output, without its end. Empty when none comes within ten seconds or the process ends.
    QByteArray readLine();
    QJsonObject read();                              // the next line, parsed
    QJsonObject readResponse(const QJsonValue &id);  // skips notifications
    // initialize … initialized; gives the response.
    QJsonObject handshake(const QString &revision, const QByteArray &capabilities = "{}");
    // Sends a request and skips to its response; what comes before is lost.
    QJsonObject request(const QString &method, const QJsonObject &params = {});
    int sendRequest(const QString &method, const QJsonObject &params = {});  // gives the id
    // tools/call with these arguments; gives the response.
    QJsonObject call(const QString &tool, const QByteArray &arguments = "{}");
    int waitForEnd();  // exit code; -1 when it does not end within ten seconds

    static QString program();

private:
    QProcess m_process;
    int m_lastId = 100;
};

}  // namespace sonde::test
