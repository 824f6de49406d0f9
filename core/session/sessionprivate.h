// The inside of Session.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/redact/redactor.h"
#include "core/session/indexfile.h"
#include "core/session/largerecord.h"
#include "core/session/linestore.h"
#include "core/session/recordinglimit.h"
#include "core/session/recordqueue.h"
#include "core/session/session.h"
#include "core/session/sessionfile.h"
#include "core/session/sessionheader.h"
#include "core/session/sessionindex.h"
#include "core/session/sessionloader.h"

#include <QTimer>
#include <atomic>
#include <functional>
#include <optional>

namespace sonde {

class Session::Private {
public:
    explicit Private(Session *session);
    static QEvent::Type flushEvent();
    static QEvent::Type catchUpEvent();

    // Recording.
    void start(const QString &serverName);
    // hold: kept until the record has its place, where that takes a while.
    void record(const WireEvent &event, int connection, quint32 about, const std::shared_ptr<void> &hold = {});
    RecordLine lineOf(const WireEvent &event, qsizetype size, int connection);  // of the payload as it came
    QByteArray storedFacts(const QByteArray &facts, QList<RedactionMark> &marks);
    void scheduleFlush();
    void writePending();
    void publish();
    void fail(const Error &error);
    void catchUp();
    bool catchUpAtOnce();
    Error catchUpPiece(bool *isAll);
    void tryAgainLater();
    void dropEmptyFile();
    void startSync();
    void apply(const LinkChange &change);

    // Limit.
    void leaveOut(RecordingLimit::Unasked what, qint64 bytes);
    void noteLeftOut();
    void recordNote(const QByteArray &facts);
    void updateLimit();  // the disk, or where things are recorded, is another one now
    void sayHowFull();
    qint64 recorded() const;

    // Large records, in sessionlarge.cpp, step by step. What comes behind one waits until it has its place.
    // Tells the redactor something, and once more when it comes back from a large record.
    void teach(const std::function<void(Redactor &)> &lesson)
    {
        lesson(*redactor);
        if (large)
            queue.add([this, lesson] { lesson(*redactor); });
    }
    void recordLarge(const WireEvent &event, int connection, quint32 about, const std::shared_ptr<void> &hold);
    void judgeLarge();
    void indexLarge();
    void indexLargeBatch();
    void writeLarge();
    void placeLarge();

    // Reading.
    static Result<std::unique_ptr<Session>> open(const QString &path, std::shared_ptr<FileOps> calls, bool inBatches,
                                                 const std::atomic_bool *stop);
    void readAll(SessionReader &reader, const std::atomic_bool *stop);
    void load();
    void take(const ReadBatch &found);
    void takeFrom(IndexFile &&indexFile);
    void saveIndexFile() const;

    // Looking back.
    qsizetype rowOf(quint32 number) const;  // -1: none that is shown
    QByteArrayView line(qsizetype row) const;
    QByteArrayView beginning(const RecordInfo &info) const;
    std::optional<RecordLine> recordLine(qsizetype row) const;  // of a large one without its payload

    Session *const q;
    SessionHeader header;
    SessionIndex index;
    std::optional<Redactor> redactor;
    QHash<int, KeyLines> keyLines;      // of the standard error of each connection
    std::shared_ptr<SessionFile> file;  // null in memory
    QString path;
    QByteArray headerLine;  // of a file that is written: where it is shorter, that much of its header is missing
    LineStore memory;
    QList<DamagedRange> damage;
    Error error;
    bool isLive = false;
    bool hasFailed = false;  // and recordingFailed() is still to be emitted
    QByteArray plainFacts;   // the last ones in which nothing had to be replaced, as long as no more secrets are known
    size_t plainFactsSecrets = 0;
    qint64 startNs = 0;
    qint64 turnNs = 0;  // when the first record of this turn was made, and what the wall clock said then
    qint64 turnWallUs = 0;
    quint32 lastNumber = 0;
    qint64 totalBytes = 0;
    qsizetype messageCount = 0;

    // Recorded, but not to be shown yet. The first `stored` of them have their place already, the lines of the
    // others stand in `batch`.
    std::vector<RecordInfo> waiting;
    std::vector<RecordInfo> published;  // the ones before, for their memory
    size_t stored = 0;
    QByteArray batch;
    std::shared_ptr<LargeRecord> large;  // under way
    RecordQueue queue;
    std::vector<LinkChange> changes;  // to rows that are shown already
    bool isFlushScheduled = false;

    RowNumbers numbers;
    std::shared_ptr<SessionLoader> loader;  // while it reads

    RecordingLimit limit;
    QTimer leftOutTimer;  // to the next note of them

    bool isCatchingUp = false;
    bool isAsked = false;      // by a person, who wants to hear also that it failed again
    bool isTornAtEnd = false;  // of the file, which could not be shortened after a failed write
    QTimer retryTimer;

    // Set by the thread that brings data to the disk.
    struct Sync {
        std::atomic<bool> isBusy = false;
        std::atomic<bool> hasFailed = false;
        Error error;  // written before hasFailed, read after it
    };
    std::shared_ptr<Sync> sync = std::make_shared<Sync>();
    QTimer syncTimer;
    bool needsSync = false;

    mutable qint64 cachedOffset = 0;
    mutable QByteArray cachedLine;
    mutable QByteArray cachedBeginning;
    QHash<quint32, QByteArray> outlines;  // of large messages, by their numbers
};

}  // namespace sonde
