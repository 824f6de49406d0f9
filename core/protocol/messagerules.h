// What a message must look like in its revision, and what of that it breaks.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/message.h"
#include "core/protocol/revision.h"

#include <QSet>
#include <QStringList>

namespace sonde {

enum class Sender : quint8 { Client, Server };

// Sentences, MaxMessageFindings at most; empty for a message that keeps to the revision. Of what is no JSON-RPC nothing
// is said: Message::problems() has that. requestMethod: of a response, the method of its request; empty: unknown, and
// only errors are checked. Methods that no revision has are nobody's business but the server's, and not checked.
// Builds the tree of the message, so it is for a worker thread; may be called on several at once.
QStringList messageFindings(const Message &message, Sender sender, const QString &requestMethod, Revision revision);

constexpr int MaxMessageFindings = 5;

// What makes a value useless to who has to work with it: much less than messageFindings(), and quickly found. shape:
// one of messagetables.cpp; others have no findings. The methods of servers stand there for the params of their
// requests, those of clients for the results of theirs. root: what the value itself is called.
QStringList shapeFindings(const json::Value &value, QStringView shape, Revision revision, const QString &root);
// A value as findings name it: "an object", or how it is written.
QString shownValue(const json::Value &value);

// What forbids a server to send this request in a conversation with a handshake, or an empty string. declared: the
// names of the capabilities that the client declared. Spec: basic/lifecycle, "Operation" and "Initialization".
QString problemOfServerRequest(const QString &method, const QSet<QString> &declared, bool isInitialized,
                               Revision revision);

}  // namespace sonde
