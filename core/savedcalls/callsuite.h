// Saved calls made one after the other on a connection, and what came of each.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/connection/connection.h"
#include "core/savedcalls/callsender.h"
#include "core/savedcalls/callstep.h"

#include <QObject>
#include <QPointer>
#include <QSet>

namespace sonde {

// In the order given; only stop(), abandon(), or setStopsOnFailure(), ends it before the last. What placeholders stand
// for is read when a call is made, and the recording learns it first. A connection that is lost fails the calls that
// are left.
class CallSuite final : public QObject {
    Q_OBJECT
public:
    // Not owned: the connection is connected and outlives this, or the suite is abandoned before.
    CallSuite(const QList<SavedCall> &calls, Connection *connection, QObject *parent = nullptr);

    void setStopsOnFailure(bool stops) { m_stopsOnFailure = stops; }
    void start();  // once
    void stop();   // the call under way is cancelled, the others are skipped
    // The connection is of no use any more: the call under way is an Error, the others are skipped, each for this
    // reason. It ends at once.
    void abandon(const Error &why);

    const QList<CallStep> &steps() const { return m_steps; }
    qsizetype count(CallStep::Status status) const;
    bool isRunning() const { return m_isRunning; }
    // That call expects something else now: what came is judged again, where it is still known.
    void replaceCall(qsizetype index, const SavedCall &call);

Q_SIGNALS:
    void stepChanged(qsizetype index);
    void progressed(const sonde::Progress &progress);
    void finished();

private:
    void next();
    void onSent(Call *call);
    CallOptions options(const SavedCall &call) const;
    void end(const Outcome &outcome);
    void notSent(const Error &why, CallStep::Status status);
    void finishStep();
    void skipFrom(qsizetype index, const QString &reason);

    Connection *m_connection;
    QList<CallStep> m_steps;
    qsizetype m_current = -1;
    QSet<QString> m_needed;             // calls whose results others use
    CallSender::Responses m_responses;  // as they came
    CallSender *m_sender;
    QPointer<Call> m_call;
    bool m_stopsOnFailure = false;
    bool m_isStopped = false;
    bool m_isRunning = false;
};

}  // namespace sonde
