// One run of the real sonde-cli.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"

#include <QByteArray>
#include <QProcess>
#include <QProcessEnvironment>
#include <QStringList>

namespace sonde::test {

struct CliRun {
    int exitCode = -1;  // -1: it crashed or did not end
    QByteArray out;
    QByteArray err;

    json::Value json() const { return json::parse(out.trimmed()); }
    json::Value result() const { return json()[u"result"]; }
    // The text of the finding of that number in the envelope.
    QString finding(qsizetype index = 0) const { return json()[u"findings"].at(index)[u"text"].string(); }
    QList<json::Value> jsonLines() const;
    QByteArray describe() const { return "exit " + QByteArray::number(exitCode) + "\n--\n" + out + "\n--\n" + err; }
};

QString cliProgram();
QString demoProgram();
// Ends within a minute or is killed. What stands behind "--" is a server of 2025-11-25, unless --revision says
// otherwise.
CliRun runCli(const QStringList &arguments, const QByteArray &input = {}, const QString &folder = {},
              const QProcessEnvironment &environment = QProcessEnvironment::systemEnvironment());
// arguments, then "-- sonde-demo-server switches".
CliRun askDemo(const QStringList &arguments, const QStringList &switches = {}, const QByteArray &input = {});

// The demo server over HTTP, at a free port.
class HttpDemo {
public:
    ~HttpDemo() { stop(); }
    // Its URL; empty: it did not start.
    QString start(const QStringList &switches = {QStringLiteral("--http"), QStringLiteral("0")});
    void stop();

private:
    QProcess m_process;
};

// The first words of the rows between two headings of the overview.
QStringList namesInHelp(const QString &overview, const QString &begin, const QString &end);
QStringList verbsOfHelp();

}  // namespace sonde::test
