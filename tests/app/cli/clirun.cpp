// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli/clirun.h"
#include "tests/support/programs.h"
#include "tests/support/testregistry.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace sonde::test {

QString cliProgram()
{
    return test::builtProgram(QStringLiteral("sonde-cli"));
}

QString demoProgram()
{
    return test::builtProgram(QStringLiteral("sonde-demo-server"));
}

QList<json::Value> CliRun::jsonLines() const
{
    QList<json::Value> values;
    for (const QByteArray &line : out.split('\n')) {
        if (!line.isEmpty())
            values.append(json::parse(line));
    }
    return values;
}

// Scripted servers count the messages that they get, so they are not asked which era they speak.
static QStringList withRevision(QStringList arguments)
{
    const qsizetype server = arguments.indexOf(u"--"_s);
    const qsizetype revision = arguments.indexOf(u"--revision"_s);
    const bool isDiff = arguments.value(0) == "diff"_L1;  // its servers stand in quotes
    if ((server >= 0 || isDiff) && (revision < 0 || (server >= 0 && revision > server)))
        arguments.insert(1, u"--revision=2025-11-25"_s);
    return arguments;
}

CliRun runCli(const QStringList &arguments, const QByteArray &input, const QString &folder,
              const QProcessEnvironment &environment)
{
    QProcess process;
    process.setProcessEnvironment(environment);
    if (!folder.isEmpty())
        process.setWorkingDirectory(folder);
    process.start(cliProgram(), withRevision(arguments));
    process.write(input);
    process.closeWriteChannel();
    const bool ended = process.waitForFinished(60'000);
    CliRun run;
    run.out = process.readAllStandardOutput();
    run.err = process.readAllStandardError();
    if (ended && process.exitStatus() == QProcess::NormalExit)
        run.exitCode = process.exitCode();
    return run;
}

CliRun askDemo(const QStringList &arguments, const QStringList &switches, const QByteArray &input)
{
    return runCli(arguments + QStringList{u"--"_s, demoProgram()} + switches, input);
}

QString HttpDemo::start(const QStringList &switches)
{
    m_process.setReadChannel(QProcess::StandardError);
    m_process.start(demoProgram(), switches);
    while (!m_process.canReadLine()) {
        if (!m_process.waitForReadyRead(Patience))
            return {};
    }
    return QString::fromUtf8(m_process.readLine().trimmed()).section(u' ', -1);
}

void HttpDemo::stop()
{
    m_process.kill();
    m_process.waitForFinished();
}

QStringList namesInHelp(const QString &overview, const QString &begin, const QString &end)
{
    static const QRegularExpression row(u"^  ([a-z][a-z-]*)(?: |$)"_s, QRegularExpression::MultilineOption);
    QStringList names;
    auto rows = row.globalMatch(overview.section(begin, 1).section(end, 0, 0));
    while (rows.hasNext())
        names.append(rows.next().captured(1));
    return names;
}

QStringList verbsOfHelp()
{
    return namesInHelp(QString::fromUtf8(runCli({u"help"_s}).out), u"Usage:"_s, u"Help topics:"_s);
}

}  // namespace sonde::test
