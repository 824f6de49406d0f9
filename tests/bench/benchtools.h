// What every scenario needs: a line of figures, the processor's time, and turns of the event loop that are measured.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/builder.h"

#include <QList>
#include <QString>
#include <functional>

namespace sonde::bench {

// Prints one JSON line when it goes.
class Report {
public:
    explicit Report(QStringView scenario);
    ~Report();
    Report(const Report &) = delete;
    Report &operator=(const Report &) = delete;

    void text(QStringView key, QStringView value);
    void count(QStringView key, qint64 value);
    void figure(QStringView key, double value);  // four significant digits are plenty

private:
    json::Builder m_line;
};

double threadCpuMs();
double processCpuMs();
double wallMs();
double residentMb();
double peakResidentMb();
double percentile(QList<double> values, double part);

// Runs the event loop until done() says so and remembers the most expensive of its turns.
class Turns {
public:
    // False after the time limit.
    bool runUntil(const std::function<bool()> &done, double limitMs = 120'000);
    // Something that a turn does, called directly.
    void measure(const std::function<void()> &work);
    double longestCpuMs() const { return m_longestCpuMs; }

private:
    double m_longestCpuMs = 0;
};

[[noreturn]] void giveUp(const QString &why);

}  // namespace sonde::bench
