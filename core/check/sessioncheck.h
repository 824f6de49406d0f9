// Checks what a session records against the rules of the protocol's revision, some way behind the recording.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/messagerules.h"
#include "core/session/session.h"
#include "core/transport/repeatlimit.h"

#include <QHash>
#include <QObject>
#include <QTimer>
#include <optional>
#include <vector>

namespace sonde {

struct CheckFinding {
    Sender sender = Sender::Server;
    QString method;      // of a response: of its request
    QString text;        // of the first message that had it
    quint32 number = 0;  // of that message, in the session
    qint64 count = 0;    // messages, or places in them
};

// What is found is recorded as a finding about its message, so that the timeline shows it and its filter finds it.
// Findings that differ only in the index of a list are of one kind, of which only the first are recorded.
//
// Messages are read back from the session and checked by a worker thread, a few at a time while more arrive, so that a
// flood is not slowed down; when it has passed, the rest follows. Which revision counts is read in the messages
// themselves: the handshake, or what a request without one declares. Messages over MaxBytes are only counted, as are
// the elements of a batch beyond the first MaxElements.
class SessionCheck : public QObject {
    Q_OBJECT
public:
    static constexpr qint64 MaxBytes = qint64(16) * 1024 * 1024;
    static constexpr qsizetype MaxElements = 1000;  // of a batch

    explicit SessionCheck(Session *session, QObject *parent = nullptr);
    ~SessionCheck() override;

    // Checks what is left at once, up to MaxAtEnd messages or as many as are few enough bytes. Callers that need all of
    // them waits for caughtUp() first.
    void finish();
    static constexpr int MaxAtEnd = 2000;
    bool isDone() const;
    const QList<CheckFinding> &findings() const { return m_findings; }
    qint64 checked() const { return m_checked; }      // messages
    qint64 unchecked() const { return m_unchecked; }  // of them, what was too large

Q_SIGNALS:
    void caughtUp();  // isDone(), with what has been recorded until now

private:
    struct Conversation;
    using Conversations = QHash<int, Conversation>;  // by connection
    struct Item;
    struct Found;
    struct Batch;

    std::vector<Item> take(int count, qint64 bytes);
    static Batch check(const std::vector<Item> &items, Conversations conversations);
    void goOn();
    void report(const Batch &batch);
    int kindOf(const Found &found, const QString &text);

    Session *const m_session;
    QTimer m_timer;
    Conversations m_conversations;
    qsizetype m_next = 0;      // row
    qsizetype m_jobBegin = 0;  // of what the worker has
    QObject *m_job = nullptr;
    qsizetype m_seen = 0;  // rows, when the last job began
    qint64 m_checked = 0;
    qint64 m_unchecked = 0;
    qint64 m_jobUnchecked = 0;  // before the worker's
    QList<CheckFinding> m_findings;
    std::vector<RepeatLimit> m_limits;  // of each finding
    QHash<QString, int> m_kinds;        // places in both
};

}  // namespace sonde
