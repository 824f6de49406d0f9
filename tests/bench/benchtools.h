// What every scenario needs: a line of figures, the processor's time, and turns of the event loop that are measured.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/builder.h"
#include "tests/support/turns.h"

#include <QList>
#include <QString>

namespace sonde::ui {
class TimelinePanel;
}

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
void forgetPeakResident();  // counts from here on
double percentile(QList<double> values, double part);

void showAllRecords(ui::TimelinePanel &panel);  // rather than calls alone

using test::Turns;

[[noreturn]] void giveUp(const QString &why);

}  // namespace sonde::bench
