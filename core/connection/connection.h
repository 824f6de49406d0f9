// One server, as the window and the command line see it: start it, ask it, watch it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/call.h"
#include "core/client/catalog.h"
#include "core/client/connector.h"
#include "core/client/inputrequest.h"
#include "core/connection/profile.h"
#include "core/connection/startsteps.h"
#include "core/connection/tasklist.h"
#include "core/server/serverspec.h"
#include "core/session/session.h"
#include "core/transport/messageheaders.h"

#include <QObject>
#include <functional>
#include <memory>
#include <optional>

namespace sonde {

struct Approval;
class CredentialSource;
class FileOps;
class LogLevelChoice;
class OAuth;
class RequiredUrls;
class SessionCheck;
class Subscriptions;
class ToolMemory;

struct ConnectionOptions {
    QString sessionPath;  // where to record; empty: in memory
    Session::IfTaken ifSessionTaken = Session::IfTaken::Fail;
    qint64 recordingLimit = Session::UsualLimit;  // see Session::setLimit()
    std::shared_ptr<FileOps> fileOps;             // what that file is written through; null: the system's own
    CallOptions callOptions;
    // What is declared to the server, a JSON object, with the details of what it may request. Of that only what has a
    // responder is declared (see Connection::setResponder()), and nothing that ServerSpec::undeclaredCapabilities
    // names.
    QByteArray capabilities = QByteArrayLiteral("{}");
    std::chrono::milliseconds handshakeTimeout = Connector::DefaultTimeout;
    // Who the person is to the server, over HTTP; null: the connection signs in by itself where the profile has tokens.
    // It outlives every start.
    std::shared_ptr<CredentialSource> credentials;
    bool hasPerson = true;  // who can be asked to sign in in a browser
    Profile profile;        // what is known from earlier, and may be kept for later; its list of servers is not used
    // Under which the server is approved, where others may have its name; empty: that name.
    QString approvalName;
    const QString &approvalNameOf(const ServerSpec &spec) const
    {
        return approvalName.isEmpty() ? spec.name : approvalName;
    }
    bool loadCatalog = true;  // list everything once connected
    // Whether each message is checked against the rules of its revision, and findings about them recorded.
    bool checkMessages = false;
    // In 2026-07-28, where changes of the lists are told only to those who listen: listen, so that they are read again.
    bool followLists = false;
    bool takesUpTasks = true;  // follow those that are kept as soon as the server is connected
    qint64 maxMessageBytes = qint64(256) * 1024 * 1024;

    void take(const ServerTimeouts &timeouts);  // what is given there
};

// When a server of HTTP no longer knows its session (404), a new one is begun at once, as the specification wants it:
// once, until the new one has answered a request made here. Requests that may run twice are sent again: whatever reads
// or lists, and tools that declare readOnlyHint or idempotentHint.
//
// spec -> transport + recorder + client + catalog. The session lives as long as the connection object and spans
// restarts; each start is a further connection number in it.
class Connection : public QObject {
    Q_OBJECT
public:
    enum class State { Disconnected, Connecting, Connected, Closing };
    Q_ENUM(State)

    Connection(ServerSpec spec, ConnectionOptions options, QObject *parent = nullptr);
    ~Connection() override;  // ends the process; the session gets its end record

    const ConnectionOptions &options() const;
    const ServerSpec &spec() const;
    void setSpec(const ServerSpec &spec);  // takes effect at the next open()

    void open();     // ends in Connected or Disconnected with error() set
    void close();    // ends in Disconnected
    void restart();  // close, wait for the end, open again
    // The same without what is remembered of this server: whether it wants a handshake, and over which transport.
    void detectAgain();

    State state() const;
    // How far the last start has come, the reason for its failure included. Empty before the first.
    const QList<StartStep> &startSteps() const;
    qint64 startingForMs() const;  // -1: it is not being started
    bool isRestarting() const;     // closing, to be opened again at once
    QString statusText() const;    // "Starting…", "exited with code 127 during startup"
    Error error() const;           // why it is not connected; Kind::None when nobody asked it to be
    // Connected, or closing, but the server could not be reached the last time, or the connection broke off while it
    // owed a response: over HTTP that is no end, and the next request may reach it. Kind::None otherwise.
    Error trouble() const;
    const ServerInfo &serverInfo() const;
    // Why the connection speaks the revision that serverInfo() names, or what was found out before it failed: a
    // sentence. Empty when nothing was.
    QString revisionReason() const;
    // Why this tool of the catalog must not be called on this connection, a sentence; empty when it may be.
    QString whyNotCallable(const Tool &tool) const;
    // About this start as a whole: what is wrong with its handshake, and lines on standard output that are no
    // messages. stateChanged() tells of the first.
    QStringList findings() const;
    // What is declared at the next start, or was at this one if since then nobody has begun or ceased to respond,
    // and the spec is the same.
    QByteArray clientCapabilities() const;
    // Who responds to requests of this kind, from the next start on: the server is told then that it may make them.
    // One for each kind; none any more once the context is gone.
    void setResponder(InputRequest::Kind kind, QObject *context, std::function<void(InputRequest *)> respond);
    QString transportName() const;   // "stdio", "HTTP"
    QString resolvedTarget() const;  // the absolute program with its arguments, or the address
    qint64 processId() const;
    qint64 latencyNs() const;  // of the last ping or handshake; -1: unknown
    QStringList stderrTail() const;
    // What came on standard error from that moment on, the last lines of it.
    QStringList stderrSince(const QDateTime &time) const;

    Catalog *catalog() const;              // never null; keeps what was listed last while not connected
    Session *session() const;              // never null
    int startNumber() const;               // of the last start, as RecordInfo::connection
    SessionCheck *messageCheck() const;    // null where messages are not checked
    Subscriptions *subscriptions() const;  // never null
    TaskList *tasks() const;               // never null
    LogLevelChoice *logLevel() const;      // never null
    ToolMemory *toolMemory() const;        // never null
    // What the server does with tasks; nothing while not connected, and where it is not to know that Sonde can.
    TaskSupport taskSupport() const;
    // What was read of this resource since the start, while the server lets it be used again. Nothing is sent.
    std::optional<Outcome> freshRead(const QString &uri) const;

    // The start waits until a person has agreed to it, by one of the two; null: it does not. Where nobody follows
    // approvalNeeded() it fails instead.
    const Approval *approval() const;
    Error approve();  // why it will be asked again next time; it goes on all the same
    void decline();

    // The sign-in of this connection; null where it makes none, and before the first start. Another one once the
    // description says otherwise.
    OAuth *signIn() const;

    // Never null. While not connected they end with an Error on the next turn.
    Call *request(QStringView method, const QByteArray &params = {});
    Call *request(QStringView method, const QByteArray &params, const CallOptions &options);
    Call *callTool(const QString &name, const QByteArray &arguments);  // a JSON object, or empty
    Call *readResource(const QString &uri);
    Call *getPrompt(const QString &name, const QByteArray &arguments);  // a JSON object of strings, or empty
    // Goes on with a task of an earlier call. tool: may be empty.
    Call *followTask(const QString &taskId, const QString &tool,
                     TaskOptions::Follow follow = TaskOptions::Follow::Always);
    Call *ping();  // 2026-07-28 has none: server/discover takes its place
    // headers: of HTTP, for this message only. What they say in secret is kept out of the recording.
    Call *sendRaw(const QByteArray &bytes, const MessageHeaders &headers = {});
    // What an error -32042 wants opened, passed on to the responder for elicitations. Null: the outcome is no such
    // error, or such elicitations were not declared.
    std::unique_ptr<RequiredUrls> askForRequiredUrls(const Outcome &outcome);
    QList<QByteArray> headerNames() const;  // of what goes with a message by itself; empty where it is not HTTP
    void setTimeouts(const ServerTimeouts &timeouts);  // what is given there, of the next requests and starts
    Error notify(QStringView method, const QByteArray &params = {});

Q_SIGNALS:
    void stateChanged();
    void approvalNeeded();
    void signInChanged();  // signIn() is another one
    void notified(const sonde::Message &notification);
    // A request of the server that was not passed on: a ping, or what was answered with -32601.
    void serverRequested(const sonde::Message &request);

private:
    class Private;
    std::unique_ptr<Private> d;
};

}  // namespace sonde
