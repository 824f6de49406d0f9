// Every method name of the protocol that Sonde uses, spelled once.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QStringView>

namespace sonde::methods {

inline constexpr QStringView Initialize = u"initialize";
inline constexpr QStringView Initialized = u"notifications/initialized";
inline constexpr QStringView Discover = u"server/discover";
inline constexpr QStringView Ping = u"ping";
inline constexpr QStringView Cancelled = u"notifications/cancelled";
inline constexpr QStringView Progress = u"notifications/progress";
inline constexpr QStringView LogMessage = u"notifications/message";
inline constexpr QStringView SetLogLevel = u"logging/setLevel";
inline constexpr QStringView ListTools = u"tools/list";
inline constexpr QStringView CallTool = u"tools/call";
inline constexpr QStringView ToolsChanged = u"notifications/tools/list_changed";
inline constexpr QStringView ListResources = u"resources/list";
inline constexpr QStringView ListResourceTemplates = u"resources/templates/list";
inline constexpr QStringView ReadResource = u"resources/read";
inline constexpr QStringView Subscribe = u"resources/subscribe";
inline constexpr QStringView Unsubscribe = u"resources/unsubscribe";
inline constexpr QStringView Listen = u"subscriptions/listen";
inline constexpr QStringView SubscriptionAcknowledged = u"notifications/subscriptions/acknowledged";
inline constexpr QStringView ResourcesChanged = u"notifications/resources/list_changed";
inline constexpr QStringView ResourceUpdated = u"notifications/resources/updated";
inline constexpr QStringView ListPrompts = u"prompts/list";
inline constexpr QStringView GetPrompt = u"prompts/get";
inline constexpr QStringView PromptsChanged = u"notifications/prompts/list_changed";
inline constexpr QStringView Complete = u"completion/complete";
inline constexpr QStringView ListRoots = u"roots/list";
inline constexpr QStringView RootsChanged = u"notifications/roots/list_changed";
inline constexpr QStringView CreateMessage = u"sampling/createMessage";
inline constexpr QStringView Elicit = u"elicitation/create";
inline constexpr QStringView GetTask = u"tasks/get";
inline constexpr QStringView TaskResult = u"tasks/result";
inline constexpr QStringView UpdateTask = u"tasks/update";
inline constexpr QStringView CancelTask = u"tasks/cancel";
inline constexpr QStringView ListTasks = u"tasks/list";
inline constexpr QStringView TaskStatusChanged = u"notifications/tasks/status";
inline constexpr QStringView TaskChanged = u"notifications/tasks";
inline constexpr QStringView ElicitationComplete = u"notifications/elicitation/complete";

// Whose result is an object with something in it: in a result of another kind nothing of what was asked for came.
// Other methods have worked, whatever their result is.
inline bool needsObject(QStringView method)
{
    for (const QStringView each :
         {ListTools, CallTool, ListResources, ListResourceTemplates, ReadResource, ListPrompts, GetPrompt}) {
        if (method == each)
            return true;
    }
    return false;
}

// One of the names that come in floods, without memory of its own. Null: none of them.
inline QString frequentName(QLatin1StringView name)
{
    for (const QStringView each : {LogMessage, Progress, ResourceUpdated, CallTool}) {
        if (name.size() == each.size() && name == each)
            return QString::fromRawData(each.data(), each.size());
    }
    return {};
}

}  // namespace sonde::methods
