// SPDX-License-Identifier: Apache-2.0
#include "app/demo/offer.h"

#include "app/demo/prompts.h"
#include "app/demo/rawjson.h"
#include "app/demo/resources.h"
#include "app/demo/toolcatalog.h"
#include "app/demo/tools.h"

using namespace Qt::StringLiterals;

namespace sonde::demo {
namespace {

ToolFunction offeredTool(const Conversation &conversation, const QString &name)
{
    const bool stateless = conversation.isAtLeast("2026-07-28");
    const bool hidden = (name == "now-you-see-me"_L1 && !conversation.extraTool()) ||
                        (name == "ping-back"_L1 && stateless) ||
                        ((name == "end-subscriptions"_L1 || name == "unusable-header"_L1) && !stateless);
    return hidden ? nullptr : toolFunction(name);
}

void friendlyPrompt(Conversation &conversation, const Request &request)
{
    const QString name = json::text(json::member(request.params, u"name"_s));
    QString problem;
    const QByteArray result = promptMessages(name, json::member(request.params, u"arguments"_s),
                                             conversation.isAtLeast("2025-06-18"), &problem);
    if (result.isEmpty())
        conversation.refuse(request, InvalidParams, problem, json::Object().text("name", name).done());
    else
        conversation.response(request, result);
}

}  // namespace

const Offer &friendlyOffer()
{
    static const Offer offer{
        .tools = toolDefinitions,
        .tool = offeredTool,
        .resources = resourceDefinitions,
        .templates = templateDefinitions,
        .read = resourceContents,
        .prompts = promptDefinitions,
        .skills = skillDefinitions,
        .getPrompt = friendlyPrompt,
        .completePrompt = promptCompletions,
        .completeTemplate = templateCompletions,
    };
    return offer;
}

}  // namespace sonde::demo
