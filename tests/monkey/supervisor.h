// Has walks done in processes of their own, so that a crash is a finding like any other, and shrinks what fails.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/monkey/step.h"

#include <QString>
#include <QStringList>
#include <QTemporaryDir>

namespace sonde::monkey {

class Supervisor {
public:
    struct Options {
        QString walk;  // as --walk takes it
        int steps = 0;
        quint32 seed = 0;
        int stepsPerProcess = 1000;  // each begins with a fresh home
        int shrinkingRuns = 60;      // at most; 0: failures are not shrunk
    };
    explicit Supervisor(Options options);

    // Returns the number of failures, printed as they are found. Goes on after a failure with the next process.
    int run();
    // Walks the steps of this file; 0, or 1 where they fail.
    int replayFile(const QString &path);

private:
    struct Result {
        QString failure;  // empty: none
        QString output;   // of the process, its end
        QList<Step> steps;
    };
    Result runProcess(const QStringList &arguments);
    Result replay(const QList<Step> &steps);
    QList<Step> shrink(QList<Step> steps, const QString &failure);

    const Options m_options;
    QTemporaryDir m_recorded;  // the sessions that every process finds in its home
};

}  // namespace sonde::monkey
