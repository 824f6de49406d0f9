// What a demo server offers: its tools, resources and prompts.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/demo/conversation.h"

#include <QList>
#include <QStringList>
#include <optional>

namespace sonde::demo {

// One tool's way of answering. arguments: an object, compact, numbers as written.
using ToolFunction = void (*)(Conversation &conversation, const Request &request, const QByteArray &arguments);

struct Offer {
    // Definitions are raw JSON, so that every key stays where it was put. They are those of the newest revision.
    QList<QByteArray> (*tools)(const Conversation &conversation);
    ToolFunction (*tool)(const Conversation &conversation, const QString &name);  // null: there is none
    QList<QByteArray> (*resources)();
    QList<QByteArray> (*templates)();
    // The one element of contents[] for this address, or empty when there is no such resource.
    QByteArray (*read)(const QString &uri);
    QList<QByteArray> (*prompts)();
    QList<QByteArray> (*skills)();  // the entries of skills/list, of the extension
    void (*getPrompt)(Conversation &conversation, const Request &request);
    // Nothing when there is no such prompt or template. context: an object of the other arguments, or empty.
    std::optional<QStringList> (*completePrompt)(const QString &name, const QString &argument);
    std::optional<QStringList> (*completeTemplate)(const QString &uriTemplate, const QString &variable,
                                                   const QByteArray &context);
};

const Offer &friendlyOffer();

}  // namespace sonde::demo
