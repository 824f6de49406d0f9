// SPDX-License-Identifier: Apache-2.0
#include "core/transport/http/httprequests.h"

namespace sonde {

namespace {
constexpr auto UserAgent = "Sonde/" SONDE_VERSION;

bool hasAuthorization(const http::HeaderList &headers)
{
    return !http::valueOf(headers, "Authorization").isNull();
}
}  // namespace

Error HttpRequests::set(const HttpOptions &options)
{
    m_options = options;
    QUrl &url = m_options.url;
    Error error = http::checkUrl(url);
    if (!error)
        error = http::checkHeaders(m_options.headers);
    const Result<http::Network> network = http::Network::from(options.network);
    if (network)
        m_network = *network;
    else if (!error)
        error = network.error();
    // A name and password in the URL travel as the header that they mean, where the record shows and redacts them.
    if (!url.userInfo().isEmpty() && !hasAuthorization(m_options.headers)) {
        const QString credentials = url.userName(QUrl::FullyDecoded) + u':' + url.password(QUrl::FullyDecoded);
        m_options.headers.append({"Authorization", "Basic " + credentials.toUtf8().toBase64()});
    }
    url.setUserInfo({});
    url.setFragment({});
    return error;
}

AuthorizedRequest::Request HttpRequests::make(const QByteArray &verb, const QUrl &url, const http::HeaderList &own,
                                              const OutgoingHeaders &of) const
{
    AuthorizedRequest::Request request;
    request.verb = verb;
    request.url = url;
    request.headerTimeoutMs = m_options.headerTimeoutMs;
    request.bodyIdleMs = m_options.bodyIdleMs;
    request.maxRedirects = m_options.maxRedirects;
    request.maxRefusals = m_options.maxRefusals;
    if (!hasAuthorization(m_options.headers) && !hasAuthorization(of.typed))
        request.credentials = m_options.credentials;
    http::HeaderList &list = request.headers;
    if (verb == "POST")
        list.emplace_back("Content-Type", "application/json");
    if (verb != "DELETE")
        list.emplace_back("Accept", verb == "GET" ? "text/event-stream" : "application/json, text/event-stream");
    // No compression: the record shows the bytes of the wire.
    list.emplace_back("Accept-Encoding", "identity");
    for (const auto &[name, value] : {std::pair<QByteArray, QByteArray>{"Accept-Language", "*"},
                                      std::pair<QByteArray, QByteArray>{"User-Agent", UserAgent}}) {
        if (http::valueOf(m_options.headers, name).isNull())
            list.emplace_back(name, value);
    }
    list += own;
    for (const auto &[name, value] : m_options.headers)
        putHeader(&list, name, value);
    if (verb == "POST") {
        for (const auto &[name, value] : of.dialect)
            putHeader(&list, name, value);
        list = withMessageHeaders(list, of.typed);
    }
    return request;
}

}  // namespace sonde
