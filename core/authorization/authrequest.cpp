// SPDX-License-Identifier: Apache-2.0
#include "core/authorization/authrequest.h"

#include "core/json/document.h"
#include "core/protocol/visibletext.h"

using namespace Qt::StringLiterals;

namespace sonde {

void route(HttpFetch::Request *request, const QUrl &endpoint, const OAuthSettings &settings,
           const http::NetworkOptions &network, const QHostAddress &peer)
{
    const QUrl &url = request->url;
    request->network = network;
    if (!http::isSameOrigin(url, endpoint)) {  // the certificate of the person is for their server
        request->network.clientCertificate.clear();
        request->network.clientKey.clear();
    }
    // All others were named by the server, or by the metadata that it led to.
    const bool isNamed = http::isSameOrigin(url, endpoint) || http::isSameOrigin(url, QUrl(settings.issuer)) ||
                         http::isSameOrigin(url, settings.providerTokenEndpoint);
    request->reach = {!isNamed, peer, {}};
}

QString reasonIn(const HttpFetch &exchange)
{
    const json::Document document = json::Document::parse(exchange.body());
    const QString error = document.root()[u"error"].string();
    const QString description = document.root()[u"error_description"].string();
    if (error.isEmpty() && description.isEmpty())
        return exchange.statusError().message;
    return visibleLine(description.isEmpty() ? error : error + u": "_s + description, 200);
}

}  // namespace sonde
