// Makes a list of steps that fails as short as it can.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/monkey/cli/step.h"

#include <functional>

namespace sonde::monkey {

class CliShrinker {
public:
    // Whether those steps still fail.
    using Fails = std::function<bool(const QList<CliStep> &)>;

    CliShrinker(Fails fails, int maxRuns) : m_fails(std::move(fails)), m_runsLeft(maxRuns) {}

    QList<CliStep> shrink(QList<CliStep> steps);

private:
    bool stillFails(const QList<CliStep> &steps);
    void dropSteps(QList<CliStep> *steps);
    void dropWords(QList<CliStep> *steps);

    Fails m_fails;
    int m_runsLeft;
};

}  // namespace sonde::monkey
