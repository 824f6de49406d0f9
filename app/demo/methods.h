// The methods that both eras of the protocol have.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/demo/conversation.h"

namespace sonde::demo {

using CommonMethod = void (*)(Conversation &conversation, const Request &request);
CommonMethod commonMethod(const QString &name);  // null: there is none

const QStringList &logLevels();                                   // least severe first
QByteArray implementation(const QString &revision);               // of this server
QByteArray sharedCapabilities(const Conversation &conversation);  // the members, without the braces
QString instructions();
// As the tools are listed to this client; empty when there is no such tool.
QByteArray toolDefinition(const Conversation &conversation, const QString &name);

}  // namespace sonde::demo
