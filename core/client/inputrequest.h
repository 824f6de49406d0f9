// A request of the server that is waiting for our response.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/error.h"
#include "core/protocol/message.h"
#include "core/protocol/revision.h"

#include <QObject>
#include <QPointer>
#include <functional>
#include <optional>

namespace sonde {

class Call;
class Client;
class InputRequest;
struct InputEntry;

// Where the response to an InputRequest goes: into a response of JSON-RPC, or into the next round of a call.
class InputResponder {
public:
    virtual ~InputResponder() = default;
    // An Error means that it can go nowhere any more. result: a JSON object on one line.
    virtual Error respond(InputRequest *request, const QByteArray &result) = 0;
    virtual Error refuse(InputRequest *request, int code, const QString &text, const QByteArray &data) = 0;
};

// Something that the server wants to know: a request of its own (until 2025-11-25), or an entry of a result that asks
// for input (from 2026-07-28 on). Spec: client/elicitation, client/sampling, client/roots.
//
// Contract:
//  1. It is answered at most once: the first of respond(), decline(), cancel() and fail() that has something to send
//     ends it. What is called on one that has ended returns an Error and sends nothing.
//  2. ended() comes exactly once, with how it ended: also when the server withdraws it, when the connection is closed
//     or lost (Lost also when a response cannot be sent any more), and then nothing is sent. Deleting the client ends
//     it as Lost without emitting anything.
//  3. The client owns it; it deletes itself. deleteLater() is called before ended() is emitted, because a slot may
//     delete the client. Keep one beyond that in a QPointer.
//  4. One that is deleted while it is open tells the server so, with an error.
//  5. It belongs to one start of one server, for as long as that lasts: client(), and id() or key(), name it.
//  6. No deadline of a call counts while a request is open that it may wait for. When the last such call has ended, the
//     request ends as well (CallEnded), and the server is told as by cancel().
// Lives on the client's thread.
class InputRequest : public QObject {
    Q_OBJECT
public:
    enum class Kind { Elicitation, Sampling, Roots };
    // CallEnded: without it. Closed: the connection, by us. Done: what it asked for has happened elsewhere, or is not
    // needed any more.
    enum class End { Answered, Withdrawn, CallEnded, Closed, Lost, Done };
    Q_ENUM(End)

    ~InputRequest() override;

    Kind kind() const { return m_kind; }
    // None for an entry of a result.
    const RequestId &id() const { return m_id; }
    // Of the entry in its result; empty for a request.
    const QString &key() const { return m_key; }
    const QString &method() const { return m_method; }
    Revision revision() const { return m_revision; }  // whose rules hold for it
    const json::Value &params() const { return m_params; }
    const Message &message() const { return m_message; }  // the one that it came with
    Client *client() const { return m_client; }           // null once it has ended
    Call *call() const;                                   // whose response asks for it; null for a request
    bool isOpen() const { return m_client; }
    // Once it was withdrawn, what the server says about that; of CallEnded, how the call ended. May be empty.
    const QString &endReason() const { return m_endReason; }

    // result: a JSON object. Anything else is refused with an Error, and the server request stays open.
    Error respond(const QByteArray &result);
    // The person does not want to answer: an action where the protocol has one, else an error.
    Error decline();
    // The person closed the server request without deciding.
    Error cancel();
    Error fail(int code, const QString &text, const QByteArray &data = {});  // data: JSON, or empty for none

    // Nothing for methods that are no server requests.
    static std::optional<Kind> kindOf(QStringView method);
    static QStringView methodOf(Kind kind);
    static QString capabilityOf(Kind kind);  // the member of the client's capabilities that declares it
    // The methods of the kinds that a client with these capabilities (a JSON object) has to answer.
    static QStringList methodsFor(const QByteArray &capabilities);

Q_SIGNALS:
    void ended(sonde::InputRequest::End how);

private:
    friend class Client;
    friend class InputRound;
    friend class RequiredUrls;
    InputRequest(Client *client, InputResponder *responder, Kind kind, const Message &request);
    InputRequest(Client *client, InputResponder *responder, Kind kind, const InputEntry &entry, const Message &result);

    Error respond(const QByteArray &result, End how);
    Error fail(int code, const QString &text, const QByteArray &data, End how);
    Error refuse(QStringView action, End how = End::Answered);
    Error conclude(const std::function<Error()> &pass, End how);
    void endWithCall(const QString &reason);
    void end(End how, const QString &reason = {});

    Client *m_client;
    InputResponder *const m_responder;  // outlives it as long as it is open
    const Kind m_kind;
    const RequestId m_id;
    const QString m_key;
    const QString m_method;
    const Revision m_revision;
    const json::Value m_params;
    const Message m_message;
    QPointer<Call> m_call;
    QString m_endReason;
};

}  // namespace sonde
