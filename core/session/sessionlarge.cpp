// Records too large for the event loop: a worker thread redacts them, and writes their lines in pieces.
// SPDX-License-Identifier: Apache-2.0
#include "core/json/scan.h"
#include "core/session/sessionprivate.h"
#include "core/transport/facts.h"
#include "core/transport/turnbudget.h"

#include <QFuture>
#include <QPromise>
#include <QThreadPool>
#include <new>

namespace sonde {

namespace {
constexpr qsizetype keptWithoutMemory = 64 * 1024;
constexpr qsizetype writtenAtOnce = 1024 * 1024;
constexpr qsizetype shownOfOthers = 4096;  // of what is no message, as much as anybody shows in a row
}  // namespace

// The steps take turns: one on a worker thread, the next on the session's, and so on.
struct Session::Private::Large {
    Large(WireEvent event_, int connection_, quint32 about_, std::shared_ptr<void> hold_, const Redactor &redactor_)
        : event(std::move(event_)),
          connection(connection_),
          about(about_),
          hold(std::move(hold_)),
          redactor(redactor_),
          bytes(event.bytes.isEmpty() ? event.message.raw() : event.bytes)
    {
        event.bytes.clear();
    }

    // On a worker thread.
    void examine();
    void write();
    void writeToFile();
    void writeToMemory();
    void rest() {}  // only gives the event loop its turn

    WireEvent event;
    int connection;
    quint32 about;
    std::shared_ptr<void> hold;
    Redactor redactor;  // a copy: it is not safe to share between threads

    QByteArray bytes;  // as they are stored
    QList<RedactionMark> marks;
    Message known;
    QByteArray outline;
    std::vector<SessionIndex::Element> elements;  // of a batch
    size_t nextElement = 0;
    bool isOutOfMemory = false;

    RecordLine line;
    QByteArray facts;
    RecordInfo info;
    std::vector<LinkChange> linked;

    std::shared_ptr<SessionFile> file;  // null: into memory
    qint64 offset = 0;
    QByteArray text;
    Error problem;
    WrittenLine written;

    QFuture<void> future;
    void (Private::*next)() = nullptr;
};

void Session::Private::Large::examine()
{
    try {
        redactor.redactPayload(bytes, marks);
        if (event.kind != WireEvent::Kind::Message) {
            outline = bytes.left(shownOfOthers);
            return;
        }
        // One of its own: the tree of the message that came may be made at the same time by others.
        known = Message::parse(bytes);
        outline = json::outline(bytes);
        if (known.kind() == Message::Kind::Batch)
            elements = SessionIndex::elementsOf(known);
        else if (!known.envelope().isPlain && known.kind() != Message::Kind::Error)
            known.document();
    } catch (const std::bad_alloc &) {
        isOutOfMemory = true;
    }
}

void Session::Private::Large::write()
{
    try {
        if (file)
            writeToFile();
        else
            writeToMemory();
    } catch (const std::bad_alloc &) {
        isOutOfMemory = true;
        text = {};
    }
}

void Session::Private::Large::writeToFile()
{
    QByteArray pieces;
    pieces.reserve(2 * writtenAtOnce);
    const auto put = [&](bool isLast) {
        if (isLast || pieces.size() >= writtenAtOnce) {
            problem = file->append(pieces);
            pieces.resize(0);
        }
        return !problem;
    };
    written = writeRecordLine(line, marks, [&](QByteArrayView piece) {
        pieces.append(piece.data(), piece.size());
        return put(false);
    });
    if (!problem)
        put(true);
}

void Session::Private::Large::writeToMemory()
{
    text.reserve(line.payload.size() + line.payload.size() / 8 + 4096);
    written = writeRecordLine(line, marks, [this](QByteArrayView piece) {
        text.append(piece.data(), piece.size());
        return true;
    });
}

void Session::Private::recordLarge(const WireEvent &event, int connection, quint32 about,
                                   const std::shared_ptr<void> &hold)
{
    large = std::make_shared<Large>(event, connection, about, hold, *redactor);
    if (large->event.monotonicNs == 0)
        large->event.monotonicNs = monotonicNs();
    startStep(&Large::examine, &Private::indexLarge);
}

// next is called on the session's thread.
void Session::Private::startStep(void (Large::*work)(), void (Private::*next)())
{
    const auto promise = std::make_shared<QPromise<void>>();
    large->future = promise->future();
    large->next = next;
    promise->start();
    // The session waits for the end of the work before it goes, so both are there for as long as it takes.
    QThreadPool::globalInstance()->start([this, promise, work, step = large.get(), next] {
        (step->*work)();
        QMetaObject::invokeMethod(
            q,
            [this, step, next] {
                if (large.get() == step && step->next == next)
                    (this->*std::exchange(step->next, nullptr))();
            },
            Qt::QueuedConnection);
        promise->finish();
    });
}

void Session::Private::indexLarge()
{
    large->future.waitForFinished();
    Large &it = *large;
    if (std::exchange(it.isOutOfMemory, false)) {
        it.bytes = (it.event.message.raw().isEmpty() ? it.bytes : it.event.message.raw()).left(keptWithoutMemory);
        it.marks.clear();
        it.redactor.redactPayload(it.bytes, it.marks);
        it.known = {};
        it.outline.clear();
        it.elements.clear();
        it.event.kind = WireEvent::Kind::Partial;
        it.event.facts = Facts().text(u"what", u"out of memory").take();
    }
    *redactor = it.redactor;  // with what it has come to know
    writePending();
    it.line = lineOf(it.event, it.bytes, it.connection);
    QList<RedactionMark> marks;
    it.facts = storedFacts(it.event.facts, marks);
    it.marks = marks + it.marks;
    it.line.number = ++lastNumber;
    it.line.answers = it.about;
    it.line.facts = it.facts;
    it.line.payload = it.bytes;
    it.event.message = {};
    const bool isMessage = it.event.kind == WireEvent::Kind::Message;
    it.info = index.add(it.line, it.bytes, isMessage ? &it.known : nullptr, it.linked);
    indexLargeBatch();
}

void Session::Private::indexLargeBatch()
{
    const TurnBudget budget;
    for (Large &it = *large; it.nextElement < it.elements.size(); ++it.nextElement) {
        if (budget.isSpent())
            return startStep(&Large::rest, &Private::indexLargeBatch);
        index.addElement(it.line, it.elements[it.nextElement], it.info, it.linked);
    }
    large->elements = {};
    large->known = {};
    large->line.answers = large->info.partner;
    writeLarge();
}

void Session::Private::writeLarge()
{
    if (file && !error) {
        large->file = file;
        large->offset = file->size();
    }
    startStep(&Large::write, &Private::placeLarge);
}

void Session::Private::placeLarge()
{
    large->future.waitForFinished();
    Large &it = *large;
    if (it.problem) {
        // Kept in memory from here on, as everything that follows is.
        file->truncate(it.offset);
        isTornAtEnd = file->size() != it.offset;
        fail(std::exchange(it.problem, {}));
        it.file.reset();
        return startStep(&Large::write, &Private::placeLarge);
    }
    if (std::exchange(it.isOutOfMemory, false)) {
        it.bytes.truncate(keptWithoutMemory);
        it.bytes.squeeze();
        it.marks.removeIf([size = it.bytes.size()](const RedactionMark &mark) {
            return !mark.inFacts && mark.offset + mark.length > size;
        });
        it.line.payload = it.bytes;
        it.line.isCut = true;
        return startStep(&Large::write, &Private::placeLarge);
    }
    it.info.lineLength = quint32(it.written.length);
    it.info.needsDecoding = !it.written.isText;
    if (it.file) {
        it.info.fileOffset = it.offset;
        needsSync = true;
        if (!syncTimer.isActive())
            syncTimer.start();
    } else {
        it.info.fileOffset = -1 - memory.adopt(std::move(it.text));
    }
    if (!it.outline.isEmpty())
        outlines.insert(it.line.number, it.outline);
    waiting.push_back(it.info);
    ++stored;
    const std::vector<LinkChange> linked = std::move(it.linked);
    large.reset();
    for (const LinkChange &change : linked)
        apply(change);
    scheduleFlush();
    goOn(false);
}

// What waited behind a large record: it has been looked at already, but may be a lot.
void Session::Private::goOn(bool isAtOnce)
{
    const TurnBudget budget;
    isGoingOn = true;
    while (!large && !behind.empty() && (isAtOnce || !budget.isSpent())) {
        const std::function<void()> action = std::move(behind.front());
        behind.pop_front();
        action();
    }
    isGoingOn = false;
    if (!large && !behind.empty())
        QMetaObject::invokeMethod(
            q, [this] { goOn(false); }, Qt::QueuedConnection);
}

void Session::Private::finishLarge()
{
    while (large || !behind.empty()) {
        if (!large) {
            goOn(true);
            continue;
        }
        large->future.waitForFinished();
        if (const auto next = std::exchange(large->next, nullptr))
            (this->*next)();
    }
}

}  // namespace sonde
