// From the start of the program to its first painted window.
// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/benchtools.h"
#include "tests/bench/scenarios.h"
#include "tests/support/programs.h"

#include <sys/resource.h>
#include <QProcess>
#include <QTemporaryDir>

namespace sonde::bench {

using namespace Qt::StringLiterals;

namespace {

double childrenCpuMs()
{
    rusage usage{};
    ::getrusage(RUSAGE_CHILDREN, &usage);
    const auto ms = [](const timeval &time) { return double(time.tv_sec) * 1e3 + double(time.tv_usec) / 1e3; };
    return ms(usage.ru_utime) + ms(usage.ru_stime);
}

}  // namespace

void measureStart(const Settings &settings)
{
    const int count = settings.count > 0 ? settings.count : 5;
    QList<double> wall;
    QList<double> cpu;
    const QTemporaryDir home;  // nobody's servers, sessions and settings
    for (int i = 0; i < count; ++i) {
        QProcess program;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const QString &name : {u"HOME"_s, u"XDG_CONFIG_HOME"_s, u"XDG_DATA_HOME"_s, u"XDG_CACHE_HOME"_s})
            environment.insert(name, home.path());
        program.setProcessEnvironment(environment);
        const double cpuBefore = childrenCpuMs();
        const double start = wallMs();
        program.start(test::builtProgram(QStringLiteral("sonde")), {u"--exit-after-first-paint"_s});
        if (!program.waitForFinished(30'000) || program.exitCode() != 0)
            giveUp(u"The program does not start: %1"_s.arg(QString::fromUtf8(program.readAllStandardError())));
        wall.append(wallMs() - start);
        cpu.append(childrenCpuMs() - cpuBefore);
    }
    Report report(u"start");
    report.count(u"starts", count);
    report.figure(u"p50_ms", percentile(wall, 0.5));
    report.figure(u"p50_cpu_ms", percentile(cpu, 0.5));
}

}  // namespace sonde::bench
