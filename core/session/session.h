// The list of everything that happened, live or reopened. The truth for timeline, replay and export.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/error.h"
#include "core/session/recordlist.h"

#include <QDateTime>
#include <QHash>
#include <QObject>
#include <QStringList>
#include <atomic>
#include <functional>
#include <memory>

namespace sonde {

class FileOps;
class SessionData;
class SessionOpening;
class SessionWriter;

// What was counted and not recorded, since the session had reached its limit.
struct LeftOut {
    qint64 notifications = 0;
    qint64 others = 0;  // standard error, lines that are no messages, responses to nothing …
    qint64 bytes = 0;   // on the wire

    qint64 records() const { return notifications + others; }
    bool operator==(const LeftOut &) const = default;
};

struct DamagedRange {
    qint64 offset = 0;
    qint64 length = 0;
    QString reason;
};

// Numbers run from 1, as in the file; rows from 0: row = number - 1 where nothing is damaged.
// Index in memory, bytes in the file; a session that cannot write its file keeps the bytes in memory and says so.
class Session : public QObject {
    Q_OBJECT
public:
    explicit Session(QObject *parent = nullptr);  // in memory only
    ~Session() override;

    // When there is something at the path already.
    enum class IfTaken {
        Fail,
        NumberIt  // the first of SessionLibrary::numbered() that is free; path() tells which
    };
    // A new file, mode 0600, in an existing folder. On failure the session records into memory and error() is set; if
    // the file was made but could not be written to, recording may resume, and a file that stayed empty goes at the
    // end. calls: what the file is written through; nothing for the system's own.
    static std::unique_ptr<Session> create(const QString &path, const QString &serverName,
                                           const std::shared_ptr<FileOps> &calls = {}, IfTaken ifTaken = IfTaken::Fail);
    // Reads what is readable and lists the rest in damage(). Only a file that cannot be opened at all, has no
    // readable header or has a newer major version is an Error. Never writes to it. What no response can come to any
    // more counts as unanswered, unless the file is still being written by somebody.
    // Once stop is true, from whatever thread, it ends soon, with an Error.
    static Result<std::unique_ptr<Session>> open(const QString &path, std::shared_ptr<FileOps> calls = {},
                                                 const std::shared_ptr<const std::atomic_bool> &stop = {});
    // The same, but a thread of its own reads: rows come in batches through appended(), and isLoading() until
    // loaded(). What a response says about an earlier batch comes through changed(). damage() grows meanwhile.
    static Result<std::unique_ptr<Session>> openInBatches(const QString &path, std::shared_ptr<FileOps> calls = {});

    // What must never reach the file, besides what says itself that it is secret (SECURITY.md): masked wherever it
    // occurs in a text, if it is long and random enough not to be met by chance.
    void addSecret(const QString &secret);
    // A member of JSON that a schema declares to be secret: masked wherever that name has that value, however short.
    void addSecretMember(const QString &name, const QString &value);
    // The text of a message as it is recorded, for whatever is kept elsewhere. A recording that was opened knows no
    // secrets and returns the text unchanged.
    QByteArray masked(const QByteArray &text) const;
    // Of the marks that stand in it; empty where the file has none.
    QByteArray markKey() const;

    // What is recorded at most, in bytes of the file. No more than a tenth of what is free on its disk, and no more
    // than UsualMemory of what is only in memory. Beyond it calls are recorded as before, while what a server sends
    // unasked is counted: notifications, standard error, what is no message, responses to nothing; beyond twice as much
    // also its requests. Notes in the session say so.
    void setLimit(qint64 bytes);
    static constexpr qint64 UsualLimit = 2'000'000'000;
    static constexpr qint64 UsualMemory = 256 * 1024 * 1024;
    qint64 limit() const;     // in force now
    qint64 recorded() const;  // bytes, of that
    LeftOut leftOut() const;
    bool isFull() const;  // and counting now

    // Appends; the file gets all records of one turn of the event loop in one write, and appended() comes after it.
    // A payload over Message::LargeBytes is written by a worker thread, and what comes behind it has to wait. hold: let
    // go of once it is written, so that large messages do not pile up.
    void append(const WireEvent &event, int connection, const std::shared_ptr<void> &hold = {});
    // Records a finding of ours about the row of that message (None: about nothing in particular).
    void addFinding(const QString &text, const RequestId &id, int connection);
    void addFindingAbout(qsizetype row, const QString &text);
    void flush();  // now, rather than at the end of the turn, however long a large record takes
    // A request of ours that will not be answered any more, or not be made again with the input that its response asks
    // for. Sets the outcome of its row and records a note about it.
    void giveUp(const RequestId &id, int connection, GiveUp why = GiveUp::Unanswered);
    // Of ours, oldest first.
    QList<RequestId> pendingRequests(int connection) const;
    // Of the latest request with this ID that requester sent, or of the batch that it came in; -1: none, or not yet.
    qsizetype rowOfRequest(const RequestId &id, int connection, Direction requester) const;
    // Writes the end record; further events are ignored. What is only in memory is tried once more before, so that
    // error() tells afterwards whether the file holds everything.
    void finish();
    // After recordingFailed(): brings what is only in memory to the file and goes on there. Ends in recordingResumed()
    // or, when the reason is still there, in recordingFailed() once more. When the disk was full this is tried again by
    // itself every few seconds. At once, it has ended when this returns, which can take long.
    enum class Pace { InTurns, AtOnce };
    void resumeRecording(Pace pace = Pace::InTurns);

    qsizetype size() const { return m_records->size(); }  // rows that may be shown
    const RecordInfo &at(qsizetype row) const { return (*m_records)[row]; }
    QByteArray bytes(qsizetype row) const;  // the exact payload, read from the file; empty when damaged since
    // Reads the same on any thread, also when this session has changed or gone: a large payload takes long to read.
    std::function<QByteArray()> bytesReader(qsizetype row) const;
    // The same as bytes() where it is short. Of a message over Message::LargeBytes that was recorded here only what is
    // short within it, as json::outline() leaves it: for finding ids and states without reading all of it.
    // Of other large payloads the beginning.
    QByteArray outline(qsizetype row) const;
    QByteArray facts(qsizetype row) const;     // a JSON object or empty
    Message message(qsizetype row) const;      // parsed envelope of bytes(); Invalid when it is no message
    QString name(quint32 index) const;         // of RecordInfo::method and target
    qsizetype partnerOf(qsizetype row) const;  // -1: none
    qint64 durationNs(qsizetype row) const;    // request to response; -1 when there is none (yet)
    QDateTime wallTime(qsizetype row) const;   // UTC
    quint32 numberOf(qsizetype row) const;     // of the record, as in the file and for people

    QString path() const;  // empty: memory only
    // Whether the file there is the one this session is recorded in, whatever it is called by.
    bool isRecordedIn(const QString &file) const;
    QString serverName() const;
    QDateTime createdAt() const;
    qint64 totalBytes() const;  // of all payloads on the wire
    qint64 fileSize() const;    // 0 in memory
    qsizetype messageCount() const;
    bool isLive() const;
    bool isLoading() const;
    Error error() const;  // why nothing is written any more
    const QList<DamagedRange> &damage() const;

Q_SIGNALS:
    void appended(qsizetype first, qsizetype last);   // rows, after they were written
    void changed(qsizetype row);                      // outcome or partner became known
    void recordingFailed(const sonde::Error &error);  // calls go on; records stay in memory
    void recordingResumed();                          // all of them are in the file now
    void limitNear();                                 // four fifths of limit() are recorded
    void limitReached();                              // from now on only calls are
    void loaded();                                    // every row of the file is there

private:
    friend class SessionLines;
    friend class SessionOpening;
    friend class SessionSnapshot;
    explicit Session(SessionData &&data, QObject *parent = nullptr);  // recorded before

    std::unique_ptr<SessionData> m_data;
    std::shared_ptr<RecordList> m_records;      // the data's
    std::unique_ptr<SessionWriter> m_writer;    // of one that is recorded here
    std::unique_ptr<SessionOpening> m_opening;  // of one that is read
};

}  // namespace sonde
