// All that differs between the protocol's eras, behind one interface.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/call.h"
#include "core/client/taskstate.h"
#include "core/protocol/revision.h"
#include "core/transport/messageheaders.h"

#include <QList>

namespace sonde {

// What is wrong with the form of a message: it can be found again in the message at any time.
QStringList formFindings(const Message &message);

// A request before a dialect has prepared it. params: a JSON object, or empty.
struct RequestBody {
    QString method;
    QByteArray params;
};

struct PreparedRequest {
    QByteArray params;
    MessageHeaders headers;   // of HTTP, beside those of the transport; elsewhere they are left out
    RequestId progressToken;  // None where no progress was asked for
    Error error = {};         // why it must not be sent; None when it may
};

// One thing that a server wants to know before it goes on, out of a result that asks for input.
struct InputEntry {
    QString key;
    QString method;
    json::Value params;
};
struct InputResponse {
    QString key;
    QByteArray result;  // a JSON object
};

// What a response means for its call.
struct Interpretation {
    enum class Kind {
        Finished,        // the call has its outcome
        Again,           // the same request is to be made again, once; the outcome counts if that was done already
        AgainWithTools,  // the same, after the tools have been listed anew
        InputRequired,   // the same request is to be made again, with responses to the inputs
        TaskStarted      // the server works on it, or has done: `task`. The outcome counts where nobody follows tasks
    };
    Kind kind = Kind::Finished;
    Outcome outcome;           // when Finished, or Again
    QList<InputEntry> inputs;  // when InputRequired, none when the server only wants to be asked again; or TaskStarted
    QByteArray state;          // when InputRequired: to be given back as it came, a JSON value; empty for none
    std::chrono::milliseconds pause{0};
    TaskState task;    // when TaskStarted
    RequestBody next;  // when TaskStarted: asks for it after the pause. No method: `end` is the outcome
    Outcome end;
};

// What a server does with tasks.
struct TaskSupport {
    bool calls = false;        // tools/call may become a task
    bool areAskedFor = false;  // by the client, call by call; otherwise the server decides
    bool canBeCancelled = false;
    bool canBeListed = false;
};

// Used by a Client for the requests and responses of one connection. What is not overridden is JSON-RPC without a word
// of MCP: a Client without another dialect speaks that.
class Dialect {
public:
    virtual ~Dialect() = default;

    virtual QString name() const;  // for people: a revision
    // Whose rules hold for what the server asks.
    virtual Revision revision() const { return statefulRevisions().first(); }
    virtual bool hasBatches() const { return false; }
    // Whether a server may send requests of its own. Where it may not, none is responded to.
    virtual bool hasServerRequests() const { return true; }
    // Whether updates of resources and changes of lists are asked for, and come, on one stream (subscriptions/listen).
    virtual bool hasListenStream() const { return false; }

    // The request as it goes out. id: the one it will have.
    virtual PreparedRequest prepare(const RequestBody &request, const RequestId &id, const CallOptions &options) const;
    // What goes with a request that a person wrote by hand, as PreparedRequest::headers with any other.
    virtual MessageHeaders headersOf(const Message &) const { return {}; }
    // The message is parsed. The first findings of an outcome are its formFindings().
    virtual Interpretation interpret(QStringView method, const Message &response) const;
    // The request of the next round after InputRequired. first: the one that began the call.
    virtual RequestBody nextRound(const RequestBody &first, const Interpretation &last,
                                  const QList<InputResponse> &responses) const;
    // How to tell the server that a request was given up; an Invalid message when nothing is to be sent.
    virtual Message cancellation(QStringView method, const RequestId &id, const QString &reason) const;
    // The response to a request that needs nobody to decide (ping). Invalid when the method is unknown here (-32601 is
    // sent).
    virtual Message response(const Message &request) const;
    // What the server declared about tasks. None, until somebody says so.
    const TaskSupport &taskSupport() const { return m_taskSupport; }
    void setTaskSupport(const TaskSupport &support) { m_taskSupport = support; }
    // A result of tools/list has come: what it says about calls may be needed to prepare them.
    virtual void learnTools(const json::Value &) {}

private:
    TaskSupport m_taskSupport;
};

// Sonde, as it tells a server who it is: an Implementation of the protocol.
QByteArray implementationJson();
// The params of notifications/cancelled. reason: may be empty.
QByteArray cancellationParams(const RequestId &id, const QString &reason);

}  // namespace sonde
