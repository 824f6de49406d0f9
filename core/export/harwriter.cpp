// SPDX-License-Identifier: Apache-2.0
#include "core/export/harwriter.h"

#include "core/export/exporttext.h"
#include "core/protocol/numbertext.h"

#include <QUrl>
#include <QUrlQuery>
#include <algorithm>
#include <map>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 MaxWaitMs = qint64(1) << 40;  // whatever a file claims

QString headerValue(const EventFacts &facts, QStringView header)
{
    for (const auto &[name, value] : facts.headers.value_or(EventFacts::Pairs())) {
        if (name.compare(header, Qt::CaseInsensitive) == 0)
            return value;
    }
    return {};
}

void addHeaders(json::Builder &har, const EventFacts &facts)
{
    har.key(u"headers").beginArray();
    for (const auto &[name, value] : facts.headers.value_or(EventFacts::Pairs()))
        har.beginObject().member(u"name", name).member(u"value", value).endObject();
    har.endArray();
}

// One event of an event stream, with all fields that were recorded of it.
QByteArray eventText(const EventFacts &facts, const QByteArray &data)
{
    const auto lines = [](const char *field, QByteArray text) {
        return QByteArray(field) + text.replace('\n', QByteArray("\n") + field) + '\n';
    };
    QByteArray text;
    if (facts.comment)
        text += lines(": ", facts.comment->toUtf8());
    if (facts.event)
        text += "event: " + facts.event->toUtf8() + '\n';
    if (!facts.id.isEmpty())
        text += "id: " + json::parse(facts.id).string().toUtf8() + '\n';
    if (facts.retry)
        text += "retry: " + QByteArray::number(*facts.retry) + '\n';
    if (!data.isEmpty())
        text += lines("data: ", data);
    return text + '\n';
}

}  // namespace

void HarWriter::write()
{
    std::vector<Exchange> all = exchanges();
    if (m_input.options().rows)
        keepChosen(&all);
    m_output.put(R"({"log":{"version":"1.2","creator":{"name":"Sonde","version":")" SONDE_VERSION
                 R"("},"comment":"Bodies of event streams are put together again from their events.","entries":[)"_ba);
    for (const Exchange &exchange : all) {
        if (m_input.isStopped())
            return;
        m_output.put(QByteArray(m_output.count() == 0 ? "\n" : ",\n"));
        m_output.addWritten();
        m_output.put(entry(exchange));
    }
    m_output.put("\n]}}\n"_ba);
}

std::vector<HarWriter::Exchange> HarWriter::exchanges() const
{
    std::vector<Exchange> exchanges;
    std::map<std::pair<int, qint64>, size_t> byStream;
    std::map<std::pair<int, qint64>, std::vector<qsizetype>> early;  // messages recorded before their request
    for (qsizetype row = 0; row < m_session.size() && !m_input.isStopped(); ++row) {
        const RecordInfo &record = m_session.at(row);
        const std::optional<qint64> number = EventFacts::readNumber(m_session.facts(row), &EventFacts::stream);
        if (!number)
            continue;
        const std::pair<int, qint64> stream{record.connection, *number};
        if (record.kind == WireEvent::Kind::HttpRequest) {
            Exchange made;
            made.request = row;
            made.lastNs = record.timeNs;
            made.sent = std::exchange(early[stream], {});
            byStream[stream] = exchanges.size();
            exchanges.push_back(made);
            continue;
        }
        const auto found = byStream.find(stream);
        if (found == byStream.end()) {
            if (record.kind == WireEvent::Kind::Message && record.direction == Direction::ToServer)
                early[stream].push_back(row);
            continue;
        }
        Exchange &exchange = exchanges[found->second];
        exchange.lastNs = record.timeNs;
        if (record.kind == WireEvent::Kind::HttpResponse)
            exchange.response = exchange.response < 0 ? row : exchange.response;
        else if (record.direction == Direction::ToServer)
            exchange.sent.push_back(row);
        else
            exchange.received.push_back(row);
    }
    return exchanges;
}

// An exchange is more than the message for which it was chosen: it comes as a whole.
void HarWriter::keepChosen(std::vector<Exchange> *exchanges) const
{
    const std::vector<qsizetype> &rows = *m_input.options().rows;
    const auto isChosen = [&rows](qsizetype row) { return std::binary_search(rows.begin(), rows.end(), row); };
    std::erase_if(*exchanges, [&](const Exchange &exchange) {
        return !isChosen(exchange.request) && !isChosen(exchange.response) &&
               std::none_of(exchange.sent.begin(), exchange.sent.end(), isChosen) &&
               std::none_of(exchange.received.begin(), exchange.received.end(), isChosen);
    });
}

QByteArray HarWriter::entry(const Exchange &exchange)
{
    const EventFacts asked = EventFacts::read(m_input.facts(exchange.request));
    const EventFacts answered =
        exchange.response >= 0 ? EventFacts::read(m_input.facts(exchange.response)) : EventFacts();
    const RecordInfo &request = m_session.at(exchange.request);
    const qint64 waitedNs = waitNs(exchange, answered);
    const qint64 receiveNs = qMax<qint64>(exchange.lastNs - request.timeNs - waitedNs, 0);

    json::Builder har;
    har.beginObject();
    har.member(u"startedDateTime", timeText(m_session, exchange.request));
    har.key(u"time").number(milliseconds(waitedNs) + milliseconds(receiveNs));
    addRequest(har, exchange, asked);
    addResponse(har, exchange, answered);
    har.key(u"cache").beginObject().endObject();
    har.key(u"timings").beginObject().member(u"send", qint64(0));
    har.key(u"wait").number(milliseconds(waitedNs));
    har.key(u"receive").number(milliseconds(receiveNs)).endObject();
    har.member(u"connection", QString::number(request.connection));
    if (exchange.response < 0)
        har.member(u"comment", u"No response was recorded.");
    return har.endObject().take();
}

void HarWriter::addRequest(json::Builder &har, const Exchange &exchange, const EventFacts &asked)
{
    const QString url = asked.url.value_or(QString());
    QByteArray body = ownBody(exchange.request);
    for (const qsizetype row : exchange.sent)
        body += m_input.payload(row);
    har.key(u"request").beginObject();
    har.member(u"method", asked.method.value_or(QString())).member(u"url", url).member(u"httpVersion", u"HTTP/1.1");
    har.key(u"cookies").beginArray().endArray();
    addHeaders(har, asked);
    har.key(u"queryString").beginArray();
    const auto items = QUrlQuery(QUrl(url)).queryItems(QUrl::FullyDecoded);
    for (const auto &[name, value] : items)
        har.beginObject().member(u"name", name).member(u"value", value).endObject();
    har.endArray();
    if (!body.isEmpty()) {
        har.key(u"postData").beginObject();
        har.member(u"mimeType", headerValue(asked, u"content-type"));
        har.key(u"params").beginArray().endArray();
        har.member(u"text", QString::fromUtf8(body)).endObject();
    }
    har.member(u"headersSize", qint64(-1)).member(u"bodySize", qint64(body.size())).endObject();
}

void HarWriter::addResponse(json::Builder &har, const Exchange &exchange, const EventFacts &answered)
{
    const QString type = headerValue(answered, u"content-type");
    const bool isStream = type.startsWith(u"text/event-stream", Qt::CaseInsensitive);
    QByteArray content = exchange.response < 0 ? QByteArray() : ownBody(exchange.response);
    for (const qsizetype row : exchange.received) {
        const WireEvent::Kind kind = m_session.at(row).kind;
        if (!isStream)
            content += m_input.payload(row);
        else if (kind == WireEvent::Kind::Message || kind == WireEvent::Kind::Junk || kind == WireEvent::Kind::Sse)
            content += eventText(EventFacts::read(m_input.facts(row)), m_input.payload(row));
    }
    har.key(u"response").beginObject();
    har.member(u"status", answered.status.value_or(0));
    har.member(u"statusText", answered.reason.value_or(QString())).member(u"httpVersion", u"HTTP/1.1");
    har.key(u"cookies").beginArray().endArray();
    addHeaders(har, answered);
    har.key(u"content").beginObject().member(u"size", qint64(content.size()));
    har.member(u"mimeType", type.isEmpty() ? u"x-unknown"_s : type);
    if (!content.isEmpty())
        har.member(u"text", QString::fromUtf8(content));
    har.endObject();
    har.member(u"redirectURL", headerValue(answered, u"location"));
    har.member(u"headersSize", qint64(-1)).member(u"bodySize", qint64(-1)).endObject();
}

qint64 HarWriter::waitNs(const Exchange &exchange, const EventFacts &answered) const
{
    const qint64 startNs = m_session.at(exchange.request).timeNs;
    if (exchange.response < 0)
        return exchange.lastNs - startNs;
    const qint64 passedMs = (m_session.at(exchange.response).timeNs - startNs) / 1'000'000;
    return qBound<qint64>(0, answered.ms.value_or(passedMs), MaxWaitMs) * 1'000'000;
}

QByteArray HarWriter::ownBody(qsizetype row)
{
    return m_session.at(row).wireLength > 0 ? m_input.payload(row) : QByteArray();
}

}  // namespace sonde
