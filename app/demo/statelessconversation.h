// The stateless era (2026-07-28): every request says by itself who sends it and what that client can do. Over stdio one
// of these serves the whole process, over HTTP one serves one request.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/demo/conversation.h"
#include "app/demo/rawjson.h"

#include <QSet>

namespace sonde::demo {

class Task;

inline constexpr char StatelessRevision[] = "2026-07-28";
inline constexpr char SkillsExtension[] = "io.modelcontextprotocol/skills";
inline constexpr char TasksExtension[] = "io.modelcontextprotocol/tasks";

// Whether this message is of the stateless era: it says so in its _meta, or only that era has its method.
bool isStateless(const QByteArray &message);
// What a request says in its _meta, without the prefix of the protocol; empty when absent.
QByteArray metaOf(const QByteArray &params, const char *name);

// As in an InputRequiredResult, by key.
QByteArray inputRequests(const QList<Input> &inputs);

class StatelessConversation : public Conversation {
    Q_OBJECT
public:
    explicit StatelessConversation(ServerState &state, QObject *parent = nullptr);

    QString revision() const override { return QLatin1StringView(StatelessRevision); }
    Client clientOf(const Request &request) const override;
    QStringList subscriptions() const override;
    void runAsTask(const Request &request, bool required, const Body &body) override;

protected:
    Handler handler(const QString &method) override;
    bool admits(const Request &request) override;
    void noted(const QString &method, const QByteArray &params) override;
    QByteArray dressed(const Request &request, const QByteArray &result) const override;
    void pose(const Request &request, const QList<Input> &inputs, const Then &then) override;
    void lack(const Request &request, const QByteArray &capability) override;

private:
    using Method = void (StatelessConversation::*)(const Request &);
    struct Listener {
        Request request;
        bool tools = false;
        bool prompts = false;
        bool resources = false;
        QSet<QString> uris;
        QSet<QString> taskIds;
    };

    void discover(const Request &request);
    void listen(const Request &request);
    void listSkills(const Request &request);
    void getSkill(const Request &request);
    void getTask(const Request &request);
    void updateTask(const Request &request);
    void cancelTask(const Request &request);
    bool hasTasks(const Request &request) const;
    Task *taskOf(const Request &request);  // refuses the request itself when there is none
    void tell(const Listener &listener, const QString &method, json::Object params);
    void endListeners();

    QHash<QByteArray, Listener> m_listeners;
};

}  // namespace sonde::demo
