// One verb of sonde-cli: what is asked of a connected server.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/arguments.h"
#include "app/cli/exitcode.h"
#include "app/cli/findings.h"
#include "app/cli/output.h"
#include "core/connection/connection.h"

#include <QObject>
#include <QPointer>
#include <functional>
#include <memory>

namespace sonde::cli {

// start() is called once, when the connection is ready; finished() comes once.
class Verb : public QObject {
    Q_OBJECT
public:
    Verb(const Arguments &arguments, Output &output) : m_arguments(arguments), m_output(output) {}

    // What can be checked before a server is started; an Error ends in wrong use.
    virtual Error check() { return {}; }
    virtual bool needsCatalog() const { return false; }
    virtual QString recordPath() const { return m_arguments.recordPath; }
    // What is declared to the server; asked for after check().
    virtual QByteArray capabilities() const { return QByteArrayLiteral("{}"); }
    // Before the connection is opened: who responds to the server has to be known by then.
    virtual void prepare(Connection *) {}
    virtual void start(Connection *connection) = 0;
    // What is under way ends by itself when the connection does.
    virtual bool isWaiting() const { return m_call && !m_call->isFinished(); }
    // Ctrl-C: the open call is cancelled, and no other is begun. False when there is none.
    virtual bool cancel();
    // What was found about the conversation as a whole becomes findings.
    void setConnection(const Connection *connection) { m_connection = connection; }

Q_SIGNALS:
    void finished(sonde::cli::ExitCode code);

protected:
    const Arguments &arguments() const { return m_arguments; }
    Output &output() { return m_output; }
    // Shows progress until the call ends.
    void follow(Call *call, const std::function<void(const Outcome &)> &then);
    // The ordinary end of a call: --json, or the error in words, or show() for a result.
    void conclude(const Outcome &outcome, const std::function<void()> &show);
    // About the conversation as a whole, if setConnection() was called; those that were not printed yet.
    QStringList connectionFindings() const;
    // A tool that says that it may destroy something needs --yes at a terminal: a person may have mistyped, a script
    // has been written with care. False: said, and finished.
    bool mayCall(const Tool &tool);
    // then() when the list has been read or cannot be.
    void whenListed(Connection *connection, Catalog::List list, const std::function<void()> &then);

private:
    void sayRequiredUrls(const json::Value &elicitations);

    Arguments m_arguments;
    Output &m_output;
    QPointer<Call> m_call;
    bool m_isCancelled = false;
    QPointer<const Connection> m_connection;
};

// A log message of the server, for people.
QString logLine(const Message &notification);
// For reports that are handed on: the error with secrets masked as in the session.
Error maskedError(const Connection &connection, Error error);

// The result of a tool, for people.
void showToolResult(const Outcome &outcome, Output &output);

// Whether the server declared what this list belongs to.
bool isOffered(const Connection &connection, Catalog::List list);

std::unique_ptr<Verb> makeInfo(const Arguments &arguments, Output &output);
std::unique_ptr<Verb> makeList(const Arguments &arguments, Output &output);
std::unique_ptr<Verb> makeCall(const Arguments &arguments, Output &output);
std::unique_ptr<Verb> makeRead(const Arguments &arguments, Output &output);
std::unique_ptr<Verb> makePrompt(const Arguments &arguments, Output &output);
std::unique_ptr<Verb> makeRequest(const Arguments &arguments, Output &output);  // and ping
std::unique_ptr<Verb> makeComplete(const Arguments &arguments, Output &output);
std::unique_ptr<Verb> makeSubscribe(const Arguments &arguments, Output &output);
std::unique_ptr<Verb> makeLogLevel(const Arguments &arguments, Output &output);
std::unique_ptr<Verb> makeTasks(const Arguments &arguments, Output &output);
std::unique_ptr<Verb> makeScript(const Arguments &arguments, Output &output);
std::unique_ptr<Verb> makeLogin(const Arguments &arguments, Output &output);
std::unique_ptr<Verb> makeReplay(const Arguments &arguments, Output &output);
std::unique_ptr<Verb> makeVerb(const Arguments &arguments, Output &output);

}  // namespace sonde::cli
