// One replay from beginning to end, and again: recording, a server of its own, the steps, the rules, the baseline.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/session/sessionlibrary.h"
#include "ui/replay/replayplan.h"
#include "ui/replay/replaytext.h"

#include <QElapsedTimer>
#include <QPointer>
#include <QStringList>
#include <atomic>
#include <memory>
#include <utility>

namespace sonde::ui {

// Reads the recording as it stands at start(), also while somebody goes on writing it. The server is started anew, by
// a connection of its own that is recorded into the library; it ends with the run. Lives on the main thread. Going
// away in the middle ends the server.
class ReplayRun : public QObject {
    Q_OBJECT
public:
    enum class State { Idle, Loading, Connecting, Running, Finished };

    ReplayRun(ReplayPlan plan, SessionLibrary library, QObject *parent = nullptr);
    ~ReplayRun() override;

    const ReplayPlan &plan() const { return m_plan; }
    State state() const { return m_state; }
    bool isActive() const { return m_state != State::Idle && m_state != State::Finished; }

    void start();  // once more, too: everything is read and made again
    void stop();   // what has run keeps what it has
    // Answers askedStep(). Of all: those that are still to come, too.
    void decide(bool run, bool ofAll);

    // Empty until the recording has been read.
    const QList<ReplayStep> &steps() const;
    // As row() of all steps before the first begins: there once, after stepsReset().
    QList<StepRow> takeFirstRows() { return std::exchange(m_firstRows, {}); }
    const Replayer *replayer() const { return m_replayer.get(); }  // null until then
    const Session *recording() const { return m_recording.get(); }
    StepRow row(qsizetype step) const;
    json::Value arguments(qsizetype step) const;     // what it is called with: of a tool its arguments, else the params
    qsizetype askedStep() const { return m_asked; }  // waits for decide(); -1: none does
    qint64 elapsedNs() const;                        // of the steps; -1: none has begun
    Error problem() const { return m_problem; }      // why it did not come to its end
    QString damage() const { return m_damage; }      // what of the recording cannot be read, in a sentence; or empty
    QString newRecordingPath() const { return m_newPath; }  // empty: in memory only, or moved by accept()

    const ReplayRules &rules() const { return m_rules; }
    // Judges all steps anew, this one (-1: none) first; see Replayer::setRules(). The Error says why the rules could
    // not be written beside the recording.
    Error setRules(const ReplayRules &rules, qsizetype first);
    bool isJudging() const { return m_replayer && m_replayer->isJudging(); }

    QString acceptProblem() const;  // why the new recording cannot be the baseline; empty: it can
    // The new recording takes the place of the old one, which is kept as keptPath. Ends in accepted().
    void accept();
    QString keptPath() const { return m_keptPath; }

Q_SIGNALS:
    void stateChanged();
    void stepsReset();
    void stepChanged(qsizetype step);
    void askedChanged();
    void judged();
    void accepted(const sonde::Error &error);

private:
    void setState(State state);
    void onLoaded();
    void onConnectionChanged();
    void onStepChanged(qsizetype step);
    void onFinished();
    void fail(const Error &error);
    void setAsked(qsizetype step);
    void dropAll();
    Error loadRules();
    void endRecording();
    void connectServer(ReplayMaterial material);

    ReplayPlan m_plan;
    SessionLibrary m_library;
    State m_state = State::Idle;
    std::unique_ptr<Session> m_recording;
    std::shared_ptr<std::atomic_bool> m_stopReading;  // for the worker that looks for the calls
    QList<StepRow> m_firstRows;
    std::unique_ptr<Connection> m_connection;
    std::unique_ptr<Replayer> m_replayer;  // looks at both
    ReplayRules m_rules;
    Error m_problem;
    QString m_damage;
    QString m_newPath;
    QString m_keptPath;
    qsizetype m_asked = -1;
    QElapsedTimer m_clock;
    qint64 m_elapsedNs = -1;
    bool m_isStopped = false;
    bool m_isBeingWritten = false;  // the recording, by somebody
    bool m_isAccepting = false;
    bool m_isAccepted = false;
};

}  // namespace sonde::ui
