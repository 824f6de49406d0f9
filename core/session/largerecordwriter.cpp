// SPDX-License-Identifier: Apache-2.0
#include "core/session/largerecordwriter.h"

#include "core/session/largerecord.h"
#include "core/session/sessionwriter.h"
#include "core/transport/monotonicclock.h"
#include "core/transport/turnbudget.h"

#include <QThreadPool>

namespace sonde {

LargeRecordWriter::LargeRecordWriter(SessionWriter *writer) : m_writer(*writer), m_data(writer->m_data) {}

void LargeRecordWriter::record(const WireEvent &event, int connection, quint32 about, const std::shared_ptr<void> &hold)
{
    m_large = std::make_shared<LargeRecord>(event, connection, about, hold, m_writer.m_redactor);
    if (m_large->event.monotonicNs == 0)
        m_large->event.monotonicNs = monotonicNs();
    m_writer.m_queue.begin();
    m_writer.m_queue.step([record = m_large] { record->examine(); }, [this] { judge(); });
}

// A batch that comes when the limit is passed is recorded for the sake of one element that belongs to a call. To look
// for it takes many turns where there are many elements.
void LargeRecordWriter::judge()
{
    LargeRecord &it = *m_large;
    if (std::exchange(it.isOutOfMemory, false))
        it.cutToPart();
    m_writer.m_redactor = it.redactor;  // with what it has come to know
    const bool isFromServer = it.event.direction == Direction::FromServer;
    const bool isOurs = !isFromServer && size_t(it.batchSize) > it.elements.size();
    if (!it.isBatch() || isOurs || !m_writer.m_limit.isBeyond(m_writer.recorded(), it.size))
        return indexRecord();
    const TurnBudget budget;
    for (; it.nextElement < it.elements.size(); ++it.nextElement) {
        const SessionIndex::Element &element = it.elements[it.nextElement];
        if (!m_writer.m_limit.isUnasked(element, it.event.direction, it.connection, m_data.index.linker(),
                                        m_writer.recorded()))
            return indexRecord();
        if (budget.isSpent())
            return m_writer.m_queue.step([] {}, [this] { judge(); });
    }
    const bool isOther = !it.elements.empty() || !isFromServer;
    const qint64 length = qMax<qint64>(it.event.wireLength, it.size);
    m_large.reset();
    m_writer.leaveOut(isOther ? RecordingLimit::Unasked::Other : RecordingLimit::Unasked::Notification, length);
    m_writer.m_queue.end();
}

void LargeRecordWriter::indexRecord()
{
    LargeRecord &it = *m_large;
    it.nextElement = 0;
    m_writer.m_store.writePending();
    it.line = m_writer.lineOf(it.event, it.size, it.connection);
    it.line.isCut = it.line.wireLength > it.size || it.event.kind == WireEvent::Kind::Partial;
    QList<RedactionMark> marks;
    it.facts = m_writer.storedFacts(it.event.facts, marks);
    it.marks = marks + it.marks;
    it.line.number = ++m_data.lastNumber;
    it.line.about = it.about;
    it.line.facts = it.facts;
    it.line.payload = it.bytes;
    it.event.message = {};
    const bool isMessage = it.event.kind == WireEvent::Kind::Message;
    it.info =
        m_data.index.add(it.line, it.bytes, isMessage ? &it.known : nullptr, it.linked, SessionIndex::Batches::Later);
    indexBatch();
}

void LargeRecordWriter::indexBatch()
{
    const TurnBudget budget;
    for (LargeRecord &it = *m_large; it.nextElement < it.elements.size(); ++it.nextElement) {
        if (budget.isSpent())
            return m_writer.m_queue.step([] {}, [this] { indexBatch(); });
        m_data.index.addElement(it.line, it.elements[it.nextElement], it.info, it.linked);
    }
    m_large->line.about = m_large->info.partner;
    if (m_writer.m_store.isInFile()) {
        m_large->file = m_data.file;
        m_large->offset = m_data.file->size();
    }
    write();
}

void LargeRecordWriter::write()
{
    m_writer.m_queue.step([record = m_large] { record->write(); }, [this] { place(); });
}

void LargeRecordWriter::place()
{
    LargeRecord &it = *m_large;
    if (it.problem) {
        // Kept in memory from here on, as everything that follows is.
        m_writer.m_store.cutFile(it.offset);
        m_writer.m_store.fail(std::exchange(it.problem, {}));
        it.file.reset();
        return write();
    }
    if (std::exchange(it.isOutOfMemory, false)) {
        it.cutPayload();
        return write();
    }
    it.info.lineLength = quint32(it.written.length);
    it.info.needsDecoding = !it.written.isText;
    if (it.file) {
        it.info.fileOffset = it.offset;
        m_writer.m_store.needSync();
    } else {
        it.info.fileOffset = m_writer.m_store.adopt(std::move(it.text));
    }
    if (!it.outline.isEmpty())
        m_data.outlines.insert(it.line.number, it.outline);
    m_writer.m_store.appendPlaced(it.info);
    const std::vector<LinkChange> linked = std::move(it.linked);
    it.hold.reset();
    it.file.reset();
    // The system takes its time to take hundreds of megabytes back.
    QThreadPool::globalInstance()->start([done = std::move(m_large)] {});
    for (const LinkChange &change : linked)
        m_writer.apply(change);
    m_writer.scheduleFlush();
    m_writer.m_queue.end();
}

}  // namespace sonde
