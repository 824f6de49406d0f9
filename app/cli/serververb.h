// A verb that is asked of one connected server.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/findings.h"
#include "app/cli/output.h"
#include "app/cli/verb.h"
#include "core/connection/connection.h"

#include <QPointer>
#include <functional>
#include <memory>

namespace sonde::cli {

class Run;

// begin() is called once, when the connection is ready; done() comes once. As a line of a script it has the connection,
// the output and the shared options of that script.
class ServerVerb : public Verb {
    Q_OBJECT
public:
    ServerVerb();
    ~ServerVerb() override;

    void declareShared(app::OptionTable &table) final;
    QString problem() const final;
    void start(const Profile &profile) final;
    void interrupt(app::Interruption interruption) final;
    Output &output() const final;

    // What is wrong with its own words. Empty: nothing.
    virtual QString ownProblem() const { return {}; }
    virtual bool mayBeInScript() const { return true; }
    void beLineOf(const ServerVerb &script) { m_run = script.m_run; }

    virtual bool savesContent() const { return false; }        // takes --save
    virtual bool printsResponse() const { return false; }      // makes one request: takes --raw
    virtual bool countsFindings() const { return false; }      // takes --strict
    virtual bool readsStandardInput() const { return false; }  // as a file that its words name
    // Responds to the server as a recording did, and prints a report that is handed on, so that errors are masked.
    virtual bool repeatsSession() const { return false; }

    // What can be checked before a server is started; an Error ends in wrong use.
    virtual Error check() { return {}; }
    // Whether its files may name a saved server where the command line names none; after check(), that name.
    virtual bool mayNameServer() const { return false; }
    virtual Result<QString> namedServer() const { return QString(); }
    virtual bool needsCatalog() const { return false; }
    // After check(): what it needs otherwise than the command line says.
    virtual void adapt(ServerSpec *, ConnectionOptions *) const {}
    // Before the connection is opened: who responds to the server has to be known by then.
    virtual void prepare(Connection *) {}
    virtual void begin(Connection *connection) = 0;
    virtual void showLogMessage(const Message &notification);  // with --verbose
    // What is under way ends by itself when the connection does.
    virtual bool isWaiting() const { return m_call && !m_call->isFinished(); }
    // Ctrl-C: the open call is cancelled, and no other is begun. False when there is none.
    virtual bool cancel();
    // What was found about the conversation as a whole becomes findings.
    void setConnection(const Connection *connection) { m_connection = connection; }

Q_SIGNALS:
    void done(sonde::cli::ExitCode code);

protected:
    Run &run() const { return *m_run; }
    bool isLine() const { return m_run != m_ownRun.get(); }
    // Shows progress until the call ends.
    void follow(Call *call, const std::function<void(const Outcome &)> &then);
    // The ordinary end of a call: --json, or the error in words, or show() for a result.
    void conclude(const Outcome &outcome, const std::function<void()> &show);
    // conclude() without the end.
    void report(const Outcome &outcome, const std::function<void()> &show);
    // After an error of the server about a name: says what may have been meant, from the list of all. then() comes in
    // any case.
    void suggest(const Outcome &outcome, Connection *connection, Catalog::List list, const QString &name,
                 const std::function<void()> &then);
    // About the conversation as a whole, if setConnection() was called.
    QList<Finding> connectionFindings() const;
    // How the verb ends with this outcome.
    ExitCode codeOf(const Outcome &outcome) const;
    // Nothing is sent, and done.
    void refuseCall(const Error &error);
    // A tool that says that it may destroy something is called where --yes or somebody at the terminal agrees: then()
    // comes once that is known. Otherwise it is refused.
    void whenAllowed(const Tool *tool, const std::function<void()> &then);
    void whenAllowed(const QStringList &destructiveTools, const std::function<void()> &then);
    // Warns of arguments that the server does not expect. False, and done: with --strict they are not sent.
    bool maySend(const QList<Finding> &findings);
    // then() when the list has been read or cannot be.
    void whenListed(Connection *connection, Catalog::List list, const std::function<void()> &then);

private:
    void sayRequiredUrls(const json::Value &elicitations);

    std::unique_ptr<Run> m_ownRun;
    Run *m_run;
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

// That the server's list, which was read, has no such tool; with the name that may have been meant.
Error unknownTool(const Connection &connection, const QString &name, const QString &hint);

// Whether the server declared what this list belongs to.
bool isOffered(const Connection &connection, Catalog::List list);

}  // namespace sonde::cli
