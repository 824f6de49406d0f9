// SPDX-License-Identifier: Apache-2.0
#include "core/session/sessionindex.h"

#include "core/json/stringcodec.h"
#include "core/protocol/error.h"
#include "core/protocol/methods.h"
#include "core/transport/http/httppolicy.h"

#include <optional>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype MaxNameLength = 4096;  // bytes; a name is for lists and filters
constexpr QByteArrayView DiscoverName = "server/discover";
constexpr QByteArrayView InitializeName = "initialize";

RowOutcome outcomeOf(Message::Kind kind, bool isToolError, bool asksForInput)
{
    if (kind == Message::Kind::Error)
        return RowOutcome::ProtocolError;
    return asksForInput ? RowOutcome::InputRequired : isToolError ? RowOutcome::ToolError : RowOutcome::Ok;
}

bool isHttp(const RecordLine &opening)
{
    return EventFacts::read(opening.facts).transport.value_or(QString()).startsWith("http"_L1);
}

// As judgeDiscovery() has it.
bool declinesDiscovery(const Message &error)
{
    const int code = error.toError().code;
    return code != errorcodes::HeaderMismatch && code != errorcodes::MissingCapability;
}

bool declinesDiscovery(qint64 httpStatus)
{
    return httpStatus >= 400 && httpStatus != 401 && httpStatus != 403 && !http::isOutage(int(httpStatus));
}

QByteArrayView cutName(QByteArrayView name)
{
    if (name.size() <= MaxNameLength)
        return name;
    qsizetype end = MaxNameLength;
    while (end > 0 && (quint8(name.at(end)) & 0xC0) == 0x80)
        --end;
    return name.first(end);
}

}  // namespace

RowOutcome outcomeOf(const Message &response)
{
    const MessageFields &fields = response.fields();
    return outcomeOf(response.kind(), fields.isToolError(), fields.asksForInput());
}

QByteArray giveUpFacts(const RequestId &id, GiveUp why)
{
    return EventFacts{.what = toString(EventCode::GaveUp),
                      .id = id.toJson(),
                      .isLost = why == GiveUp::Lost,
                      .isCancelled = why == GiveUp::Cancelled,
                      .text = u"The response to request %1 is no longer awaited."_s.arg(id.toString())}
        .toJson();
}

RecordInfo SessionIndex::add(const RecordLine &record, const QByteArray &bytes, const Message *known,
                             std::vector<LinkChange> &changes, Batches batches)
{
    RecordInfo info;
    info.timeNs = record.timeNs;
    info.wireLength = record.wireLength;
    info.connection = record.connection;
    info.kind = record.kind;
    info.direction = record.direction;
    info.terminator = record.terminator;
    info.partner = record.about;
    switch (record.kind) {
        case WireEvent::Kind::Message:
            addMessage(record, bytes, known, batches, info, changes);
            // A subscription that is ended still gets what was under way.
            info.isLate = info.isLate && name(info.method) != methods::Listen;
            break;
        case WireEvent::Kind::Junk:
            info.hasProblems = true;
            break;
        case WireEvent::Kind::Partial:
            info.hasProblems = true;
            break;
        case WireEvent::Kind::Note:
            addFinding(record, info, changes);
            break;
        case WireEvent::Kind::Open:
            m_linker.endConnection(record.connection, false, changes);
            m_discoveries.insert(record.connection, {{}, !isHttp(record)});
            break;
        case WireEvent::Kind::HttpResponse:
            if (const auto discovery = m_discoveries.find(record.connection); discovery != m_discoveries.end())
                discovery->isDeclined =
                    declinesDiscovery(EventFacts::readNumber(record.facts, &EventFacts::status).value_or(0));
            break;
        case WireEvent::Kind::State:
            addState(record, changes);
            break;
        case WireEvent::Kind::End:
            m_linker.endAll(changes);
            break;
        default:
            break;
    }
    return info;
}

QString SessionIndex::name(quint32 number) const
{
    return number < quint32(m_names.size()) ? QString::fromUtf8(m_names.at(number)) : QString();
}

quint32 SessionIndex::numberOf(QByteArrayView name)
{
    if (name.isEmpty())
        return 0;
    name = cutName(name);
    if (name == m_names.at(qsizetype(m_latest)))
        return m_latest;
    const auto found = m_numbers.constFind(QByteArray::fromRawData(name.data(), name.size()));
    if (found != m_numbers.constEnd())
        return m_latest = *found;
    const quint32 number = m_latest = quint32(m_names.size());
    m_names.append(name.toByteArray());
    m_numbers.insert(m_names.constLast(), number);
    return number;
}

QByteArrayView SessionIndex::decoded(QByteArrayView text)
{
    if (!text.contains('\\'))
        return text;
    return json::unescape(text, m_scratch) ? QByteArrayView(m_scratch) : QByteArrayView();
}

void SessionIndex::addCall(const MessageFields &fields, RecordInfo &info)
{
    const QByteArrayView method = fields.content(MessageFields::Method);
    info.method = numberOf(method);
    if (isNamed(method))
        info.target = numberOf(decoded(fields.content(MessageFields::Name)));
    else if (hasUri(method))
        info.target = numberOf(decoded(fields.content(MessageFields::Uri)));
}

void SessionIndex::addMessage(const RecordLine &record, const QByteArray &bytes, const Message *known, Batches batches,
                              RecordInfo &info, std::vector<LinkChange> &changes)
{
    std::optional<MessageFields> read;
    const MessageFields &fields = known ? known->fields() : read.emplace(MessageFields::read(bytes));
    if (!fields.isPlain) {
        addUnusual(record, bytes, known ? *known : Message::parse(bytes), batches, info, changes);
        return;
    }
    info.messageKind = fields.kind;
    info.isPlain = true;
    switch (fields.kind) {
        case Message::Kind::Request:
            addCall(fields, info);
            addRequest(RequestId::fromPlain(fields[MessageFields::Id]), record.number, info);
            break;
        case Message::Kind::Notification:
            addCall(fields, info);
            break;
        default:
            info.outcome = outcomeOf(fields.kind, fields.isToolError(), fields.asksForInput());
            addResponse(RequestId::fromPlain(fields[MessageFields::Id]), record.number, bytes, info, changes);
            break;
    }
}

void SessionIndex::addRequest(const RequestId &id, quint32 number, RecordInfo &info)
{
    m_linker.request(id, number, info);
    if (info.direction != Direction::ToServer || m_discoveries.isEmpty())
        return;
    const QByteArray &method = m_names.at(info.method);
    const auto discovery = m_discoveries.find(info.connection);
    if (discovery != m_discoveries.end() && method == DiscoverName)
        discovery->id = id;
    else if (method != InitializeName)  // which may be sent before the other is given up
        m_discoveries.remove(info.connection);
}

void SessionIndex::addResponse(const RequestId &id, quint32 number, const QByteArray &bytes, RecordInfo &info,
                               std::vector<LinkChange> &changes)
{
    const auto discovery = info.outcome == RowOutcome::ProtocolError && info.direction == Direction::FromServer
                               ? m_discoveries.find(info.connection)
                               : m_discoveries.end();
    if (discovery != m_discoveries.end() && declinesDiscovery(Message::parse(bytes))) {
        discovery->isRefused = discovery->isRefused || !id.isMatchable();
        if (asksDiscovery(id, info.connection))
            info.outcome = RowOutcome::NotSupported;
    }
    m_linker.response(id, number, info, changes);
}

bool SessionIndex::asksDiscovery(const RequestId &id, int connection) const
{
    const auto discovery = m_discoveries.constFind(connection);
    return discovery != m_discoveries.cend() && discovery->id == id && id.isMatchable();
}

void SessionIndex::addUnusual(const RecordLine &record, const QByteArray &bytes, const Message &message,
                              Batches batches, RecordInfo &info, std::vector<LinkChange> &changes)
{
    info.messageKind = message.kind();
    info.hasProblems = !message.problems().isEmpty();
    switch (message.kind()) {
        case Message::Kind::Request:
        case Message::Kind::Notification:
            info.method = numberOf(message.method().toUtf8());
            info.target = numberOf(targetOf(message).toUtf8());
            if (message.kind() == Message::Kind::Request)
                addRequest(message.id(), record.number, info);
            break;
        case Message::Kind::Result:
        case Message::Kind::Error:
            info.outcome = outcomeOf(message);
            // As the call says that waits for it.
            if (message.kind() == Message::Kind::Result && !message.fields()[MessageFields::Result].startsWith('{') &&
                methods::needsObject(name(m_linker.methodAwaiting(message.id(), info.connection, info.direction))))
                info.outcome = RowOutcome::NoResponse;
            addResponse(message.id(), record.number, bytes, info, changes);
            break;
        case Message::Kind::Batch:
            if (batches == Batches::Later)
                break;
            for (const Element &element : elementsOf(message))
                addElement(record, element, info, changes);
            break;
        case Message::Kind::Invalid:
            break;
    }
}

std::vector<SessionIndex::Element> SessionIndex::elementsOf(const Message &batch)
{
    std::vector<Element> elements;
    for (qsizetype i = 0; i < batch.batchSize(); ++i) {
        const Message message = Message::parse(batch.batchBytes(i));
        if (message.kind() == Message::Kind::Request)
            elements.push_back(
                {message.id(), message.method().toUtf8(), targetOf(message).toUtf8(), RowOutcome::None, true});
        else if (message.isResponse())
            elements.push_back({message.id(), {}, {}, outcomeOf(message), false});
    }
    return elements;
}

// A batch is one record, so its requests and responses link others to it while it stays unlinked itself.
void SessionIndex::addElement(const RecordLine &record, const Element &element, RecordInfo &info,
                              std::vector<LinkChange> &changes)
{
    if (element.isRequest)
        m_linker.requestInBatch(element.id, record.number, numberOf(element.method), numberOf(element.target), info);
    else
        m_linker.responseInBatch(element.id, record.number, record.direction, record.connection, element.outcome,
                                 changes);
}

void SessionIndex::addState(const RecordLine &record, std::vector<LinkChange> &changes)
{
    const EventFacts facts = EventFacts::read(record.facts);
    const EventCode what = facts.eventCode();
    if (what == EventCode::StdinClosed)
        m_closing = record.connection;
    if (!endsConnection(what))
        return;
    const bool isLost = what == EventCode::Exited ? m_closing != record.connection : facts.error.has_value();
    m_linker.endConnection(record.connection, isLost, changes);
}

void SessionIndex::addFinding(const RecordLine &record, RecordInfo &info, std::vector<LinkChange> &changes)
{
    info.hasProblems = true;
    if (record.facts.isEmpty())
        return;
    const EventFacts facts = EventFacts::read(record.facts);
    const EventCode what = facts.eventCode();
    if (what == EventCode::GaveUp) {
        const RequestId id = RequestId::fromValue(json::parse(facts.id));
        // What a person cancels is no fault, nor is the end of a subscription. Where that was lost, a finding says so.
        const quint32 method = m_linker.methodAwaiting(id, record.connection, Direction::FromServer);
        const Discovery discovery = m_discoveries.value(record.connection);
        const bool isDeclined = !facts.isLost && asksDiscovery(id, record.connection) &&
                                (discovery.isRefused || (discovery.isDeclined && !facts.isCancelled));
        info.hasProblems = name(method) != methods::Listen && !facts.isCancelled && !isDeclined &&
                           !m_linker.hasAskedForInput(id, record.connection);
        m_linker.giveUp(id, record.connection, isDeclined ? RowOutcome::NotSupported : RowOutcome::NoResponse,
                        facts.isLost, changes);
    } else if (what == EventCode::StreamEnded)
        info.hasProblems = false;
    else if (record.about != 0 && record.about < record.number)
        changes.push_back({record.about, 0, RowOutcome::None, true});
}

}  // namespace sonde
