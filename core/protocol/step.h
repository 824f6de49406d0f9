// One step of something that a person follows: the start of a server, a sign-in, an examination.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QElapsedTimer>
#include <QList>
#include <QString>

#include <algorithm>

namespace sonde {

// Each sequence derives its own from it, with an enumeration `Kind` in the order of the steps, and nameOf() of that.
struct Step {
    enum class State : quint8 {
        Waiting,  // for the steps before it
        Running,
        Paused,  // for something outside, which `text` names
        Done,
        Warning,
        Failed,
        Skipped  // not needed this time
    };
    QString name;
    State state = State::Waiting;
    qint64 startedMs = -1;  // since the sequence was begun; -1: it has not been run
    qint64 ms = -1;         // that it took; -1: not measured
    int attempt = 1;        // more than that when it was run again
    QString text;           // the outcome, or why it failed: one sentence or less
    QString detail;         // folders, addresses, a certificate: as they are, on lines of their own
    QString note;           // what of that is new: "found by the login shell: …"

    bool operator==(const Step &) const = default;
};

template <typename S>
S makeStep(typename S::Kind kind, Step::State state = Step::State::Waiting)
{
    S step;
    step.kind = kind;
    step.name = nameOf(kind);
    step.state = state;
    return step;
}

// Keeps account of steps of which one runs at a time; what is done in them is its owner's business. `S` names the last
// of its kinds.
template <typename S>
class Steps {
public:
    using Kind = typename S::Kind;

    void begin()  // all of them wait
    {
        m_steps.clear();
        for (int kind = 0; kind <= int(S::Last); ++kind)
            m_steps.append(makeStep<S>(Kind(kind)));
        m_clock.start();
    }
    // The one that runs is done, those passed over are skipped.
    void enter(Kind kind)
    {
        finishCurrent();
        for (S &step : m_steps) {
            if (step.state == Step::State::Waiting && step.kind < kind)
                step.state = Step::State::Skipped;
        }
        S &step = at(kind);
        step.state = Step::State::Running;
        step.startedMs = m_clock.elapsed();
        step.ms = -1;
        step.text.clear();
    }
    void pause(const QString &reason) { set(Step::State::Paused, reason); }
    void resume() { set(Step::State::Running, {}); }
    void describe(const QString &text)
    {
        if (S *step = running())
            step->text = text;
    }
    void finishCurrent(Step::State state = Step::State::Done)
    {
        if (S *step = running()) {
            step->state = state;
            step->ms = m_clock.isValid() ? m_clock.elapsed() - step->startedMs : -1;
        }
    }
    void complete()  // the one that runs was the last; what was passed over is skipped
    {
        finishCurrent();
        for (S &step : m_steps) {
            if (step.state == Step::State::Waiting)
                step.state = Step::State::Skipped;
        }
        m_clock.invalidate();
    }
    void fail(const QString &reason)  // the one that runs; what follows stays waiting
    {
        describe(reason);
        finishCurrent(Step::State::Failed);
        m_clock.invalidate();
    }
    // From this one on they wait again, for another attempt.
    void restartFrom(Kind kind)
    {
        for (S &step : m_steps) {
            if (step.kind < kind)
                continue;
            if (step.startedMs >= 0)
                ++step.attempt;
            step.state = Step::State::Waiting;
            step.startedMs = step.ms = -1;
            step.text.clear();
        }
        if (!m_clock.isValid())
            m_clock.start();
    }

    const QList<S> &all() const { return m_steps; }
    S &at(Kind kind) { return m_steps[int(kind)]; }
    const S *current() const  // that runs or is paused; null when none does
    {
        const qsizetype found = place();
        return found < 0 ? nullptr : &m_steps.at(found);
    }
    S *running()
    {
        const qsizetype found = place();
        return found < 0 ? nullptr : &m_steps[found];
    }
    // Since begin() as long as one runs; -1 otherwise.
    qint64 elapsedMs() const { return m_clock.isValid() ? m_clock.elapsed() : -1; }

private:
    qsizetype place() const
    {
        const auto found = std::find_if(m_steps.begin(), m_steps.end(), [](const S &step) {
            return step.state == Step::State::Running || step.state == Step::State::Paused;
        });
        return found == m_steps.end() ? -1 : found - m_steps.begin();
    }
    void set(Step::State state, const QString &text)
    {
        if (S *step = running()) {
            step->state = state;
            step->text = text;
        }
    }

    QList<S> m_steps;
    QElapsedTimer m_clock;  // invalid when all is over
};

}  // namespace sonde
