// SPDX-License-Identifier: Apache-2.0
#include "tests/monkey/supervisor.h"

#include "tests/support/files.h"

#include <QCoreApplication>
#include <QProcess>
#include <QTemporaryFile>
#include <algorithm>
#include <cstdio>

using namespace Qt::StringLiterals;

namespace sonde::monkey {

namespace {

constexpr int ProcessMs = 600'000;
constexpr qsizetype OutputShown = 6000;

void print(const QString &line)
{
    std::printf("%s\n", qUtf8Printable(line));
    std::fflush(stdout);
}

// The word in front: what fails otherwise when steps are left out is another failure.
QString kindOf(const QString &failure)
{
    return failure.section(u':', 0, 0);
}

}  // namespace

Supervisor::Supervisor(Options options) : m_options(std::move(options))
{
    const Result made = runProcess({u"--record"_s, m_recorded.path()});
    if (!made.failure.isEmpty())
        qFatal("the sessions cannot be recorded: %s", qUtf8Printable(made.output));
}

Supervisor::Result Supervisor::runProcess(const QStringList &arguments)
{
    QTemporaryFile trail;
    if (!trail.open())
        qFatal("no temporary file: %s", qUtf8Printable(trail.errorString()));
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(QCoreApplication::applicationFilePath(),
                  QStringList{u"--trail"_s, trail.fileName(), u"--recorded"_s, m_recorded.path()} + arguments);
    const bool ended = process.waitForFinished(ProcessMs);
    if (!ended) {
        process.kill();
        process.waitForFinished();
    }
    Result result;
    result.output = QString::fromUtf8(process.readAll()).right(OutputShown);
    result.steps = Step::fromLines(test::readFile(trail.fileName()));
    const QString said = result.output.section(u"FAILED: "_s, 1).section(u'\n', 0, 0);
    if (!ended)
        result.failure = u"hangs: it did not end within %1 s"_s.arg(ProcessMs / 1000);
    else if (!said.isEmpty())
        result.failure = said;
    else if (process.exitStatus() == QProcess::CrashExit || process.exitCode() != 0)
        result.failure = u"crash: exit code %1"_s.arg(process.exitCode());
    return result;
}

Supervisor::Result Supervisor::replay(const QList<Step> &steps)
{
    QTemporaryFile file;
    if (!file.open())
        qFatal("no temporary file: %s", qUtf8Printable(file.errorString()));
    file.write(Step::toLines(steps));
    file.flush();
    return runProcess({u"--walk"_s, m_options.walk, u"--replay-here"_s, file.fileName()});
}

// Leaves out ever smaller parts for as long as it still fails. What depends on the moment may need a second try.
QList<Step> Supervisor::shrink(QList<Step> steps, const QString &failure)
{
    int runs = m_options.shrinkingRuns;
    const auto failsToo = [&](const QList<Step> &fewer) {
        return runs-- > 0 && kindOf(replay(fewer).failure) == kindOf(failure);
    };
    for (qsizetype part = steps.size() / 2; part > 0 && runs > 0; part /= 2) {
        for (qsizetype from = steps.size() - part; from > -part && runs > 0; from -= part) {
            QList<Step> fewer = steps;
            const qsizetype begin = std::max<qsizetype>(from, 0);
            fewer.remove(begin, std::min(part, fewer.size() - begin));
            if (failsToo(fewer))
                steps = fewer;
        }
    }
    return steps;
}

int Supervisor::replayFile(const QString &path)
{
    const Result result = replay(Step::fromLines(test::readFile(path)));
    if (!result.failure.isEmpty())
        print(result.output);
    print(u"%1 steps, %2 failures"_s.arg(result.steps.size()).arg(result.failure.isEmpty() ? 0 : 1));
    return result.failure.isEmpty() ? 0 : 1;
}

int Supervisor::run()
{
    int failures = 0;
    int done = 0;
    for (quint32 number = 0; done < m_options.steps; ++number) {
        const int steps = std::min(m_options.stepsPerProcess, m_options.steps - done);
        const quint32 seed = m_options.seed + number;
        const Result result = runProcess({u"--walk"_s, m_options.walk, u"--walk-here"_s, QString::number(steps),
                                          u"--seed"_s, QString::number(seed)});
        done += steps;
        if (result.failure.isEmpty())
            continue;
        ++failures;
        print(u"FAILURE after %1 steps, seed %2: %3"_s.arg(result.steps.size()).arg(seed).arg(result.failure));
        print(result.output);
        if (m_options.shrinkingRuns > 0) {
            const QList<Step> shrunk = shrink(result.steps, result.failure);
            print(u"%1 steps that fail, for --replay:"_s.arg(shrunk.size()));
            print(QString::fromUtf8(Step::toLines(shrunk)));
        }
    }
    print(u"%1 steps, %2 failures"_s.arg(done).arg(failures));
    return failures;
}

}  // namespace sonde::monkey
