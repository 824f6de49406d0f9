// SPDX-License-Identifier: Apache-2.0
#include "core/transport/http/httprequests.h"

namespace sonde {

namespace {
constexpr auto UserAgent = "Sonde/" SONDE_VERSION;
}  // namespace

Error HttpRequests::set(const HttpOptions &options)
{
    m_url = options.url;
    m_headers = options.headers;
    m_credentials = options.credentials;
    m_headerTimeoutMs = options.headerTimeoutMs;
    m_bodyIdleMs = options.bodyIdleMs;
    m_maxRedirects = options.maxRedirects;
    Error error = http::checkUrl(m_url);
    if (!error)
        error = http::checkHeaders(m_headers);
    const Result<http::Network> network = http::Network::from(options.network);
    if (network)
        m_network = *network;
    else if (!error)
        error = network.error();
    // A name and password in the URL travel as the header that they mean, where the record shows and redacts them.
    if (!m_url.userInfo().isEmpty() && !hasAuthorization()) {
        const QString credentials = m_url.userName(QUrl::FullyDecoded) + u':' + m_url.password(QUrl::FullyDecoded);
        m_headers.append({"Authorization", "Basic " + credentials.toUtf8().toBase64()});
    }
    m_url.setUserInfo({});
    m_url.setFragment({});
    return error;
}

HttpRequests::Ask HttpRequests::askForCredentials(const OutgoingHeaders &of) const
{
    if (!m_credentials || hasAuthorization() || !http::valueOf(of.typed, "Authorization").isNull())
        return {};
    return [source = m_credentials](const CredentialSource::Request &asked, const CredentialSource::Ready &ready) {
        source->provide(asked, ready);
    };
}

HttpExchange::Request HttpRequests::make(const QByteArray &verb, const QUrl &url, const http::HeaderList &own,
                                         const OutgoingHeaders &of) const
{
    HttpExchange::Request request;
    request.verb = verb;
    request.url = url;
    request.headerTimeoutMs = m_headerTimeoutMs;
    request.bodyIdleMs = m_bodyIdleMs;
    request.maxRedirects = m_maxRedirects;
    http::HeaderList &list = request.headers;
    if (verb == "POST")
        list.emplace_back("Content-Type", "application/json");
    if (verb != "DELETE")
        list.emplace_back("Accept", verb == "GET" ? "text/event-stream" : "application/json, text/event-stream");
    // No compression: the record shows the bytes of the wire.
    list.emplace_back("Accept-Encoding", "identity");
    for (const auto &[name, value] : {std::pair<QByteArray, QByteArray>{"Accept-Language", "*"},
                                      std::pair<QByteArray, QByteArray>{"User-Agent", UserAgent}}) {
        if (http::valueOf(m_headers, name).isNull())
            list.emplace_back(name, value);
    }
    list += own;
    for (const auto &[name, value] : m_headers)
        putHeader(&list, name, value);
    if (verb == "POST") {
        for (const auto &[name, value] : of.dialect)
            putHeader(&list, name, value);
        list = withMessageHeaders(list, of.typed);
    }
    return request;
}

}  // namespace sonde
