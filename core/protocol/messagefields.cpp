// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/messagefields.h"

#include "core/json/compare.h"
#include "core/json/scan.h"
#include "core/protocol/error.h"
#include "core/protocol/message.h"
#include "core/protocol/methods.h"

#include <map>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

// Ids, tokens and states are short. What is longer than this is not looked into, so that a message of many megabytes
// costs one pass over its bytes.
constexpr qsizetype MaxDetailLength = 256 * 1024;

json::Value parsed(QByteArrayView text)
{
    return text.size() <= MaxDetailLength ? json::parse(text.toByteArray()) : json::Value();
}

// The key without quotes.
QByteArray keyName(QByteArrayView key)
{
    if (key.contains('\\'))
        return parsed(key).string().toUtf8();
    return key.size() < 2 ? QByteArray() : key.sliced(1).chopped(1).toByteArray();
}

template <typename Visit>
void eachMember(QByteArrayView object, const Visit &visit)
{
    json::scanMembers(object, [&visit](QByteArrayView key, QByteArrayView value) { visit(keyName(key), value); });
}

bool anyAsksPerson(QByteArrayView inputRequests)
{
    bool any = false;
    eachMember(inputRequests, [&any](const QByteArray &, QByteArrayView request) {
        any = any || asksPerson(parsed(json::findMember(request, "method")).string());
    });
    return any;
}

void readMeta(const json::Value &meta, CallFields &fields)
{
    fields.subscription = RequestId::fromValue(meta[u"io.modelcontextprotocol/subscriptionId"]);
    if (fields.token.isNone())
        fields.token = RequestId::fromValue(meta[u"progressToken"]);
    const json::Value related = meta[u"io.modelcontextprotocol/related-task"];
    if (fields.task.isEmpty())
        fields.task = related[u"taskId"].string();
}

void readParams(QByteArrayView params, CallFields &fields)
{
    QByteArrayView meta;
    eachMember(params, [&](const QByteArray &key, QByteArrayView value) {
        if (key == "_meta")
            meta = value;
        else if (key == "progressToken")
            fields.token = RequestId::fromValue(parsed(value));
        else if (key == "requestId")
            fields.about = RequestId::fromValue(parsed(value));
        else if (key == "taskId")
            fields.task = parsed(value).string();
        else if (key == "status")
            fields.status = parsed(value).string();
        else if (key == "elicitationId")
            fields.elicitation = parsed(value).string();
        else if (key == "requestState")
            fields.state = value.toByteArray();
        else if (key == "inputResponses")
            fields.hasResponses = true;
        else if (key == "inputRequests")
            fields.asksPerson = anyAsksPerson(value);
    });
    if (!meta.isEmpty())
        readMeta(parsed(meta), fields);
}

std::map<QByteArray, QByteArray> argumentsOf(QByteArrayView request)
{
    std::map<QByteArray, QByteArray> arguments;
    eachMember(json::findMember(request, "params"), [&](const QByteArray &key, QByteArrayView value) {
        if (key != "_meta" && key != "inputResponses" && key != "requestState")
            arguments[key] = value.toByteArray();
    });
    return arguments;
}

}  // namespace

bool asksPerson(QStringView method)
{
    return method == methods::Elicit || method == methods::CreateMessage;
}

bool mayBeAskedDuring(QStringView method)
{
    return method == methods::CallTool || method == methods::GetPrompt || method == methods::ReadResource ||
           method == methods::Complete;
}

CallFields callFields(QByteArrayView message)
{
    CallFields fields;
    eachMember(message, [&](const QByteArray &key, QByteArrayView value) {
        if (key == "id")
            fields.id = RequestId::fromValue(parsed(value));
        else if (key == "params")
            readParams(value, fields);
    });
    return fields;
}

ResultFields resultFields(QByteArrayView message)
{
    ResultFields fields;
    QString type;
    QByteArrayView task;
    eachMember(json::findMember(message, "result"), [&](const QByteArray &key, QByteArrayView value) {
        if (key == "resultType")
            type = parsed(value).string();
        else if (key == "task")
            task = value;
        else if (key == "taskId")
            fields.task = parsed(value).string();
        else if (key == "status")
            fields.status = parsed(value).string();
        else if (key == "requestState")
            fields.state = value.toByteArray();
        else if (key == "inputRequests")
            fields.asksPerson = anyAsksPerson(value);
        else if (key == "isError")
            fields.isToolError = value == "true";
        else if (key == "result")
            fields.isToolError = json::findMember(value, "isError") == "true";
        else if (key == "error")
            fields.hasError = value.startsWith('{');
    });
    if (type == u"input_required") {
        fields.kind = ResultFields::Kind::InputRequired;
    } else if (type == u"task" && !fields.task.isEmpty()) {
        fields.kind = ResultFields::Kind::Task;
    } else if (type.isEmpty() && !task.isEmpty()) {
        const QString id = parsed(json::findMember(task, "taskId")).string();
        if (!id.isEmpty()) {
            fields.kind = ResultFields::Kind::Task;
            fields.task = id;
            fields.status = parsed(json::findMember(task, "status")).string();
        }
    }
    return fields;
}

QStringList elicitationsRequired(QByteArrayView message)
{
    const json::Value error = parsed(json::findMember(message, "error"));
    QStringList ids;
    if (error[u"code"].toInteger() != errorcodes::UrlElicitationRequired)
        return ids;
    for (const json::Value &elicitation : error[u"data"][u"elicitations"]) {
        if (const QString id = elicitation[u"elicitationId"].string(); !id.isEmpty())
            ids.append(id);
    }
    return ids;
}

bool isNamed(QByteArrayView method)
{
    return method == "tools/call" || method == "prompts/get";
}

bool hasUri(QByteArrayView method)
{
    return method.startsWith("resources/") || method.startsWith("notifications/resources/");
}

QString targetOf(const Message &call)
{
    const QByteArray method = call.method().toUtf8();
    return isNamed(method)  ? call.params()[u"name"].string()
           : hasUri(method) ? call.params()[u"uri"].string()
                            : QString();
}

RequestId requestIdOf(const Message &message)
{
    return message.kind() == Message::Kind::Request ? message.id() : RequestId();
}

bool haveSameArguments(QByteArrayView request, QByteArrayView other)
{
    const std::map<QByteArray, QByteArray> left = argumentsOf(request);
    const std::map<QByteArray, QByteArray> right = argumentsOf(other);
    return std::equal(left.begin(), left.end(), right.begin(), right.end(), [](const auto &one, const auto &two) {
        return one.first == two.first &&
               (one.second == two.second || json::equal(json::parse(one.second), json::parse(two.second)));
    });
}

}  // namespace sonde
