// One client's conversation with the demo server, whatever it travels over.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/demo/options.h"

#include <QByteArray>
#include <QHash>
#include <QObject>
#include <QPointer>
#include <QSet>
#include <functional>
#include <memory>

namespace sonde::demo {

struct Request {
    QByteArray id;  // as written
    QString method;
    QByteArray params;  // an object, or empty
};

enum ErrorCode {
    ParseError = -32700,
    InvalidRequest = -32600,
    MethodNotFound = -32601,
    InvalidParams = -32602,
    InternalError = -32603,
    ResourceNotFound = -32002
};

QStringList spokenRevisions();  // newest first

class Session : public QObject {
    Q_OBJECT
public:
    explicit Session(const Options &options, QObject *parent = nullptr);
    ~Session() override;

    void receive(const QByteArray &message);  // one JSON-RPC message, framing removed

    const Options &options() const { return m_options; }
    QString revision() const { return m_revision; }  // empty before the handshake
    bool isAtLeast(const char *revision) const { return m_revision >= QLatin1StringView(revision); }
    QString logLevel() const { return m_logLevel; }
    const QSet<QString> &subscriptions() const { return m_subscriptions; }
    QString clientName() const { return m_clientName; }
    bool extraTool() const { return m_extraTool; }
    void setExtraTool(bool on) { m_extraTool = on; }

    void response(const Request &request, const QByteArray &result);
    void refuse(const Request &request, int code, const QString &message, const QByteArray &data = {});
    // about: the request this belongs to, or an empty one.
    void notify(const QString &method, const QByteArray &params, const Request &about = {});
    // Sent when the level in force lets it through.
    void log(const QString &level, const QString &logger, const QByteArray &data, const Request &about = {});
    // Asks the client; then(result) gets an empty text when the client refuses.
    void ask(const QString &method, const Request &about, const std::function<void(const QByteArray &result)> &then);
    // A context for timers that lives until the request is answered or cancelled.
    QObject *beginWork(const Request &request);

Q_SIGNALS:
    // request: the id, as written, of the request this belongs to; empty when it belongs to none.
    void sent(const QByteArray &message, const QByteArray &request);
    // A request got its last message, or was cancelled and gets none.
    void ended(const QByteArray &request);

private:
    using Handler = void (Session::*)(const Request &);
    static const QHash<QString, Handler> &handlers();

    void dispatch(const Request &request);
    void noted(const QString &method, const QByteArray &params);
    void afterHandshake();
    void initialize(const Request &request);
    void ping(const Request &request);
    void setLevel(const Request &request);
    void listTools(const Request &request);
    void callTool(const Request &request);
    void listResources(const Request &request);
    void listTemplates(const Request &request);
    void readResource(const Request &request);
    void subscribe(const Request &request);
    void unsubscribe(const Request &request);
    void listPrompts(const Request &request);
    void getPrompt(const Request &request);
    void complete(const Request &request);
    void responsePage(const Request &request, const char *name, const QList<QByteArray> &entries);
    void finish(const Request &request, const QByteArray &message);

    Options m_options;
    QString m_revision;
    QString m_logLevel = QStringLiteral("debug");
    QString m_clientName;
    QSet<QString> m_subscriptions;
    QHash<QByteArray, QPointer<QObject>> m_work;
    QHash<QByteArray, std::function<void(const QByteArray &)>> m_asked;
    qint64 m_lastAsked = 0;
    bool m_extraTool = false;
};

}  // namespace sonde::demo
