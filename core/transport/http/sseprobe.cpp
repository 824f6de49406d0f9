// SPDX-License-Identifier: Apache-2.0
#include "core/transport/http/sseprobe.h"

#include <algorithm>
#include <array>

namespace sonde {

namespace {
constexpr int ProbeTimeoutMs = 10'000;
constexpr qsizetype MaxProbeBytes = 4096;

AuthorizedRequest::Request hurried(AuthorizedRequest::Request get)
{
    get.headerTimeoutMs = std::min(get.headerTimeoutMs, ProbeTimeoutMs);
    get.bodyIdleMs = get.headerTimeoutMs;
    return get;
}
}  // namespace

bool SseProbe::isDue(const Error &refusal)
{
    static constexpr std::array statuses{400, 404, 405, 406, 415, 501};
    return refusal.reason == Error::Reason::HttpStatus &&
           std::find(statuses.begin(), statuses.end(), refusal.code) != statuses.end();
}

SseProbe::SseProbe(HttpPool *pool, AuthorizedRequest::Request get)
    : m_request(pool, hurried(std::move(get))), m_parser(MaxProbeBytes)
{
    connect(&m_request, &AuthorizedRequest::reported, this, &SseProbe::reported);
    connect(&m_request, &AuthorizedRequest::headersArrived, this, &SseProbe::onHeaders);
    connect(&m_request, &AuthorizedRequest::finished, this, [this] { Q_EMIT finished(false); });
    connect(&m_request, &AuthorizedRequest::unauthorized, this, [this] { Q_EMIT finished(false); });
}

void SseProbe::onHeaders()
{
    m_request.response()->reportResponse();
    m_stream = m_request.takeResponse();
    if (m_stream->status() != 200 || http::mediaType(m_stream->header("Content-Type")) != "text/event-stream") {
        Q_EMIT finished(false);
        return;
    }
    connect(m_stream.get(), &HttpExchange::readable, this, &SseProbe::read);
    connect(m_stream.get(), &HttpExchange::finished, this, &SseProbe::read);
}

void SseProbe::read()
{
    const QByteArray bytes = m_stream->read(MaxProbeBytes);
    m_length += bytes.size();
    m_parser.append(bytes);
    std::optional<SseParser::Event> event = m_parser.next();
    while (event && (event->isComment || !event->hasData))
        event = m_parser.next();
    if (event || m_stream->isAtEnd() || m_length >= MaxProbeBytes)
        Q_EMIT finished(event && event->type == "endpoint");
}

}  // namespace sonde
