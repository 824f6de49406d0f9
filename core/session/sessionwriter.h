// Records what happens into a session: masks it, numbers it, links it, and announces it once it has its place.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/redact/redactor.h"
#include "core/session/largerecordwriter.h"
#include "core/session/recordinglimit.h"
#include "core/session/recordqueue.h"
#include "core/session/sessiondata.h"
#include "core/session/sessionstore.h"

#include <QTimer>
#include <functional>

namespace sonde {

// Functions do as those of Session say that have the same names.
class SessionWriter : public QObject {
public:
    SessionWriter(Session *session, SessionData *data, const QString &serverName);

    bool isLive() const { return m_isLive; }
    void setFile(const std::shared_ptr<SessionFile> &file) { m_store.setFile(file); }
    // hold: kept until the record has its place, where that takes a while.
    void record(const WireEvent &event, int connection, quint32 about = 0, const std::shared_ptr<void> &hold = {});
    void addFinding(const QString &text, const RequestId &id, int connection);
    // By the rules of its revision; about: the number of a record.
    void addRuleFinding(const QString &text, quint32 about, int connection);
    void giveUp(const RequestId &id, int connection, GiveUp why);
    void teach(const std::function<void(Redactor &)> &lesson);
    QByteArray masked(const QByteArray &text);
    void setLimit(qint64 bytes);
    const RecordingLimit &limit() const { return m_limit; }
    qint64 recorded() const { return m_store.recorded(); }
    void flush();
    void finish();
    void resume(Session::Pace pace);

protected:
    bool event(QEvent *event) override;

private:
    friend class LargeRecordWriter;

    RecordLine lineOf(const WireEvent &event, qsizetype size, int connection);  // of the payload as it came
    QByteArray storedFacts(const QByteArray &facts, QList<RedactionMark> &marks);
    void leaveOut(RecordingLimit::Unasked what, qint64 bytes);
    void noteLeftOut();
    void recordNote(const QByteArray &facts);
    void updateLimit();  // the disk, or where things are recorded, is another one now
    void sayHowFull();
    void scheduleFlush();
    void flushTurn();
    void apply(const LinkChange &change);
    void publish();

    Session *const m_session;
    SessionData &m_data;
    RecordQueue m_queue;
    SessionStore m_store;
    LargeRecordWriter m_largeRecords;
    Redactor m_redactor;
    QHash<int, KeyLines> m_keyLines;  // of the standard error of each connection
    QByteArray m_plainFacts;          // the last ones in which nothing had to be replaced, as long as no more secrets
    size_t m_plainFactsSecrets = 0;   // are known
    bool m_isLive = true;
    const qint64 m_startNs;
    qint64 m_turnNs = 0;  // when the first record of this turn was made, and what the wall clock said then
    qint64 m_turnWallUs = 0;
    std::vector<LinkChange> m_changes;  // to rows that are shown already
    bool m_isFlushScheduled = false;
    bool m_hasRecorded = false;  // in this turn
    bool m_hasLinked = false;    // a record that is not shown yet to an earlier one
    QTimer m_floodTimer;         // to the flush of the next turn
    RecordingLimit m_limit;
    QTimer m_leftOutTimer;  // to the next note of them
};

}  // namespace sonde
