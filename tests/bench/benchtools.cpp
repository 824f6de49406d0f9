// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/benchtools.h"

#include "ui/theme/widgets.h"
#include "ui/timeline/timelinepanel.h"

#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
#include <QFile>
#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace sonde::bench {

namespace {

double clockMs(clockid_t clock)
{
    timespec now{};
    clock_gettime(clock, &now);
    return double(now.tv_sec) * 1e3 + double(now.tv_nsec) / 1e6;
}

}  // namespace

Report::Report(QStringView scenario)
{
    m_line.beginObject().member(u"scenario", scenario);
}

Report::~Report()
{
    std::puts(m_line.endObject().take().constData());
    std::fflush(stdout);
}

void Report::text(QStringView key, QStringView value)
{
    m_line.member(key, value);
}

void Report::count(QStringView key, qint64 value)
{
    m_line.member(key, value);
}

void Report::figure(QStringView key, double value)
{
    m_line.key(key).raw(QByteArray::number(value, 'g', 4));
}

double threadCpuMs()
{
    return clockMs(CLOCK_THREAD_CPUTIME_ID);
}

double processCpuMs()
{
    return clockMs(CLOCK_PROCESS_CPUTIME_ID);
}

double wallMs()
{
    return clockMs(CLOCK_MONOTONIC);
}

double residentMb()
{
    QFile file(QStringLiteral("/proc/self/statm"));
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    return file.readAll().split(' ').value(1).toDouble() * double(::sysconf(_SC_PAGESIZE)) / 1e6;
}

double peakResidentMb()
{
    QFile file(QStringLiteral("/proc/self/status"));
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    const QByteArray text = file.readAll();
    const qsizetype at = text.indexOf("VmHWM:");
    return at < 0 ? 0 : text.mid(at + 6, 20).simplified().split(' ').first().toDouble() * 1024 / 1e6;
}

void forgetPeakResident()
{
    QFile file(QStringLiteral("/proc/self/clear_refs"));
    if (file.open(QIODevice::WriteOnly | QIODevice::Unbuffered))
        file.write("5");
}

double percentile(QList<double> values, double part)
{
    if (values.isEmpty())
        return 0;
    std::sort(values.begin(), values.end());
    return values.at(std::min(values.size() - 1, qsizetype(part * double(values.size()))));
}

void giveUp(const QString &why)
{
    std::fputs(qUtf8Printable(why + u'\n'), stderr);
    std::exit(1);
}

void showAllRecords(ui::TimelinePanel &panel)
{
    auto *views = panel.findChild<ui::SegmentedControl *>(QStringLiteral("timelineViews"));
    views->setCurrent(3);
}

}  // namespace sonde::bench
