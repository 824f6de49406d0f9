// One replay from beginning to end, and again: recording, server, the steps, the rules, the baseline.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/replay/replayplan.h"
#include "core/session/sessionlibrary.h"

#include <QElapsedTimer>
#include <QPointer>
#include <atomic>
#include <functional>
#include <memory>

namespace sonde {

// Reads the recording as it stands when that begins, also while somebody goes on writing it. Either start() does all of
// it: it reads on a worker and starts the server anew, by a connection of its own that is recorded into the library and
// ends with the run; going away in the middle ends the server. Or who has a connection calls read() and startOn().
// Lives on one thread, that of its connection.
class ReplayRun : public QObject {
    Q_OBJECT
public:
    enum class State { Idle, Loading, Connecting, Running, Finished };

    // What a view makes of the steps before the first begins. Runs on a worker; what it returns runs on the run's
    // thread, before stepsReset().
    using OnRead = std::function<std::function<void()>(const QList<ReplayStep> &, const Session &)>;

    explicit ReplayRun(ReplayPlan plan, SessionLibrary library = SessionLibrary(), QObject *parent = nullptr);
    ~ReplayRun() override;

    const ReplayPlan &plan() const { return m_plan; }
    State state() const { return m_state; }
    bool isActive() const { return m_state != State::Idle && m_state != State::Finished; }

    void setOnRead(OnRead onRead) { m_onRead = std::move(onRead); }

    void start();  // once more, too: everything is read and made again

    // The recording and the rules, read before this returns. recording() stays null where it cannot be opened.
    Error read();
    // After read(): what the connection has to be made with; listenForServerRequests() before it is opened.
    ConnectionOptions connectionOptions() const { return replayOptions(m_material); }
    bool hasCalls() const { return !m_material.steps.isEmpty() || !steps().isEmpty(); }  // after read()
    // After read(), once. The connection is connected; it is not owned and not closed here, and its
    // recording is not removed where nothing was made.
    void startOn(Connection *connection);

    void stop();  // what has run keeps what it has
    // Answers askedStep(). Of all: those that are still to come, too.
    void decide(bool run, bool ofAll);

    // Empty until the recording has been read.
    const QList<ReplayStep> &steps() const;
    const Replayer *replayer() const { return m_replayer.get(); }  // null until then
    const Session *recording() const { return m_recording.get(); }
    qint64 durationNs(qsizetype step) const;         // of the live call; -1: unknown
    json::Value arguments(qsizetype step) const;     // what it is called with: of a tool its arguments, else the params
    qsizetype askedStep() const { return m_asked; }  // waits for decide(); -1: none does
    qint64 elapsedNs() const;                        // of the steps; -1: none has begun
    Error problem() const { return m_problem; }      // why it did not come to its end
    QString damage() const;                          // what of the recording cannot be read, in a sentence; or empty
    QString newRecordingPath() const { return m_newPath; }  // empty: in memory only, or moved by accept()

    const ReplayRules &rules() const { return m_rules; }
    // Judges all steps anew, this one (-1: none) first; see Replayer::setRules(). The Error says why the rules could
    // not be written beside the recording.
    Error setRules(const ReplayRules &rules, qsizetype first);
    Error loadRules();  // again; each start does so, too
    bool isJudging() const { return m_replayer && m_replayer->isJudging(); }

    QString acceptProblem() const;  // why the new recording cannot be the baseline; empty: it can
    // The new recording takes the place of the old one, which is kept as previousPath. Ends in accepted().
    void accept();
    bool isAccepting() const { return m_isAccepting; }
    QString previousPath() const { return m_previousPath; }

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
    void connectServer();
    void attach(Connection *connection);
    void onConnectionChanged();
    void onFinished();
    void fail(const Error &error);
    void setAsked(qsizetype step);
    void dropAll();
    QString rulesPath() const;
    void endRecording();

    ReplayPlan m_plan;
    SessionLibrary m_library;
    OnRead m_onRead;
    State m_state = State::Idle;
    std::unique_ptr<Session> m_recording;
    std::shared_ptr<std::atomic_bool> m_stopReading;  // for the worker that looks for the calls
    ReplayMaterial m_material;                        // until the replayer has it
    std::unique_ptr<Connection> m_ownConnection;
    QPointer<Connection> m_connection;     // that one, or somebody else's
    std::unique_ptr<Replayer> m_replayer;  // looks at recording and connection
    ReplayRules m_rules;
    Error m_problem;
    QString m_newPath;
    QString m_previousPath;
    qsizetype m_asked = -1;
    QElapsedTimer m_clock;
    qint64 m_elapsedNs = -1;
    bool m_isStopped = false;
    bool m_isBeingWritten = false;  // the recording, by somebody
    bool m_isAccepting = false;
    bool m_isAccepted = false;
};

}  // namespace sonde
