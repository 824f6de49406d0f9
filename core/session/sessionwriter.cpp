// SPDX-License-Identifier: Apache-2.0
#include "core/session/sessionwriter.h"

#include "core/json/builder.h"
#include "core/json/scan.h"
#include "core/transport/monotonicclock.h"

#include <QCoreApplication>
#include <QPointer>
#include <algorithm>
#include <chrono>
#include <utility>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype MaxFactsLength = 16 * 1024 * 1024;
constexpr qsizetype MaxFactLength = 1024 * 1024;  // where all of them together are longer than that
constexpr int LeftOutIntervalMs = 2000;

qint64 wallClockUs()
{
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::microseconds>(now).count();
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
        return json::Document::parse(EventFacts{.text = QString::fromUtf8(facts)}.toJson());
    const bool isOneLine = !facts.contains('\n') && !facts.contains('\r') && facts.front() == '{';
    return isOneLine && facts.back() == '}' ? document : json::Document::parse(json::compact(document.root()));
}

QEvent::Type flushEvent()
{
    static const int type = QEvent::registerEventType();
    return QEvent::Type(type);
}

}  // namespace

SessionWriter::SessionWriter(Session *session, SessionData *data, const QString &serverName)
    : m_session(session),
      m_data(*data),
      m_queue(this),
      m_store(data, &m_queue),
      m_largeRecords(this),
      m_redactor((data->header = SessionHeader::now(serverName)).key),
      m_startNs(monotonicNs())
{
    connect(&m_store, &SessionStore::moved, this, &SessionWriter::updateLimit);
    connect(&m_store, &SessionStore::failed, this, &SessionWriter::scheduleFlush);
    connect(&m_store, &SessionStore::resumed, m_session, &Session::recordingResumed);
    m_leftOutTimer.setSingleShot(true);
    m_leftOutTimer.setInterval(LeftOutIntervalMs);
    connect(&m_leftOutTimer, &QTimer::timeout, this, &SessionWriter::noteLeftOut);
    m_floodTimer.setSingleShot(true);
    m_floodTimer.setInterval(0);
    connect(&m_floodTimer, &QTimer::timeout, this, &SessionWriter::flushTurn);
}

void SessionWriter::addFinding(const QString &text, const RequestId &id, int connection)
{
    if (m_queue.mustWait())
        return m_queue.add([this, text, id, connection] { addFinding(text, id, connection); });
    WireEvent event;
    event.facts = EventFacts{.text = text}.toJson();
    record(event, connection, m_data.index.linker().latest(id, connection));
}

void SessionWriter::addRuleFinding(const QString &text, quint32 about, int connection)
{
    WireEvent event;
    event.facts = EventFacts{.text = text, .by = u"rules"_s}.toJson();
    record(event, connection, about);
}

void SessionWriter::giveUp(const RequestId &id, int connection, GiveUp why)
{
    if (m_queue.mustWait())
        return m_queue.add([this, id, connection, why] { giveUp(id, connection, why); });
    const SessionLinker &linker = m_data.index.linker();
    if (!linker.isPending(id, connection) && !linker.hasAskedForInput(id, connection))
        return;
    WireEvent event;
    event.facts = giveUpFacts(id, why);
    record(event, connection, linker.latest(id, connection));
}

// Once more when the redactor comes back from a large record.
void SessionWriter::teach(const std::function<void(Redactor &)> &lesson)
{
    lesson(m_redactor);
    if (m_largeRecords.isBusy())
        m_queue.add([this, lesson] { lesson(m_redactor); });
}

QByteArray SessionWriter::masked(const QByteArray &text)
{
    QByteArray result = text;
    QList<RedactionMark> ignored;
    m_redactor.redactPayload(result, ignored);
    return result;
}

void SessionWriter::setLimit(qint64 bytes)
{
    m_limit.setWanted(bytes);
    noteLeftOut();
    updateLimit();
}

void SessionWriter::flush()
{
    m_queue.finish();
    m_store.writePending();
    publish();
}

void SessionWriter::finish()
{
    if (!m_isLive)
        return;
    m_queue.finish();
    noteLeftOut();
    WireEvent event;
    event.kind = WireEvent::Kind::End;
    record(event, 0, 0);
    m_leftOutTimer.stop();
    const bool hasResumed = m_store.finish();
    m_isLive = false;
    const QPointer<Session> alive = m_session;
    publish();
    if (alive && hasResumed && !m_data.error)
        Q_EMIT m_session->recordingResumed();
}

void SessionWriter::resume(Session::Pace pace)
{
    if (pace == Session::Pace::AtOnce)
        flush();
    m_store.resume(pace);
}

bool SessionWriter::event(QEvent *event)
{
    if (event->type() != flushEvent())
        return QObject::event(event);
    flushTurn();
    return true;
}

// While a flood lasts, its records follow a turn later, so that the other thread does most of the writing. A row that
// is shown must not name one that is not.
void SessionWriter::flushTurn()
{
    m_isFlushScheduled = false;
    m_hasRecorded = false;
    if (m_store.takeFlood() && !m_hasLinked) {
        m_store.placeWritten();
        m_isFlushScheduled = true;
        m_floodTimer.start();
    } else {
        m_store.writePending();
        m_hasLinked = false;
    }
    publish();
}

QByteArray SessionWriter::storedFacts(const QByteArray &facts, QList<RedactionMark> &marks)
{
    // The messages of a stream all say the same.
    if (facts.isEmpty() || (isSameText(facts, m_plainFacts) && m_redactor.secretCount() == m_plainFactsSecrets))
        return facts;
    const QByteArray redacted = m_redactor.redactFacts(cleanFacts(facts), marks);
    if (redacted == facts) {
        m_plainFacts = facts;
        m_plainFactsSecrets = m_redactor.secretCount();
    }
    return redacted;
}

RecordLine SessionWriter::lineOf(const WireEvent &event, qsizetype size, int connection)
{
    if (!std::exchange(m_hasRecorded, true)) {
        m_turnNs = monotonicNs();
        m_turnWallUs = wallClockUs();
    }
    const qint64 happenedNs = event.monotonicNs > 0 ? event.monotonicNs : monotonicNs();
    RecordLine line;
    line.wireLength = event.wireLength > 0 ? event.wireLength : size;
    line.isCut = line.wireLength > size;
    line.hasPayload = isPayloadKind(event.kind) || line.wireLength > 0;
    line.timeNs = qMax<qint64>(happenedNs - m_startNs, 0);
    line.wallUs = m_turnWallUs + (happenedNs - m_turnNs) / 1000;
    line.connection = quint16(qBound(0, connection, 0xFFFF));
    line.direction = event.direction;
    line.kind = event.kind;
    line.terminator = event.terminator;
    return line;
}

void SessionWriter::record(const WireEvent &event, int connection, quint32 about, const std::shared_ptr<void> &hold)
{
    if (!m_isLive)
        return;
    if (m_queue.mustWait()) {
        WireEvent stamped = event;
        if (stamped.monotonicNs == 0)
            stamped.monotonicNs = monotonicNs();
        m_queue.add([this, stamped, connection, about, hold] { record(stamped, connection, about, hold); });
        return;
    }
    QByteArray bytes = event.bytes.isEmpty() ? event.message.raw() : event.bytes;
    const bool isLarge = bytes.size() > Message::LargeBytes;
    const qsizetype size = qMax(bytes.size(), event.message.raw().size());
    // The elements of a large batch are read by the worker, and judged after that.
    const auto isLargeBatch = [&] { return isLarge && isBatch(bytes); };
    if (m_limit.isBeyond(m_store.recorded(), size) && !isLargeBatch()) {
        const auto what = m_limit.unasked(event, connection, m_data.index.linker(), m_store.recorded());
        if (what != RecordingLimit::Unasked::No)
            return leaveOut(what, qMax<qint64>(event.wireLength, size));
    }
    if (isLarge)
        return m_largeRecords.record(event, connection, about, hold);
    RecordLine line = lineOf(event, bytes.size(), connection);

    QList<RedactionMark> marks;
    const QByteArray facts = storedFacts(event.facts, marks);
    const bool wasRedacted = event.kind == WireEvent::Kind::Stderr
                                 ? m_redactor.redactLine(bytes, m_keyLines[connection], marks)
                                 : m_redactor.redactPayload(bytes, marks);

    line.number = ++m_data.lastNumber;
    line.about = about;
    line.facts = facts;
    line.payload = bytes;

    const bool isKnown =
        !wasRedacted && event.kind == WireEvent::Kind::Message && isSameText(event.message.raw(), bytes);
    std::vector<LinkChange> linked;
    RecordInfo info = m_data.index.add(line, bytes, isKnown ? &event.message : nullptr, linked);
    line.about = info.partner;
    m_store.append(info, line, marks);
    for (const LinkChange &change : linked)
        apply(change);

    scheduleFlush();
}

// Counted, and that is all.
void SessionWriter::leaveOut(RecordingLimit::Unasked what, qint64 bytes)
{
    m_limit.count(what, bytes);
    if (!m_leftOutTimer.isActive())
        m_leftOutTimer.start();
    recordNote(m_limit.takeReachedNote());
}

void SessionWriter::noteLeftOut()
{
    if (m_isLive)
        recordNote(m_limit.takeLeftOutNote());
}

void SessionWriter::recordNote(const QByteArray &facts)
{
    if (facts.isEmpty())
        return;
    WireEvent note;
    note.facts = facts;
    record(note, 0, 0);
}

void SessionWriter::updateLimit()
{
    if (m_store.isInFile())
        m_limit.moveToFile(m_data.file->size(), m_data.file->freeBytes());
    else
        m_limit.moveToMemory();
}

void SessionWriter::sayHowFull()
{
    const RecordingLimit::Fill news = m_isLive ? m_limit.takeNews(m_store.recorded()) : RecordingLimit::Fill::Room;
    if (news == RecordingLimit::Fill::Near)
        Q_EMIT m_session->limitNear();
    else if (news == RecordingLimit::Fill::Full)
        Q_EMIT m_session->limitReached();
}

void SessionWriter::scheduleFlush()
{
    if (m_isFlushScheduled)
        return;
    m_isFlushScheduled = true;
    QCoreApplication::postEvent(this, new QEvent(flushEvent()), Qt::HighEventPriority);
}

// Changes to rows that are shown wait until what changed them is shown too.
void SessionWriter::apply(const LinkChange &change)
{
    m_hasLinked = true;
    if (change.number <= quint32(m_session->size())) {
        m_changes.push_back(change);
        return;
    }
    change.applyTo(m_store.waiting(change.number - size_t(m_session->size()) - 1));
}

void SessionWriter::publish()
{
    const QPointer<Session> alive = m_session;
    const qsizetype first = m_session->size();
    const std::vector<RecordInfo> &shown = m_store.takePlaced();
    const auto count = qsizetype(shown.size());
    const std::vector<LinkChange> linked = std::exchange(m_changes, {});
    for (const RecordInfo &info : shown) {
        m_data.records->append(info);
        m_data.totalBytes += info.wireLength;
        m_data.messageCount += info.kind == WireEvent::Kind::Message ? 1 : 0;
    }
    std::vector<qsizetype> rows;
    for (const LinkChange &change : linked) {
        const auto row = qsizetype(change.number - 1);
        RecordInfo info = m_session->at(row);
        change.applyTo(info);
        m_data.records->set(row, info);
        rows.push_back(row);
    }
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());

    if (count > 0)
        Q_EMIT m_session->appended(first, first + count - 1);
    for (const qsizetype row : rows) {
        if (!alive)
            return;
        Q_EMIT m_session->changed(row);
    }
    if (alive && m_store.takeFailure())
        Q_EMIT m_session->recordingFailed(m_data.error);
    if (alive)
        sayHowFull();
}

}  // namespace sonde
