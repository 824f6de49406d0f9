// Follows tasks: asks the server about them at its pace, passes on what they want to know, and gets their results.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/client.h"

namespace sonde {

class CallTask;

// Part of a Client. Spec: 2025-11-25 basic/utilities/tasks; 2026-07-28 extension io.modelcontextprotocol/tasks.
class Client::Tasks {
public:
    Tasks(Client *client, Client::Private *owner) : q(client), d(owner) {}

    // A response of a call. True when the call goes on, or has ended: the response is no outcome. False: it may be
    // another outcome now.
    bool conclude(Call *call, Interpretation *meaning);
    // A call that begins in the middle.
    void take(Call *call, const QString &taskId);
    // A request about a task failed. True when the server is asked again later.
    bool retry(Call *call, const Error &error);
    // The connection is gone. True when the call waits for the next one.
    bool survives(Call *call, const Error &error);
    void resume();                              // the next one is there
    QList<QPointer<Call>> waitingForSession();  // and for nothing more than that
    void wakeDue();
    void hear(const Message &notification);
    void leave(Call *call, InputRequest::End how, const QString &reason);  // the call ends, and what it asks for so
    void sendCancellation(Call *call);

    static CallOptions roundOptions(const Call *call);
    static QString relatedTask(const json::Value &params);  // of a server request; empty: it names none
    // The response to a request that belongs to a task says so.
    static QByteArray withRelatedTask(const QByteArray &result, const json::Value &params);

private:
    bool follow(Call *call, Interpretation *meaning);
    void start(Call *call);
    void schedule(Call *call, const RequestBody &next, std::chrono::milliseconds pause);
    void arm(CallTask *task, std::chrono::milliseconds pause);
    void wake(Call *call);
    void look(Call *call);
    void tell(Call *call, const QString &finding, const Message &message);
    void update(Call *call, const TaskState &fresh, const Message &message);
    void askForInputs(Call *call, const Interpretation &meaning);
    void sendUpdate(Call *call, const QString &key);
    void fail(Call *call, const Error &error);
    bool isOpen(const QPointer<Call> &call) const;

    Client *const q;
    Client::Private *const d;
};

}  // namespace sonde
