// One client's conversation in the stateful era: initialize, then everything else (2024-11-05 to 2025-11-25).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/demo/conversation.h"
#include "app/demo/task.h"

#include <QSet>

namespace sonde::demo {

QStringList statefulRevisions();  // newest first

class Session : public Conversation {
    Q_OBJECT
public:
    explicit Session(ServerState &state, QObject *parent = nullptr);
    ~Session() override;

    QString revision() const override { return m_revision; }
    Client clientOf(const Request &request) const override;
    QStringList subscriptions() const override { return m_subscriptions.values(); }
    bool extraTool() const override { return m_extraTool; }
    void setExtraTool(bool on) override;
    void runAsTask(const Request &request, bool required, const Body &body) override;

protected:
    Handler handler(const QString &method) override;
    bool admits(const Request &request) override;
    void noted(const QString &method, const QByteArray &params) override;
    void answered(const QByteArray &id, const QByteArray &result, const QByteArray &error) override;
    void pose(const Request &request, const QList<Input> &inputs, const Then &then) override;

private:
    using Method = void (Session::*)(const Request &);
    // Results that one tool call waits for.
    struct Round {
        InputResults results;
        qsizetype missing = 0;
    };
    using Answered = std::function<void(const QByteArray &result, const QByteArray &error)>;

    void initialize(const Request &request);
    void ping(const Request &request);
    void setLevel(const Request &request);
    void callTool(const Request &request);
    void subscribe(const Request &request);
    void unsubscribe(const Request &request);
    void getTask(const Request &request);
    void taskResult(const Request &request);
    void listTasks(const Request &request);
    void cancelTask(const Request &request);
    void taskChanged(Task *task);
    void serveTaskResult(const Request &request, Task *task);
    Task *taskOf(const Request &request);  // refuses the request itself when there is none
    // Gives the id of the request.
    QByteArray send(const QString &method, const QByteArray &params, const Request &about, const Answered &then);

    QString m_revision;
    QString m_logLevel = QStringLiteral("debug");
    QString m_clientName;
    QByteArray m_clientCapabilities = "{}";
    QSet<QString> m_subscriptions;
    TaskStore m_tasks;
    QList<std::pair<Request, QPointer<Task>>> m_waitingForTasks;
    QHash<QByteArray, Answered> m_asked;
    qint64 m_lastAsked = 0;
    bool m_extraTool = false;
};

}  // namespace sonde::demo
