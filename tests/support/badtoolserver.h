// A server of 2026-07-28 with one good tool and one whose header annotation breaks the rules.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/message.h"
#include "core/protocol/methods.h"
#include "tests/support/fakehttpserver.h"

namespace sonde::test {

class BadToolServer {
public:
    QUrl url() const { return m_server.url(); }
    int calls() const { return m_calls; }

    // The result members of a response to this method.
    static QByteArray resultOf(const QString &method)
    {
        if (method == methods::Discover)
            return R"("supportedVersions":["2026-07-28"],"capabilities":{"tools":{}})";
        if (method == methods::ListTools)
            return R"("tools":[{"name":"good","inputSchema":{"type":"object"}},)"
                   R"({"name":"bad","inputSchema":{"type":"object","properties":{"a":{"type":"number",)"
                   R"("x-mcp-header":"A"}}}}])";
        return R"("content":[{"type":"text","text":"done"}])";
    }

private:
    int m_calls = 0;
    FakeHttpServer m_server{[this](const FakeHttpServer::Request &request, const FakeHttpServer::Peer &peer) {
        const Message message = Message::parse(request.body);
        m_calls += message.method() == methods::CallTool ? 1 : 0;
        peer.json(R"({"jsonrpc":"2.0","id":)" + message.id().toJson() +
                  R"(,"result":{"resultType":"complete","ttlMs":0,"cacheScope":"private",)" +
                  resultOf(message.method()) + "}}");
    }};
};

}  // namespace sonde::test
