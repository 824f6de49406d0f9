// What a message says at a glance, found in one pass over its bytes without building a tree.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/message.h"

#include <QByteArrayView>
#include <QStringList>
#include <array>

namespace sonde {

// The members of a message, and those of its params or result that tie it to others. Views into the text that was
// read, as written; of several with one name the last.
struct MessageFields {
    enum Member : quint8 {
        JsonRpc,
        Id,
        Method,
        Params,
        Result,
        Error,
        // Of the params of a message with a method, or of the result of any other.
        Name,
        Uri,
        Meta,
        ProgressToken,
        AboutId,
        TaskId,
        Status,
        ElicitationId,
        RequestState,
        InputResponses,
        InputRequests,
        IsError,
        ResultType,
        Task,
        TaskResult,
        TaskError,
        MemberCount
    };

    // Of what is not valid JSON, or no object, some members may be missing.
    static MessageFields read(QByteArrayView json);
    // What can be found in a text that is not valid: the members of the message itself.
    static MessageFields ofTree(const json::Value &object);
    static QLatin1String nameOf(Member member);

    QByteArrayView operator[](Member member) const { return members[member]; }  // empty: there is none
    QByteArrayView content(Member member) const;  // what a string has between its quotes; may hold escapes
    QString string(Member member) const;          // decoded; empty where it is no string
    bool has(Member member) const { return counts[member] > 0; }  // of the message itself
    bool isToolError() const { return members[IsError] == "true"; }
    bool asksForInput() const { return string(ResultType) == u"input_required"; }

    // The text is valid JSON and a well-formed request, notification or result, in which nothing but this is to be
    // judged. False says nothing about the text, only that Message::parse() has to be asked: broken messages, errors,
    // batches, ids, methods and names with escapes, members that occur twice.
    bool isPlain = false;
    bool isObject = false;                        // the text is one valid JSON object
    Message::Kind kind = Message::Kind::Invalid;  // of one that is plain
    std::array<QByteArrayView, MemberCount> members;
    std::array<int, Name> counts{};  // how often the members of the message itself occur
};

// Of a request or notification. Of a response only the id.
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

// Of a message as text, or of one whose fields have been read.
CallFields callFields(const MessageFields &message);
CallFields callFields(QByteArrayView message);
ResultFields resultFields(const MessageFields &message);
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
