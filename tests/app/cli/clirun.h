// One run of the real sonde-cli.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"

#include <QByteArray>
#include <QProcessEnvironment>
#include <QStringList>

namespace sonde::test {

struct CliRun {
    int exitCode = -1;  // -1: it crashed or did not end
    QByteArray out;
    QByteArray err;

    json::Value json() const { return json::parse(out.trimmed()); }
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

}  // namespace sonde::test
