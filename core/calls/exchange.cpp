// SPDX-License-Identifier: Apache-2.0
#include "core/calls/exchange.h"

namespace sonde {

namespace {

// A head stands near what it carried. Kinds are in memory; facts have to be read from the file.
constexpr qsizetype MaxRows = 100'000;
constexpr int MaxReads = 400;

std::optional<qint64> streamOf(const Session &session, qsizetype row)
{
    return EventFacts::readNumber(session.facts(row), &EventFacts::stream);
}

// The nearest record of that kind on the stream, before or after the row.
qsizetype nearest(const Session &session, qsizetype row, WireEvent::Kind kind, qint64 stream, int step)
{
    const quint16 connection = session.at(row).connection;
    int reads = 0;
    for (qsizetype at = row + step, seen = 0; at >= 0 && at < session.size() && seen < MaxRows; at += step, ++seen) {
        const RecordInfo &record = session.at(at);
        const bool isHead = record.kind == WireEvent::Kind::HttpRequest || record.kind == WireEvent::Kind::HttpResponse;
        if (!isHead || record.connection != connection)
            continue;
        if (++reads > MaxReads)
            break;
        if (streamOf(session, at) != stream)
            continue;
        // The next request on the stream begins another exchange.
        if (record.kind == kind)
            return at;
        if (record.kind == WireEvent::Kind::HttpRequest)
            break;
    }
    return -1;
}

// Written down right before the message, or after it where it had to wait for the end of the handshake.
qsizetype requestOf(const Session &session, qsizetype row, qint64 stream)
{
    const qsizetype before = nearest(session, row, WireEvent::Kind::HttpRequest, stream, -1);
    return before >= 0 ? before : nearest(session, row, WireEvent::Kind::HttpRequest, stream, 1);
}

}  // namespace

HttpExchangeRows httpExchangeOf(const Session &session, qsizetype row)
{
    HttpExchangeRows exchange;
    const RecordInfo &record = session.at(row);
    const std::optional<qint64> stream = streamOf(session, row);
    if (!stream)
        return exchange;
    if (record.kind == WireEvent::Kind::HttpRequest)
        exchange.request = row;
    else if (record.kind == WireEvent::Kind::Message && record.direction == Direction::ToServer)
        exchange.request = requestOf(session, row, *stream);
    else
        exchange.request = nearest(session, row, WireEvent::Kind::HttpRequest, *stream, -1);
    if (record.kind == WireEvent::Kind::HttpResponse)
        exchange.response = row;
    else if (exchange.request >= 0)
        exchange.response = nearest(session, exchange.request, WireEvent::Kind::HttpResponse, *stream, 1);
    return exchange;
}

QList<HttpExchangeRows> httpExchangesOf(const Session &session, const QList<int> &streams)
{
    QList<HttpExchangeRows> found(streams.size());
    qsizetype missing = streams.size();
    const qsizetype end = qMax<qsizetype>(0, session.size() - MaxRows);
    for (qsizetype at = session.size(); at-- > end && missing > 0;) {
        const WireEvent::Kind kind = session.at(at).kind;
        if (kind != WireEvent::Kind::HttpRequest && kind != WireEvent::Kind::HttpResponse)
            continue;
        const qsizetype which = streams.indexOf(int(streamOf(session, at).value_or(-1)));
        if (which < 0 || found[which].request >= 0)
            continue;
        if (kind == WireEvent::Kind::HttpRequest) {
            found[which].request = at;
            --missing;
        } else {
            found[which].response = at;
        }
    }
    return found;
}

QByteArray requestFactsOf(const Session &session, qsizetype row)
{
    const qsizetype request = httpExchangeOf(session, row).request;
    return request < 0 ? QByteArray() : session.facts(request);
}

QByteArray openingRequestFactsOf(const Session &session, qsizetype row)
{
    qsizetype first = -1;
    for (qsizetype each = row; each >= 0; --each) {
        const RecordInfo &record = session.at(each);
        if (record.connection != session.at(row).connection)
            continue;
        if (record.kind == WireEvent::Kind::Open)
            break;
        if (record.kind == WireEvent::Kind::HttpRequest)
            first = each;
    }
    return first < 0 ? QByteArray() : session.facts(first);
}

QByteArray openingFactsOf(const Session &session, qsizetype row)
{
    for (qsizetype at = row; at >= 0; --at) {
        if (session.at(at).kind == WireEvent::Kind::Open && session.at(at).connection == session.at(row).connection)
            return session.facts(at);
    }
    return {};
}

}  // namespace sonde
