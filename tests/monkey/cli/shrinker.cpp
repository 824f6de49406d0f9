// SPDX-License-Identifier: Apache-2.0
#include "tests/monkey/cli/shrinker.h"

namespace sonde::monkey {

bool CliShrinker::stillFails(const QList<CliStep> &steps)
{
    return m_runsLeft-- > 0 && m_fails(steps);
}

QList<CliStep> CliShrinker::shrink(QList<CliStep> steps)
{
    // Most failures need their last step only.
    if (const QList<CliStep> last{steps.constLast()}; steps.size() > 1 && stillFails(last))
        steps = last;
    dropSteps(&steps);
    dropWords(&steps);
    return steps;
}

// Halves first, single steps at last; never the last one, which failed.
void CliShrinker::dropSteps(QList<CliStep> *steps)
{
    for (qsizetype size = steps->size() / 2; size > 0; size /= 2) {
        for (qsizetype at = 0; at + size < steps->size();) {
            QList<CliStep> fewer = *steps;
            fewer.remove(at, size);
            if (stillFails(fewer))
                *steps = fewer;
            else
                at += size;
        }
    }
}

void CliShrinker::dropWords(QList<CliStep> *steps)
{
    const auto tryLast = [this, steps](auto change) {
        QList<CliStep> simpler = *steps;
        change(simpler.last());
        if (!(simpler.last() == steps->last()) && stillFails(simpler))
            *steps = simpler;
    };
    tryLast([](CliStep &step) { step.signal = 0; });
    tryLast([](CliStep &step) { step.again = false; });
    tryLast([](CliStep &step) { step.output = CliStep::Output::Read; });
    tryLast([](CliStep &step) { step.errors = CliStep::Output::Read; });
    tryLast([](CliStep &step) { step.input = CliStep::Input::Nothing; });
    for (const qsizetype size : {2, 1}) {
        for (qsizetype at = 1; at + size <= steps->last().words.size();) {
            const qsizetype before = steps->last().words.size();
            tryLast([at, size](CliStep &step) { step.words.remove(at, size); });
            at += steps->last().words.size() == before ? 1 : 0;
        }
    }
}

}  // namespace sonde::monkey
