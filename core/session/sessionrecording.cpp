// SPDX-License-Identifier: Apache-2.0
#include "core/json/builder.h"
#include "core/json/scan.h"
#include "core/session/sessionprivate.h"

#include <time.h>
#include <QCoreApplication>
#include <QFile>
#include <QPointer>
#include <QThreadPool>
#include <algorithm>
#include <cerrno>
#include <utility>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype FullBatch = 1024 * 1024;  // written before the next record joins it, to bound the memory
constexpr qsizetype MaxFactsLength = 16 * 1024 * 1024;
constexpr qsizetype MaxFactLength = 1024 * 1024;  // where all of them together are longer than that
constexpr int SyncIntervalMs = 1000;

constexpr int RetryIntervalMs = 3000;
constexpr int LeftOutIntervalMs = 2000;
constexpr qsizetype CatchUpBytes = 1024 * 1024;  // in one turn of the event loop

qint64 wallClockUs()
{
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    return qint64(now.tv_sec) * 1'000'000 + now.tv_nsec / 1000;
}

bool isPayloadKind(WireEvent::Kind kind)
{
    switch (kind) {
        case WireEvent::Kind::Message:
        case WireEvent::Kind::Partial:
        case WireEvent::Kind::Junk:
        case WireEvent::Kind::Stderr:
            return true;
        default:
            return false;
    }
}

bool isBatch(QByteArrayView message)
{
    const auto first = std::find_if_not(message.begin(), message.end(), json::isSpace);
    return first != message.end() && *first == '[';
}

// Nearly always one and the same, which need not be read to be known.
bool isSameText(const QByteArray &left, const QByteArray &right)
{
    return left.size() == right.size() && (left.constData() == right.constData() || left == right);
}

// A server chooses the names and ids of its events, which can be as long as a message. With those no line could be
// read any more.
json::Document shortFacts(const json::Document &document)
{
    json::Builder facts;
    facts.beginObject();
    for (const json::Value &member : document.root()) {
        facts.key(member.key());
        if (member.slice().size() <= MaxFactLength)
            facts.raw(json::compact(member));
        else
            facts.string(u"%1 bytes left out"_s.arg(member.slice().size()));
    }
    return json::Document::parse(facts.endObject().take());
}

// A JSON object on one line, whatever was handed in.
json::Document cleanFacts(const QByteArray &facts)
{
    json::Document document = json::Document::parse(facts);
    if (facts.size() > MaxFactsLength && document.isValid() && document.root().isObject())
        return shortFacts(document);
    if (!document.isValid() || !document.root().isObject())
        return json::Document::parse(
            json::Builder().beginObject().member(u"text", QString::fromUtf8(facts)).endObject().take());
    const bool isOneLine = !facts.contains('\n') && !facts.contains('\r') && facts.front() == '{';
    return isOneLine && facts.back() == '}' ? document : json::Document::parse(json::compact(document.root()));
}

}  // namespace

QEvent::Type Session::Private::flushEvent()
{
    static const int type = QEvent::registerEventType();
    return QEvent::Type(type);
}

QEvent::Type Session::Private::catchUpEvent()
{
    static const int type = QEvent::registerEventType();
    return QEvent::Type(type);
}

Session::Private::Private(Session *session) : q(session), queue(session)
{
    syncTimer.setSingleShot(true);
    syncTimer.setInterval(SyncIntervalMs);
    QObject::connect(&syncTimer, &QTimer::timeout, q, [this] { startSync(); });
    retryTimer.setSingleShot(true);
    retryTimer.setInterval(RetryIntervalMs);
    QObject::connect(&retryTimer, &QTimer::timeout, q, [this] { catchUp(); });
    leftOutTimer.setSingleShot(true);
    leftOutTimer.setInterval(LeftOutIntervalMs);
    QObject::connect(&leftOutTimer, &QTimer::timeout, q, [this] { noteLeftOut(); });
}

void Session::Private::start(const QString &serverName)
{
    header = SessionHeader::now(serverName);
    redactor.emplace(header.key);
    startNs = monotonicNs();
    isLive = true;
}

QByteArray Session::Private::storedFacts(const QByteArray &facts, QList<RedactionMark> &marks)
{
    // The messages of a stream all say the same.
    if (facts.isEmpty() || (isSameText(facts, plainFacts) && redactor->secretCount() == plainFactsSecrets))
        return facts;
    const QByteArray redacted = redactor->redactFacts(cleanFacts(facts), marks);
    if (redacted == facts) {
        plainFacts = facts;
        plainFactsSecrets = redactor->secretCount();
    }
    return redacted;
}

RecordLine Session::Private::lineOf(const WireEvent &event, qsizetype size, int connection)
{
    if (!isFlushScheduled) {
        turnNs = monotonicNs();
        turnWallUs = wallClockUs();
    }
    const qint64 happenedNs = event.monotonicNs > 0 ? event.monotonicNs : monotonicNs();
    RecordLine line;
    line.wireLength = event.wireLength > 0 ? event.wireLength : size;
    line.isCut = line.wireLength > size;
    line.hasPayload = isPayloadKind(event.kind) || line.wireLength > 0;
    line.timeNs = qMax<qint64>(happenedNs - startNs, 0);
    line.wallUs = turnWallUs + (happenedNs - turnNs) / 1000;
    line.connection = quint16(qBound(0, connection, 0xFFFF));
    line.direction = event.direction;
    line.kind = event.kind;
    line.terminator = event.terminator;
    return line;
}

void Session::Private::record(const WireEvent &event, int connection, quint32 about, const std::shared_ptr<void> &hold)
{
    if (!isLive)
        return;
    if (queue.mustWait()) {
        WireEvent stamped = event;
        if (stamped.monotonicNs == 0)
            stamped.monotonicNs = monotonicNs();
        queue.add([this, stamped, connection, about, hold] { record(stamped, connection, about, hold); });
        return;
    }
    QByteArray bytes = event.bytes.isEmpty() ? event.message.raw() : event.bytes;
    const bool isLarge = bytes.size() > Message::LargeBytes;
    const qsizetype size = qMax(bytes.size(), event.message.raw().size());
    // The elements of a large batch are read by the worker, and judged after that.
    const auto isLargeBatch = [&] { return isLarge && isBatch(bytes); };
    if (limit.isBeyond(recorded(), size) && !isLargeBatch()) {
        const auto what = limit.unasked(event, connection, index.linker(), recorded());
        if (what != RecordingLimit::Unasked::No)
            return leaveOut(what, qMax<qint64>(event.wireLength, size));
    }
    if (isLarge)
        return recordLarge(event, connection, about, hold);
    if (batch.size() >= FullBatch)
        writePending();
    RecordLine line = lineOf(event, bytes.size(), connection);

    QList<RedactionMark> marks;
    const QByteArray facts = storedFacts(event.facts, marks);
    const bool wasRedacted = event.kind == WireEvent::Kind::Stderr
                                 ? redactor->redactLine(bytes, keyLines[connection], marks)
                                 : redactor->redactPayload(bytes, marks);

    line.number = ++lastNumber;
    line.about = about;
    line.facts = facts;
    line.payload = bytes;

    const bool isKnown =
        !wasRedacted && event.kind == WireEvent::Kind::Message && isSameText(event.message.raw(), bytes);
    std::vector<LinkChange> linked;
    RecordInfo info = index.add(line, bytes, isKnown ? &event.message : nullptr, linked);
    line.about = info.partner;
    const qsizetype before = batch.size();
    info.needsDecoding = !appendRecordLine(batch, line, marks);
    info.lineLength = quint32(batch.size() - before);
    waiting.push_back(info);
    for (const LinkChange &change : linked)
        apply(change);

    scheduleFlush();
}

// Counted, and that is all.
void Session::Private::leaveOut(RecordingLimit::Unasked what, qint64 bytes)
{
    limit.count(what, bytes);
    if (!leftOutTimer.isActive())
        leftOutTimer.start();
    recordNote(limit.takeReachedNote());
}

void Session::Private::noteLeftOut()
{
    if (isLive)
        recordNote(limit.takeLeftOutNote());
}

void Session::Private::recordNote(const QByteArray &facts)
{
    if (facts.isEmpty())
        return;
    WireEvent note;
    note.facts = facts;
    record(note, 0, 0);
}

qint64 Session::Private::recorded() const
{
    return (file && !error ? file->size() : memory.size()) + batch.size();
}

void Session::Private::updateLimit()
{
    if (file && !error)
        limit.moveToFile(file->size(), file->freeBytes());
    else
        limit.moveToMemory();
}

void Session::Private::sayHowFull()
{
    const RecordingLimit::Fill news = isLive ? limit.takeNews(recorded()) : RecordingLimit::Fill::Room;
    if (news == RecordingLimit::Fill::Near)
        Q_EMIT q->limitNear();
    else if (news == RecordingLimit::Fill::Full)
        Q_EMIT q->limitReached();
}

void Session::Private::scheduleFlush()
{
    if (isFlushScheduled)
        return;
    isFlushScheduled = true;
    QCoreApplication::postEvent(q, new QEvent(flushEvent()), Qt::HighEventPriority);
}

// Changes to rows that are shown wait until what changed them is shown too.
void Session::Private::apply(const LinkChange &change)
{
    if (change.number <= quint32(q->size())) {
        changes.push_back(change);
        return;
    }
    change.applyTo(waiting[change.number - size_t(q->size()) - 1]);
}

// Gives every waiting record its place: in the file, or in memory when there is none.
void Session::Private::writePending()
{
    if (stored == waiting.size())
        return;
    qint64 written = 0;  // of the batch
    qint64 offset = 0;
    if (file && !error) {
        offset = file->size();
        const Error problem = file->append(batch);
        written = file->size() - offset;
        needsSync = true;
        if (!syncTimer.isActive() && isLive)
            syncTimer.start();
        if (problem) {
            qint64 whole = 0;
            for (size_t i = stored; i < waiting.size() && whole + waiting[i].lineLength <= written; ++i)
                whole += waiting[i].lineLength;
            written = whole;
            file->truncate(offset + whole);
            isTornAtEnd = file->size() != offset + whole;
            fail(problem);
        }
    }
    const qint64 adopted = written == 0 && batch.size() >= FullBatch ? memory.adopt(std::exchange(batch, {})) : -1;
    qint64 position = 0;
    for (; stored < waiting.size(); ++stored) {
        RecordInfo &info = waiting[stored];
        if (position < written)
            info.fileOffset = offset + position;
        else if (adopted >= 0)
            info.fileOffset = -1 - (adopted + position);
        else
            info.fileOffset = -1 - memory.append(QByteArrayView(batch).sliced(position, info.lineLength));
        position += info.lineLength;
    }
    if (batch.capacity() > 4 * FullBatch)
        batch = QByteArray();
    else
        batch.resize(0);
}

void Session::Private::publish()
{
    const QPointer<Session> alive = q;
    const qsizetype first = q->size();
    published.clear();
    std::swap(published, waiting);
    const std::vector<LinkChange> linked = std::exchange(changes, {});
    const auto count = qsizetype(published.size());
    stored = 0;
    for (const RecordInfo &info : published) {
        q->m_records->append(info);
        totalBytes += info.wireLength;
        messageCount += info.kind == WireEvent::Kind::Message ? 1 : 0;
    }
    std::vector<qsizetype> rows;
    for (const LinkChange &change : linked) {
        const auto row = qsizetype(change.number - 1);
        RecordInfo info = q->at(row);
        change.applyTo(info);
        q->m_records->set(row, info);
        rows.push_back(row);
    }
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());

    if (count > 0)
        Q_EMIT q->appended(first, first + count - 1);
    for (const qsizetype row : rows) {
        if (!alive)
            return;
        Q_EMIT q->changed(row);
    }
    if (alive && std::exchange(hasFailed, false)) {
        tryAgainLater();
        Q_EMIT q->recordingFailed(error);
    }
    if (alive)
        sayHowFull();
}

// What the file holds stays readable through it; everything from here on is kept in memory.
void Session::Private::fail(const Error &problem)
{
    if (error)
        return;
    error = problem;
    hasFailed = true;
    updateLimit();  // of the memory from now on
    scheduleFlush();
}

void Session::Private::tryAgainLater()
{
    if (isLive && file && (error.code == ENOSPC || error.code == EDQUOT))
        retryTimer.start();
}

// New records queue up behind what is brought to the file, since they are in memory as well.
void Session::Private::catchUp()
{
    if (!isLive || !error)
        return;
    if (queue.isBusy())
        return retryTimer.start();  // it may be writing to the file
    isCatchingUp = true;
    bool isAll = false;
    if (const Error problem = catchUpPiece(&isAll)) {
        isCatchingUp = false;
        error = problem;
        hasFailed = std::exchange(isAsked, false);  // what tries by itself does so quietly
        if (hasFailed)
            scheduleFlush();
        else
            tryAgainLater();
        return;
    }
    if (!isAll) {
        QCoreApplication::postEvent(q, new QEvent(catchUpEvent()));
        return;
    }
    isCatchingUp = false;
    isAsked = false;
    syncTimer.start();
    Q_EMIT q->recordingResumed();
}

// The last attempt. True when it brought everything to the file after somebody was told that this did not work.
bool Session::Private::catchUpAtOnce()
{
    if (!file || !error)
        return false;
    isCatchingUp = false;
    for (bool isAll = false; !isAll;) {
        if (const Error problem = catchUpPiece(&isAll)) {
            error = problem;
            return false;
        }
    }
    return !std::exchange(hasFailed, false);
}

// The next piece of what is only in memory. With the last one the error is gone.
Error Session::Private::catchUpPiece(bool *isAll)
{
    const auto lineOf = [this](const RecordInfo &info) {
        return memory.read(-1 - info.fileOffset, qsizetype(info.lineLength));
    };
    writePending();
    qsizetype first = 0;  // row that is not in the file
    for (qsizetype end = q->size(); first < end;) {
        const qsizetype middle = first + (end - first) / 2;
        if (q->at(middle).fileOffset < 0)
            end = middle;
        else
            first = middle + 1;
    }
    const auto recordAt = [this](qsizetype row) -> const RecordInfo & {
        return row < q->size() ? q->at(row) : waiting[size_t(row - q->size())];
    };
    const auto setOffset = [this](qsizetype row, qint64 place) {
        if (row >= q->size()) {
            waiting[size_t(row - q->size())].fileOffset = place;
            return;
        }
        RecordInfo info = q->at(row);
        info.fileOffset = place;
        q->m_records->set(row, info);
    };
    const qsizetype all = q->size() + qsizetype(stored);
    while (first < all && recordAt(first).fileOffset >= 0)
        ++first;
    QByteArray piece = file->size() < headerLine.size() ? headerLine.sliced(qsizetype(file->size()))
                       : isTornAtEnd                    ? "\n"_ba
                                                        : QByteArray();
    const qsizetype lead = piece.size();
    qsizetype last = first;
    while (last < all && piece.size() < CatchUpBytes)
        piece.append(lineOf(recordAt(last++)));

    const qint64 offset = file->size();
    const Error problem = file->append(piece);
    const qint64 written = file->size() - offset;
    qint64 whole = qMin<qint64>(written, lead);
    for (; first < last && whole + recordAt(first).lineLength <= written; ++first) {
        setOffset(first, offset + whole);
        whole += recordAt(first).lineLength;
    }
    cachedOffset = 0;
    if (written > 0) {
        isTornAtEnd = false;
        needsSync = true;
    }
    if (problem) {
        file->truncate(offset + whole);
        isTornAtEnd = file->size() != offset + whole || (lead > 0 && written == 0);
        return problem;
    }
    *isAll = first >= all;
    if (*isAll) {
        error = {};
        memory = LineStore();
        sync->hasFailed = false;
        updateLimit();
    }
    return {};
}

// One that has not even got its header says nothing to anybody.
void Session::Private::dropEmptyFile()
{
    if (!file || file->size() >= headerLine.size())
        return;
    if (file->isStillAtPath())
        QFile::remove(path);
    file.reset();
    path.clear();
}

void Session::Private::startSync()
{
    if (sync->hasFailed) {
        fail(sync->error);
        return;
    }
    if (!needsSync && !sync->isBusy)
        return;
    syncTimer.start();
    if (!needsSync || sync->isBusy)
        return;
    needsSync = false;
    sync->isBusy = true;
    QThreadPool::globalInstance()->start([file = file, state = sync] {
        if (const Error problem = file->sync()) {
            state->error = problem;
            state->hasFailed = true;
        }
        state->isBusy = false;
    });
}

}  // namespace sonde
