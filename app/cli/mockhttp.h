// A mock over Streamable HTTP, on this machine only.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/common/localhttpserver.h"
#include "core/replay/mockserver.h"

namespace sonde::cli {

// Each initialize begins a conversation with an Mcp-Session-Id of its own; every request is answered as a stream of
// events that ends with the last message the recording has for it. There is no stream for GET.
class MockHttp : public QObject {
    Q_OBJECT
public:
    MockHttp(std::shared_ptr<const MockScript> script, MockServer::Timing timing);
    ~MockHttp() override;

    QString listen(quint16 port) { return m_server.listen(port); }  // as LocalHttpServer
    QString address() const { return m_server.address(); }

private:
    void handle(app::HttpPeer *peer, const app::HttpRequest &request);
    void post(app::HttpPeer *peer, const app::HttpRequest &request);
    MockServer *conversation(const app::HttpRequest &request, const Message &message, QByteArray *newId);

    std::shared_ptr<const MockScript> m_script;
    const MockServer::Timing m_timing;
    app::LocalHttpServer m_server;
    QHash<QByteArray, MockServer *> m_conversations;  // by their session ID
    MockServer *m_stateless = nullptr;                // of all requests of 2026-07-28, which have none
};

}  // namespace sonde::cli
