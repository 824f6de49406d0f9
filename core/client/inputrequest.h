// A request of the server that is waiting for our response.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/error.h"
#include "core/protocol/message.h"

#include <QObject>
#include <optional>

namespace sonde {

class Client;

// Contract:
//  1. It is answered at most once: the first of respond(), decline(), cancel() and fail() that has something to send
//     ends it. What is called on one that has ended returns an Error and sends nothing.
//  2. ended() comes exactly once, with how it ended: also when the server withdraws the server request or the
//  connection
//     goes (Lost, as when a response cannot be sent any more), and then nothing is sent. Deleting the client ends it as
//     Lost without emitting anything.
//  3. The client owns it; it deletes itself. deleteLater() is called before ended() is emitted, because a slot may
//     delete the client. Whoever keeps one beyond that uses a QPointer.
//  4. One that is deleted while it is open tells the server so, with an error.
//  5. It belongs to one start of one server, for as long as that lasts: client() and id() name it.
// Lives on the client's thread.
class InputRequest : public QObject {
    Q_OBJECT
public:
    enum class Kind { Elicitation, Sampling, Roots };
    enum class End { Answered, Withdrawn, Lost };
    Q_ENUM(End)

    ~InputRequest() override;

    Kind kind() const { return m_kind; }
    const RequestId &id() const { return m_message.id(); }
    const QString &method() const { return m_message.method(); }
    json::Value params() const { return m_message.params(); }
    const Message &message() const { return m_message; }
    Client *client() const { return m_client; }  // null once it has ended
    bool isOpen() const { return m_client; }

    // result: a JSON object. One that is none is refused with an Error, and the server request stays open.
    Error respond(const QByteArray &result);
    // The person does not want to answer: an action where the protocol has one, else an error.
    Error decline();
    // The person closed the server request without deciding.
    Error cancel();
    Error fail(int code, const QString &text, const QByteArray &data = {});  // data: JSON, or empty for none

    // Nothing for methods that are no server requests.
    static std::optional<Kind> kindOf(QStringView method);
    // The methods of the kinds that a client with these capabilities (a JSON object) has to answer.
    static QStringList methodsFor(const QByteArray &capabilities);

Q_SIGNALS:
    void ended(sonde::InputRequest::End how);

private:
    friend class Client;
    InputRequest(Client *client, Kind kind, const Message &message);

    Error refuse(QStringView action);
    Error response(const Message &message);
    void end(End how);

    Client *m_client;
    const Kind m_kind;
    const Message m_message;
};

}  // namespace sonde
