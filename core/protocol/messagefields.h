// What ties a message to others, picked out of its bytes without building a tree of all of it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/requestid.h"

#include <QByteArrayView>
#include <QStringList>

namespace sonde {

class Message;

// Of a request or notification.
struct CallFields {
    RequestId id;
    RequestId token;         // params._meta.progressToken of a request, params.progressToken of a notification
    RequestId about;         // params.requestId: what notifications/cancelled cancels
    RequestId subscription;  // params._meta["io.modelcontextprotocol/subscriptionId"]
    QString task;            // params.taskId, or the related task of params._meta
    QString status;          // params.status: of a task
    QString elicitation;     // params.elicitationId: of a server request by URL, or of one that is completed
    QByteArray state;        // params.requestState, as written
    bool hasResponses = false;
    bool asksPerson = false;  // params.inputRequests, in a notification about a task

    bool isRetry() const { return hasResponses || !state.isEmpty(); }
};

// Of a response that is a result.
struct ResultFields {
    enum class Kind { Complete, InputRequired, Task };

    Kind kind = Kind::Complete;
    QString task;              // the id of the task that the result announces or tells of
    QString status;            // of that task
    QByteArray state;          // requestState, as written
    bool asksPerson = false;   // one of its inputRequests goes to a person rather than to the program
    bool isToolError = false;  // its own, or that of the result within a task
    bool hasError = false;     // a task that ended with a JSON-RPC error
};

CallFields callFields(QByteArrayView message);
ResultFields resultFields(QByteArrayView message);
// Of a response that is an error: what a person has to complete in a browser before the request can be sent again
// (spec: client/elicitation, "URL Elicitation Required Error").
QStringList elicitationsRequired(QByteArrayView message);

// Whether answering takes a person: elicitation and sampling do, roots do not.
bool asksPerson(QStringView method);
// Requests in the course of which a server may ask or log. Lists, pings and subscriptions just return.
bool mayBeAskedDuring(QStringView method);

// How params call the target of a message: "name" or "uri".
bool isNamed(QByteArrayView method);
bool hasUri(QByteArrayView method);
// Of a request or notification: the name of a tool or prompt, the URI of a resource; else empty.
QString targetOf(const Message &call);
// None where the message is not a request: the id of a response is the server's.
RequestId requestIdOf(const Message &message);

// Whether two requests ask for the same: their params without _meta, inputResponses and requestState.
bool haveSameArguments(QByteArrayView request, QByteArrayView other);

}  // namespace sonde
