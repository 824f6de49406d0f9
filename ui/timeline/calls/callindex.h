// Links the records of the shown session to calls, in the background.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/calls/operations.h"

#include <QElapsedTimer>
#include <QObject>
#include <QPointer>
#include <QSet>
#include <QTimer>
#include <memory>

namespace sonde::ui {

// Reads in slices of a few milliseconds. While no view shows calls it reads slowly and skips long sessions, since its
// data is about as large as the session's own list.
class CallIndex : public QObject {
    Q_OBJECT
public:
    explicit CallIndex(QObject *parent = nullptr);

    void setSession(Session *session);  // not owned; null for none
    Session *session() const { return m_session; }
    const Operations *operations() const { return m_operations.get(); }  // null without a session
    void setWanted(const QObject *by, bool wanted);                      // that one shows calls
    bool isBehind() const { return m_isBehind; }                         // there was more than one slice to read
    bool isComplete() const;                                             // every row has been read
    // A recording, or what a live session had before it was shown: a call without a response may get one from what is
    // still to be read.
    bool isReadingOn() const;
    qsizetype operationOf(qsizetype row) const;  // -1: none, or not read yet
    // Set if the row's link needs a mark: not linked, or linked by inference.
    LinkReason reason(qsizetype row) const;
    qint64 nowNs() const;  // as RecordInfo::timeNs: the end of a session, or how far a live one has come

Q_SIGNALS:
    void sessionChanged();
    // At most every 33 ms: these operations are new or changed, in order, and rows up to "last" were read.
    void advanced(const std::vector<qsizetype> &operations, qsizetype first, qsizetype last);

private:
    void onAppended();
    void readSoon();
    void read();
    void announce();
    bool isWorthReading() const;

    QPointer<Session> m_session;
    std::unique_ptr<Operations> m_operations;
    QSet<const QObject *> m_wanted;
    bool m_isBehind = false;
    bool m_isCalm = true;       // nothing was appended since the last slice
    qsizetype m_announced = 0;  // rows
    qsizetype m_sizeAtFirst = 0;
    QElapsedTimer m_sinceAnnounced;
    QElapsedTimer m_sinceAppended;  // or since the session is the one that is read
    qint64 m_aheadNs = 0;           // of the last row, when that began
    QTimer m_timer;
};

}  // namespace sonde::ui
