// Tool calls that run as tasks, in either era.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/demo/conversation.h"

#include <QDateTime>

namespace sonde::demo {

// The conversation that a tool has while nobody waits for it: what it says is kept until somebody asks.
class Task : public Conversation {
    Q_OBJECT
public:
    static constexpr int PollIntervalMs = 200;

    Task(Conversation &origin, const Request &request, const QString &id, qint64 ttlMs, QObject *parent);
    ~Task() override;
    void start(const Body &body);

    QString id() const { return m_id; }
    QString createdAt() const { return m_created.toString(Qt::ISODateWithMs); }
    QString updatedAt() const { return m_updated.toString(Qt::ISODateWithMs); }
    qint64 ttlMs() const { return m_ttlMs; }
    bool isOver() const { return m_cancelled || !m_result.isEmpty() || !m_error.isEmpty(); }
    // toolErrorsComplete: a tool that reports an error completed its task; in 2025-11-25 it failed.
    QString statusOf(bool toolErrorsComplete) const;
    QString statusMessage() const;
    QByteArray result() const { return m_result; }  // empty unless completed
    QByteArray error() const { return m_error; }    // a JSON-RPC error; empty unless failed
    QList<Input> pendingInputs() const { return m_inputs; }
    QList<Input> takeInputsToPose();  // each one once
    void supply(const QString &key, const QByteArray &result);
    void cancel();

    QString revision() const override { return m_revision; }
    Client clientOf(const Request &) const override { return m_client; }
    QStringList subscriptions() const override { return {}; }
    void runAsTask(const Request &request, bool required, const Body &body) override;

Q_SIGNALS:
    void changed();

protected:
    void noted(const QString &, const QByteArray &) override {}
    QByteArray dressed(const Request &request, const QByteArray &result) const override;
    void pose(const Request &request, const QList<Input> &inputs, const Then &then) override;

private:
    void keep(const QByteArray &message);
    void touch();

    QString m_id;
    QString m_revision;
    Client m_client;
    Request m_request;
    QDateTime m_created;
    QDateTime m_updated;
    qint64 m_ttlMs;
    QList<Input> m_inputs;
    qsizetype m_posed = 0;  // of m_inputs, from the front
    InputResults m_answers;
    Then m_then;
    QByteArray m_result;
    QByteArray m_error;
    bool m_cancelled = false;
};

class TaskStore : public QObject {
    Q_OBJECT
public:
    // ttlMs: 0 for as long as this store wants.
    Task *create(Conversation &origin, const Request &request, qint64 ttlMs);
    Task *find(const QString &id) const;
    const QList<Task *> &all() const { return m_tasks; }

Q_SIGNALS:
    void changed(sonde::demo::Task *task);

private:
    QList<Task *> m_tasks;
};

}  // namespace sonde::demo
