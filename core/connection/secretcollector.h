// Tells the recording what a schema declares to be secret, and what names a session over HTTP+SSE, before the message
// that holds it is recorded.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/catalog.h"
#include "core/session/session.h"
#include "core/transport/wireevent.h"

#include <QHash>

namespace sonde {

// Arguments of tools, by the schema that the catalog has, and answers to what a server asks, by the schema that came
// with the server request: in a request of its own or in a result that asks for input. Session and catalog outlive it.
class SecretCollector {
public:
    SecretCollector(Session *session, const Catalog *catalog);

    // What goes over the wire, told before the recorder is.
    void see(const WireEvent &event);
    // A message or a batch that is about to go out; it need not be valid.
    void look(const json::Value &message);

private:
    void lookAtCall(const json::Value &params);  // of tools/call
    void rememberEndpoint(const WireEvent &event);
    // The schemas of what a message asks for.
    struct Asked {
        QList<std::pair<RequestId, json::Value>> requests;
        QList<std::pair<QString, json::Value>> inputs;  // by their names
    };
    static void findAsked(const Message &message, Asked &asked);
    static void findInputs(const Message &message, Asked &asked);
    void remember(const Asked &asked);
    void rememberLarge(const Message &message);
    bool mayHoldSecret(const Message &call) const;
    bool isHarmless(const QByteArray &raw) const;
    using ToolSchemas = QHash<QString, json::Value>;
    void readSchemas();
    void keepSchemas(const QList<Tool> &tools, const ToolSchemas &schemas);
    json::Value schemaOfTool(const QString &name) const;
    void lookAtMessage(const json::Value &message);
    void mask(const json::Value &values, const json::Value &schema);

    QObject m_context;  // of what is looked for in the background
    Session *m_session;
    const Catalog *m_catalog;
    // Those that declare secrets, the last that were known: a list goes before its next one comes, and a form that was
    // made of it can be called meanwhile.
    ToolSchemas m_toolSchemas;
    QList<QList<Tool>> m_unread;                     // lists that a worker takes them from
    QList<Tool> m_seenTools;                         // the last of these
    QHash<RequestId, json::Value> m_serverRequests;  // the schemas of those that were not answered
    int m_endpoints = 0;
    QHash<QString, json::Value> m_inputs;  // those of the input that was asked for last, by its name
};

}  // namespace sonde
