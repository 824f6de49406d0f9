// What a tool sees of the client that called it, in either era of the protocol.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/demo/serverstate.h"

#include <QByteArray>
#include <QHash>
#include <QObject>
#include <QPointer>
#include <functional>

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
    ResourceNotFound = -32002,
    HeaderMismatch = -32020,
    MissingClientCapability = -32021,
    UnsupportedRevision = -32022,
    UrlElicitationRequired = -32042
};

// The client as it described itself: in the handshake, or with this very request.
struct Client {
    QString name;
    QByteArray capabilities;  // an object
    QString logLevel;         // empty: it wants no log messages
};

// Something that the client is asked for: elicitation/create, sampling/createMessage, roots/list.
struct Input {
    QString key;
    QString method;
    QByteArray params;
};
using InputResults = QHash<QString, QByteArray>;  // the results by key

class Conversation : public QObject {
    Q_OBJECT
public:
    Conversation(ServerState &state, QObject *parent);
    ~Conversation() override;

    void receive(const QByteArray &message);  // one JSON-RPC message, framing removed

    ServerState &state() const { return m_state; }
    const Options &options() const { return m_state.options(); }
    virtual QString revision() const = 0;  // empty before the handshake
    bool isAtLeast(const char *revision) const { return this->revision() >= QLatin1StringView(revision); }
    virtual Client clientOf(const Request &request) const = 0;
    virtual QStringList subscriptions() const = 0;
    // Whether the tool now-you-see-me is there. A session has its own; where there are none, it is there for all.
    virtual bool extraTool() const { return m_state.extraTool(); }
    virtual void setExtraTool(bool on) { m_state.setExtraTool(on); }

    void response(const Request &request, const QByteArray &result);
    // httpStatus: what the response is sent with over HTTP, where the era gives errors a status.
    void refuse(const Request &request, int code, const QString &message, const QByteArray &data = {},
                int httpStatus = 200);
    // about: the request this belongs to, or an empty one.
    void notify(const QString &method, const QByteArray &params, const Request &about = {});
    // Sent when the level in force lets it through.
    void log(const QString &level, const QString &logger, const QByteArray &data, const Request &about = {});

    // Asks the client for all of these; then() runs when all are there, and never when the client refuses or did not
    // declare that it can be asked. In the stateless era it runs within a later request: what a tool does before it
    // asks is done again in each round.
    using Then = std::function<void(const InputResults &)>;
    void ask(const Request &request, const QList<Input> &inputs, const Then &then);

    // Runs the body as a task when client and revision allow it. Otherwise at once, here, or not at all when the tool
    // cannot do without.
    using Body = std::function<void(Conversation &where, const Request &request)>;
    virtual void runAsTask(const Request &request, bool required, const Body &body) = 0;

    // A context for timers that lives until the request is answered or cancelled.
    QObject *beginWork(const Request &request);
    QObject *workOf(const Request &request) { return m_work.value(request.id); }  // null: none has begun

Q_SIGNALS:
    // request: the id, as written, of the request this belongs to; empty when it belongs to none.
    void sent(const QByteArray &message, const QByteArray &request, int httpStatus = 200);
    // A request got its last message, or was cancelled and gets none.
    void ended(const QByteArray &request);

protected:
    using Handler = std::function<void(const Request &)>;
    virtual Handler handler(const QString &method);  // empty: there is no such method
    virtual bool admits(const Request &request);     // refuses it itself when not
    virtual void noted(const QString &method, const QByteArray &params) = 0;
    virtual void answered(const QByteArray &id, const QByteArray &result, const QByteArray &error);
    virtual QByteArray dressed(const Request &request, const QByteArray &result) const;
    virtual void pose(const Request &request, const QList<Input> &inputs, const Then &then) = 0;
    // The client did not declare this capability, an object as in its capabilities.
    virtual void lack(const Request &request, const QByteArray &capability);

    // A response that needs nothing of the era added.
    void respondPlainly(const Request &request, const QByteArray &result);
    bool cancelWork(const QByteArray &id);
    // The log messages of --huge-line and --flood, whatever level the client wants.
    void flood(const Request &about = {});

private:
    void dispatch(const Request &request);
    void reject(const QByteArray &id, int code, const QString &why);
    void finish(const Request &request, const QByteArray &message, int httpStatus);

    ServerState &m_state;
    QHash<QByteArray, QPointer<QObject>> m_work;
};

// A failure that a model may read and act on.
QByteArray failure(const QString &text);
QByteArray errorObject(int code, const QString &message, const QByteArray &data = {});
QByteArray errorMessage(const QByteArray &id, int code, const QString &message, const QByteArray &data = {});

}  // namespace sonde::demo
