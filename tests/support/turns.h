// How long the event loop is held up at most.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QTimer>
#include <algorithm>
#include <ctime>
#include <functional>

namespace sonde::test {

// Counts the processor's time of this thread, so that a busy machine changes nothing.
class Turns {
public:
    // Something that a turn does, called directly.
    void measure(const std::function<void()> &work)
    {
        const double before = cpuMs();
        work();
        m_longestMs = std::max(m_longestMs, cpuMs() - before);
    }
    // False after the time limit.
    bool runUntil(const std::function<bool()> &done, int limitMs = 120'000)
    {
        const QDeadlineTimer limit(limitMs);
        QTimer watch;  // so that a loop in which nothing happens comes to its end
        watch.start(100);
        while (!done() && !limit.hasExpired())
            measure([] { QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents); });
        return done();
    }
    double longestCpuMs() const { return m_longestMs; }

private:
    static double cpuMs()
    {
        timespec now{};
        ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        return double(now.tv_sec) * 1e3 + double(now.tv_nsec) / 1e6;
    }
    double m_longestMs = 0;
};

}  // namespace sonde::test
