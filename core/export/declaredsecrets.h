// What the schemas in a session declare to be secret, found again in what was sent by them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/session/session.h"

#include <QHash>
#include <functional>
#include <vector>

namespace sonde {

// First see() every row, then tell(): a tool may have been called before its schema came. Arguments of tools go by each
// schema that the session has for that name, and what answers a server's question by the schema that came with it.
class DeclaredSecrets {
public:
    explicit DeclaredSecrets(const Session &session) : m_session(session) {}

    void see(qsizetype row, const QByteArray &payload);
    // The name of a member and a value that is secret behind it.
    using Tell = std::function<void(const QByteArray &name, const QByteArray &value)>;
    void tell(const Tell &tell) const;

private:
    using Schemas = QHash<QString, QList<json::Value>>;

    void seeMessage(const json::Value &message, int connection);
    static void add(Schemas &schemas, const QString &name, const json::Value &schema);
    static QString idOf(const json::Value &message, int connection);

    const Session &m_session;
    Schemas m_tools;
    Schemas m_serverRequests;       // requests of the server, by connection and id
    Schemas m_inputs;               // by the name of the input
    std::vector<qsizetype> m_sent;  // rows that may hold values
};

}  // namespace sonde
