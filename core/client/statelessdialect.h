// The dialect of revision 2026-07-28: no handshake and no session; each request says all there is to know about it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/dialect.h"
#include "core/protocol/headerparameters.h"
#include "core/protocol/revision.h"
#include "core/protocol/types.h"

#include <QHash>

namespace sonde {

class StatelessDialect final : public Dialect {
public:
    // capabilities: what is declared to the server, a JSON object. overHttp: whether requests have headers, and tools
    // whose headers break the rules must not be called.
    StatelessDialect(Revision revision, const QByteArray &capabilities, bool overHttp);

    // Whether each request says who we are, which a client should do.
    void setTellsClientInfo(bool tells) { m_tellsClientInfo = tells; }
    // Out of the result of server/discover. protocolVersion is the dialect's own.
    ServerInfo readDiscovery(const json::Value &result) const;

    QString name() const override { return toString(m_revision); }
    Revision revision() const override { return m_revision; }
    bool hasServerRequests() const override { return false; }
    bool hasListenStream() const override { return true; }
    // Spec: basic, "_meta" of requests. What the params bring of their own in there stays.
    PreparedRequest prepare(const RequestBody &request, const RequestId &id, const CallOptions &options) const override;
    // Spec: basic/transports, "Standard MCP Request Headers" and "Custom Headers from Tool Parameters".
    MessageHeaders headersOf(const Message &request) const override;
    Interpretation interpret(QStringView method, const Message &response) const override;
    // Spec: basic/patterns/multi-round-trip-requests.
    RequestBody nextRound(const RequestBody &first, const Interpretation &last,
                          const QList<InputResponse> &responses) const override;
    Message cancellation(QStringView method, const RequestId &id, const QString &reason) const override;
    void learnTools(const json::Value &toolList) override;

private:
    void interpretResult(QStringView method, const json::Value &result, Interpretation *meaning) const;
    MessageHeaders headersOf(const QString &method, const json::Value &params) const;
    void addParameterHeaders(const json::Value &params, MessageHeaders *headers) const;
    bool declaresTasks(QStringView method, const CallOptions &options) const;
    Error problemOfCall(const json::Value &params) const;

    Revision m_revision;
    QByteArray m_capabilities;
    bool m_overHttp;
    bool m_tellsClientInfo = true;
    QHash<QString, HeaderParameters> m_tools;  // those that have some
};

// What a client may declare in that revision: members that it no longer knows are left out.
QByteArray statelessCapabilities(const QByteArray &capabilities);

}  // namespace sonde
