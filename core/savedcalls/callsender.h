// Makes the call of a saved call: reads what its placeholders stand for, and tells the recording what of it is secret.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/connection/connection.h"
#include "core/savedcalls/callstep.h"

#include <QHash>
#include <QObject>
#include <memory>

namespace sonde {

// One call at a time. Of cancel(), and of destruction, before sent() or notSent() neither comes, and nothing is sent.
class CallSender final : public QObject {
    Q_OBJECT
public:
    // By the names of the saved calls that were made before, as they came.
    using Responses = QHash<QString, Message>;

    // Not owned: the connection outlives this.
    explicit CallSender(Connection *connection, QObject *parent = nullptr);

    void send(const SavedCall &call, const CallOptions &options, const Responses &responses = {});
    void cancel();

Q_SIGNALS:
    void sent(sonde::Call *call);
    // status: Failed where a value is missing, Error where it could not be read.
    void notSent(const sonde::Error &why, sonde::CallStep::Status status);

private:
    using Secrets = QHash<QString, QString>;

    void make(const Secrets &secrets);
    Result<json::Value> valueOf(const Placeholder &placeholder, const Secrets &secrets) const;
    Result<json::Value> resultOf(const Placeholder &placeholder) const;
    void learn(const Secrets &secrets);
    bool isSecret(const Placeholder &placeholder, const QString &value) const;
    bool isMasked(const Placeholder &placeholder) const;

    Connection *m_connection;
    SavedCall m_call;
    CallOptions m_options;
    Responses m_responses;
    QList<PlaceholderUse> m_uses;
    std::unique_ptr<QObject> m_reading;  // while the keychain is read
};

}  // namespace sonde
