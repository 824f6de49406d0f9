// The place of large records among the others: what LargeRecord has found out is indexed here, and its line announced.
// SPDX-License-Identifier: Apache-2.0
#include "core/session/sessionprivate.h"
#include "core/transport/turnbudget.h"

#include <QThreadPool>
#include <algorithm>

namespace sonde {

void Session::Private::recordLarge(const WireEvent &event, int connection, quint32 about,
                                   const std::shared_ptr<void> &hold)
{
    large = std::make_shared<LargeRecord>(event, connection, about, hold, *redactor);
    if (large->event.monotonicNs == 0)
        large->event.monotonicNs = monotonicNs();
    queue.begin();
    queue.step([record = large] { record->examine(); }, [this] { judgeLarge(); });
}

// A batch that comes when the limit is passed is recorded for the sake of one element that belongs to a call. To look
// for it takes many turns where there are many elements.
void Session::Private::judgeLarge()
{
    LargeRecord &it = *large;
    if (std::exchange(it.isOutOfMemory, false))
        it.cutToPart();
    *redactor = it.redactor;  // with what it has come to know
    const bool isFromServer = it.event.direction == Direction::FromServer;
    const bool isOurs = !isFromServer && size_t(it.batchSize) > it.elements.size();
    if (!it.isBatch() || isOurs || !limit.isBeyond(recorded(), it.size))
        return indexLarge();
    const TurnBudget budget;
    for (; it.nextElement < it.elements.size(); ++it.nextElement) {
        const SessionIndex::Element &element = it.elements[it.nextElement];
        if (!limit.isUnasked(element, it.event.direction, it.connection, index.linker(), recorded()))
            return indexLarge();
        if (budget.isSpent())
            return queue.step([] {}, [this] { judgeLarge(); });
    }
    const bool isOther = !it.elements.empty() || !isFromServer;
    const qint64 length = qMax<qint64>(it.event.wireLength, it.size);
    large.reset();
    leaveOut(isOther ? RecordingLimit::Unasked::Other : RecordingLimit::Unasked::Notification, length);
    queue.end();
}

void Session::Private::indexLarge()
{
    LargeRecord &it = *large;
    it.nextElement = 0;
    writePending();
    it.line = lineOf(it.event, it.size, it.connection);
    it.line.isCut = it.line.wireLength > it.size || it.event.kind == WireEvent::Kind::Partial;
    QList<RedactionMark> marks;
    it.facts = storedFacts(it.event.facts, marks);
    it.marks = marks + it.marks;
    it.line.number = ++lastNumber;
    it.line.about = it.about;
    it.line.facts = it.facts;
    it.line.payload = it.bytes;
    it.event.message = {};
    const bool isMessage = it.event.kind == WireEvent::Kind::Message;
    it.info = index.add(it.line, it.bytes, isMessage ? &it.known : nullptr, it.linked, SessionIndex::Batches::Later);
    indexLargeBatch();
}

void Session::Private::indexLargeBatch()
{
    const TurnBudget budget;
    for (LargeRecord &it = *large; it.nextElement < it.elements.size(); ++it.nextElement) {
        if (budget.isSpent())
            return queue.step([] {}, [this] { indexLargeBatch(); });
        index.addElement(it.line, it.elements[it.nextElement], it.info, it.linked);
    }
    large->elements = {};
    large->known = {};
    large->line.about = large->info.partner;
    if (file && !error) {
        large->file = file;
        large->offset = file->size();
    }
    writeLarge();
}

void Session::Private::writeLarge()
{
    queue.step([record = large] { record->write(); }, [this] { placeLarge(); });
}

void Session::Private::placeLarge()
{
    LargeRecord &it = *large;
    if (it.problem) {
        // Kept in memory from here on, as everything that follows is.
        file->truncate(it.offset);
        isTornAtEnd = file->size() != it.offset;
        fail(std::exchange(it.problem, {}));
        it.file.reset();
        return writeLarge();
    }
    if (std::exchange(it.isOutOfMemory, false)) {
        it.cutPayload();
        return writeLarge();
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
    it.hold.reset();
    it.file.reset();
    // The system takes its time to take hundreds of megabytes back.
    QThreadPool::globalInstance()->start([done = std::move(large)] {});
    for (const LinkChange &change : linked)
        apply(change);
    scheduleFlush();
    queue.end();
}

}  // namespace sonde
