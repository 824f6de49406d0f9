// Gives recorded lines their places: in the session's file, or in memory while that cannot be written.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/session/linebatch.h"
#include "core/session/recordqueue.h"
#include "core/session/sessiondata.h"

#include <QTimer>

namespace sonde {

// On the session's thread. Data is brought to the disk by another one.
class SessionStore : public QObject {
    Q_OBJECT
public:
    SessionStore(SessionData *data, const RecordQueue *queue);

    void setFile(const std::shared_ptr<SessionFile> &file);  // a new one, which gets its header
    bool isInFile() const { return m_data.file && !m_data.error; }
    qint64 recorded() const;  // bytes, where lines go now

    // The line of the record is written later.
    void append(const RecordInfo &info, const RecordLine &record, const QList<RedactionMark> &marks);
    void writePending();  // gives every record its place
    // Whether so much came since this was asked last that another thread gives records their places. placeWritten()
    // takes those over that have one.
    bool takeFlood() { return m_batch.takeShared(); }
    void placeWritten();
    void appendPlaced(const RecordInfo &info);
    qint64 adopt(QByteArray &&line) { return -1 - m_data.memory.adopt(std::move(line)); }  // its place
    void cutFile(qint64 size);  // takes back what another thread's failed write left behind
    // By how far it stands behind the last row that is shown. The caller may change what does not concern its place.
    RecordInfo &waiting(size_t at) { return m_waiting[at]; }
    // Those that have their places. Valid until the next time: the memory is used again.
    const std::vector<RecordInfo> &takePlaced();

    void fail(const Error &problem);
    bool takeFailure();               // whether one is still to be announced
    void resume(Session::Pace pace);  // because a person asked for it
    void needSync();
    // The last attempt to write all of it. True when that put right what somebody was told of.
    bool finish();

Q_SIGNALS:
    void moved();   // to the file or to memory
    void failed();  // takeFailure() says so
    void resumed();

private:
    static constexpr qsizetype FullBatch = 1024 * 1024;  // written before the next record joins it, to bound the memory

    void place(LineBatch::Lines &lines);
    void catchUp(Session::Pace pace = Session::Pace::InTurns);
    bool catchUpAtOnce();
    Error catchUpAll();
    Error catchUpPiece(bool *isAll);
    void tryAgainLater();
    void dropEmptyFile();
    void startSync();

    SessionData &m_data;
    const RecordQueue &m_queue;
    QByteArray m_headerLine;  // of a file that is written: where it is shorter, that much of its header is missing

    // Recorded, but not to be shown yet. The first `stored` of them have their place already, the others are in the
    // batch.
    std::vector<RecordInfo> m_waiting;
    size_t m_stored = 0;
    std::vector<RecordInfo> m_taken;  // last
    LineBatch m_batch;

    bool m_isOver = false;
    bool m_hasFailed = false;
    bool m_isCatchingUp = false;
    bool m_isAsked = false;      // by a person, who wants to hear also that it failed again
    bool m_isTornAtEnd = false;  // of the file, which could not be shortened after a failed write
    QTimer m_retryTimer;

    // Set by the thread that brings data to the disk.
    struct Sync {
        std::atomic<bool> isBusy = false;
        std::atomic<bool> hasFailed = false;
        Error error;  // written before hasFailed, read after it
    };
    std::shared_ptr<Sync> m_sync = std::make_shared<Sync>();
    QTimer m_syncTimer;
    bool m_needsSync = false;
};

}  // namespace sonde
