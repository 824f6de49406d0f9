// What the tests of the HTTP transport share.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/http/httptransport.h"
#include "tests/support/fakehttpserver.h"
#include "tests/support/transportprobe.h"

#include <QTest>
#include <memory>

namespace sonde::test {

struct Http {
    explicit Http(const QUrl &url, HttpOptions options = {})
    {
        options.url = url;
        transport = std::make_unique<HttpTransport>(options);
        probe = std::make_unique<TransportProbe>(transport.get());
        transport->open();
    }
    Error call(int id, QStringView method = u"tools/call") const
    {
        return transport->send(Message::request(RequestId(id), method));
    }
    // The error that ended the call, once there is one.
    const Error *failure() const { return probe->failed.isEmpty() ? nullptr : &probe->failed.first().second; }

    std::unique_ptr<HttpTransport> transport;
    std::unique_ptr<TransportProbe> probe;
};

inline QByteArray resultFor(const FakeHttpServer::Request &request, const QByteArray &result = "{}")
{
    return Message::response(Message::parse(request.body).id(), result).raw();
}

inline QString methodOf(const FakeHttpServer::Request &request)
{
    return Message::parse(request.body).method();
}

}  // namespace sonde::test
