// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/types.h"

#include "core/protocol/headerparameters.h"
#include "core/protocol/messagerules.h"

#include <QCoreApplication>

namespace sonde {

namespace {

struct TypesText {
    Q_DECLARE_TR_FUNCTIONS(sonde::Entry)
};

QStringList findingsIn(const json::Value &value, QStringView shape)
{
    return shapeFindings(value, shape, Revision::R20251125, {});
}

// What all entries have in common. False when there is nothing more to be read.
bool readEntry(const json::Value &value, QStringView shape, Entry *entry)
{
    entry->value = value;
    if (!value.isObject()) {
        entry->findings.append(TypesText::tr("The entry is not an object."));
        return false;
    }
    entry->findings = findingsIn(value, shape);
    entry->name = value[u"name"].string();
    entry->description = value[u"description"].string();
    entry->title = value[u"title"].string();
    if (entry->title.isEmpty())
        entry->title = value[u"annotations"][u"title"].string();
    if (entry->title.isEmpty())
        entry->title = entry->name;
    return true;
}

void readUri(const json::Value &value, QString *uri, QStringList *findings)
{
    *uri = value[u"uri"].string();
    if (!uri->isEmpty() && QUrl(*uri, QUrl::TolerantMode).scheme().isEmpty())
        findings->append(TypesText::tr("'uri' has no scheme."));
}

std::optional<bool> hint(const json::Value &value)
{
    return value.isBool() ? std::optional(value.toBool()) : std::nullopt;
}

json::Value stringIn(const json::Value &value)
{
    return value.isString() ? value : json::Value();
}

void readEmbedded(const json::Value &contents, Content *content)
{
    content->uri = contents[u"uri"].string();
    content->mimeType = contents[u"mimeType"].string();
    const json::Value text = contents[u"text"];
    const json::Value blob = contents[u"blob"];
    if (!text.exists() && !blob.exists())
        content->findings.append(TypesText::tr("Neither 'text' nor 'blob' is present."));
    else if (text.exists() && blob.exists())
        content->findings.append(TypesText::tr("Both 'text' and 'blob' are present."));
    content->text = stringIn(text);
    content->data = stringIn(blob);
}

}  // namespace

Tool readTool(const json::Value &value)
{
    Tool tool;
    if (!readEntry(value, u"ListedTool", &tool))
        return tool;
    tool.inputSchema = value[u"inputSchema"];
    tool.headerProblem = readHeaderParameters(tool.inputSchema).problem;
    tool.outputSchema = value[u"outputSchema"];
    const json::Value annotations = value[u"annotations"];
    tool.annotations.readOnly = hint(annotations[u"readOnlyHint"]);
    tool.annotations.destructive = hint(annotations[u"destructiveHint"]);
    tool.annotations.idempotent = hint(annotations[u"idempotentHint"]);
    tool.annotations.openWorld = hint(annotations[u"openWorldHint"]);
    tool.taskSupport = value[u"execution"][u"taskSupport"].string();
    return tool;
}

Resource readResource(const json::Value &value)
{
    Resource resource;
    if (!readEntry(value, u"ListedResource", &resource))
        return resource;
    readUri(value, &resource.uri, &resource.findings);
    resource.mimeType = value[u"mimeType"].string();
    resource.size = value[u"size"].toInteger();
    if (resource.size.value_or(0) < 0)
        resource.size.reset();
    return resource;
}

ResourceTemplate readResourceTemplate(const json::Value &value)
{
    ResourceTemplate result;
    if (!readEntry(value, u"ListedTemplate", &result))
        return result;
    result.uriTemplate = value[u"uriTemplate"].string();
    result.mimeType = value[u"mimeType"].string();
    return result;
}

Prompt readPrompt(const json::Value &value)
{
    Prompt prompt;
    const json::Value arguments = readEntry(value, u"ListedPrompt", &prompt) ? value[u"arguments"] : json::Value();
    for (const json::Value &element : arguments.isArray() ? arguments : json::Value()) {
        if (!element.isObject())
            continue;
        PromptArgument argument;
        argument.name = element[u"name"].string();
        argument.title = element[u"title"].string();
        if (argument.title.isEmpty())
            argument.title = argument.name;
        argument.description = element[u"description"].string();
        argument.required = element[u"required"].toBool();
        prompt.arguments.append(argument);
    }
    return prompt;
}

Implementation readImplementation(const json::Value &value)
{
    Implementation implementation;
    implementation.value = value;
    implementation.name = value[u"name"].string();
    implementation.title = value[u"title"].string(implementation.name);
    implementation.version = value[u"version"].string();
    implementation.description = value[u"description"].string();
    implementation.websiteUrl = value[u"websiteUrl"].string();
    return implementation;
}

ServerInfo readServerInfo(const json::Value &initializeResult)
{
    ServerInfo info;
    info.protocolVersion = initializeResult[u"protocolVersion"].string();
    info.implementation = readImplementation(initializeResult[u"serverInfo"]);
    info.capabilities = initializeResult[u"capabilities"];
    info.instructions = initializeResult[u"instructions"].string();
    return info;
}

Content readContent(const json::Value &value)
{
    Content content;
    content.value = value;
    if (!value.isObject()) {
        content.findings.append(TypesText::tr("The content is not an object."));
        return content;
    }
    const QString type = value[u"type"].string();
    QStringView shape = u"AnyContent";
    if (type == QLatin1String("text")) {
        content.kind = Content::Kind::Text;
        shape = u"AnyText";
        content.text = stringIn(value[u"text"]);
    } else if (type == QLatin1String("image") || type == QLatin1String("audio")) {
        content.kind = type == QLatin1String("image") ? Content::Kind::Image : Content::Kind::Audio;
        shape = u"AnyMedia";
        content.data = value[u"data"];
        content.mimeType = value[u"mimeType"].string();
    } else if (type == QLatin1String("resource_link")) {
        content.kind = Content::Kind::ResourceLink;
        shape = u"AnyLink";
        readUri(value, &content.uri, &content.findings);
        content.name = value[u"name"].string();
        content.description = value[u"description"].string();
        content.mimeType = value[u"mimeType"].string();
    } else if (type == QLatin1String("resource")) {
        content.kind = Content::Kind::Resource;
        shape = u"AnyEmbedded";
        if (const json::Value resource = value[u"resource"]; resource.isObject())
            readEmbedded(resource, &content);
    } else if (value[u"type"].isString()) {
        content.findings.append(TypesText::tr("Unknown content type \"%1\".").arg(type));
    }
    content.findings = findingsIn(value, shape) + content.findings;
    return content;
}

QList<Content> readContents(const json::Value &array)
{
    QList<Content> contents;
    // Prompt messages hold one block, tool results a list; some servers mix them up.
    if (array.isObject()) {
        contents.append(readContent(array));
        contents.first().findings.append(TypesText::tr("The content is a single object instead of an array."));
        return contents;
    }
    contents.reserve(array.size());
    for (const json::Value &element : array)
        contents.append(readContent(element));
    return contents;
}

Content readResourceContents(const json::Value &contents)
{
    Content content;
    content.kind = Content::Kind::Resource;
    content.value = contents;
    if (!contents.isObject()) {
        content.findings.append(TypesText::tr("The content is not an object."));
        return content;
    }
    content.findings = findingsIn(contents, u"AnyResource");
    readEmbedded(contents, &content);
    return content;
}

Progress readProgress(const json::Value &params)
{
    Progress progress;
    progress.token = params[u"progressToken"];
    progress.progress = params[u"progress"].toDouble();
    if (params[u"total"].isNumber())
        progress.total = params[u"total"].toDouble();
    progress.message = params[u"message"].string();
    return progress;
}

}  // namespace sonde
