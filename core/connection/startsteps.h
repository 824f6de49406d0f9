// The way from a server's description to a server that can be used, in named steps.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QElapsedTimer>
#include <QList>
#include <QString>

namespace sonde {

struct StartStep {
    enum class Kind {
        Approve,          // by the person, where it was not yet
        ResolveSecrets,   // what the description only refers to
        FindTarget,       // the program, or whether the address can be one
        ChooseTransport,  // only over HTTP, where there are two
        Open,             // the process runs, or the address can be sent to
        Authorize,        // only where the server wants to know who it is
        Probe,            // which era of the protocol the server speaks; only where that is not known
        AgreeOnRevision,  // spec: basic/lifecycle, "Initialization"
        List              // tools, resources and prompts
    };
    enum class State {
        Waiting,  // for the steps before it
        Running,
        Paused,  // for something outside, which `text` names
        Done,
        Skipped,  // not needed this time
        Failed
    };
    Kind kind = Kind::ResolveSecrets;
    State state = State::Waiting;
    qint64 startedMs = -1;  // since the start was begun; -1: it has not been run
    qint64 endedMs = -1;
    QString text;     // what came of it, or why it failed
    int attempt = 1;  // more than that when it was run again with another transport
};

QString nameOf(StartStep::Kind kind);

// Keeps account; what is done in a step is its owner's business.
class StartSteps {
public:
    void begin();  // all of them wait
    // The one that runs is done, those passed over are skipped.
    void enter(StartStep::Kind kind);
    void pause(const QString &reason);
    void resume();
    void describe(const QString &text);  // the one that runs
    void complete();                     // the last one; what was passed over is skipped
    void fail(const QString &reason);    // the one that runs; what follows stays waiting
    // From this one on they wait again, for another attempt.
    void restartFrom(StartStep::Kind kind);

    const QList<StartStep> &all() const { return m_steps; }
    const StartStep *current() const;  // that runs or is paused; null when none does
    qint64 elapsedMs() const;          // since begin() as long as one runs; -1 otherwise

private:
    StartStep *running();
    QList<StartStep> m_steps;
    QElapsedTimer m_clock;
};

}  // namespace sonde
