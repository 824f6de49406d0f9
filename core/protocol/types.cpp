// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/types.h"

#include <QCoreApplication>
#include "core/protocol/headerparameters.h"

namespace sonde {

namespace {

struct TypesText {
    Q_DECLARE_TR_FUNCTIONS(sonde::Entry)
};

enum class Need { Optional, Required };

QString missing(QStringView name)
{
    return TypesText::tr("'%1' is missing.").arg(name);
}

QString isNot(QStringView name, const QString &what)
{
    return TypesText::tr("'%1' is not %2.").arg(name, what);
}

// Reads members of one object and says what is wrong with them. `where` names the object within the entry.
class Reader {
public:
    Reader(const json::Value &object, QStringList *findings, const QString &where = {})
        : m_object(object), m_findings(findings), m_where(where)
    {}

    QString string(QStringView name, Need need = Need::Optional) const
    {
        const json::Value value = m_object[name];
        if (value.isString())
            return value.string();
        complain(value, name, need, TypesText::tr("a string"));
        return {};
    }

    // The same without decoding it; Missing when it is no string.
    json::Value stringValue(QStringView name, Need need = Need::Optional) const
    {
        const json::Value value = m_object[name];
        if (value.isString())
            return value;
        complain(value, name, need, TypesText::tr("a string"));
        return {};
    }

    std::optional<bool> boolean(QStringView name) const
    {
        const json::Value value = m_object[name];
        if (value.isBool())
            return value.toBool();
        complain(value, name, Need::Optional, TypesText::tr("a boolean"));
        return {};
    }

    json::Value object(QStringView name, Need need = Need::Optional) const
    {
        const json::Value value = m_object[name];
        if (!value.isObject())
            complain(value, name, need, TypesText::tr("an object"));
        return value;
    }

    json::Value array(QStringView name, Need need = Need::Optional) const
    {
        const json::Value value = m_object[name];
        if (!value.isArray())
            complain(value, name, need, TypesText::tr("an array"));
        return value;
    }

    void complain(const json::Value &value, QStringView name, Need need, const QString &what) const
    {
        const QString path = m_where.isEmpty() ? name.toString() : QStringLiteral("%1.%2").arg(m_where, name);
        if (value.exists())
            m_findings->append(isNot(path, what));
        else if (need == Need::Required)
            m_findings->append(missing(path));
    }

private:
    json::Value m_object;
    QStringList *m_findings;
    QString m_where;
};

// What all entries have in common. False when there is nothing more to be read.
bool readEntry(const json::Value &value, Entry *entry)
{
    entry->value = value;
    if (!value.isObject()) {
        entry->findings.append(TypesText::tr("The entry is not an object."));
        return false;
    }
    const Reader reader(value, &entry->findings);
    entry->name = reader.string(u"name", Need::Required);
    if (value[u"name"].isString() && entry->name.isEmpty())
        entry->findings.append(TypesText::tr("'name' is empty."));
    entry->description = reader.string(u"description");
    entry->title = reader.string(u"title");
    if (entry->title.isEmpty())
        entry->title = value[u"annotations"][u"title"].string();
    if (entry->title.isEmpty())
        entry->title = entry->name;
    return true;
}

void readUri(const Reader &reader, QString *uri, QStringList *findings)
{
    *uri = reader.string(u"uri", Need::Required);
    if (!uri->isEmpty() && QUrl(*uri, QUrl::TolerantMode).scheme().isEmpty())
        findings->append(TypesText::tr("'uri' has no scheme."));
}

void readEmbedded(const json::Value &contents, const QString &where, Content *content)
{
    const Reader reader(contents, &content->findings, where);
    content->uri = reader.string(u"uri", Need::Required);
    content->mimeType = reader.string(u"mimeType");
    const json::Value text = contents[u"text"];
    const json::Value blob = contents[u"blob"];
    if (!text.exists() && !blob.exists())
        content->findings.append(TypesText::tr("Neither 'text' nor 'blob' is present."));
    else if (text.exists() && blob.exists())
        content->findings.append(TypesText::tr("Both 'text' and 'blob' are present."));
    content->text = reader.stringValue(u"text");
    content->data = reader.stringValue(u"blob");
}

void readMedia(const Reader &reader, const json::Value &value, Content *content)
{
    reader.stringValue(u"data", Need::Required);
    content->data = value[u"data"];
    content->mimeType = reader.string(u"mimeType", Need::Required);
}

}  // namespace

Tool readTool(const json::Value &value)
{
    Tool tool;
    if (!readEntry(value, &tool))
        return tool;
    const Reader reader(value, &tool.findings);
    tool.inputSchema = reader.object(u"inputSchema", Need::Required);
    if (tool.inputSchema.isObject() && tool.inputSchema[u"type"].string() != QLatin1String("object"))
        tool.findings.append(TypesText::tr("'inputSchema' does not say \"type\": \"object\"."));
    tool.headerProblem = readHeaderParameters(tool.inputSchema).problem;
    // Any JSON Schema may stand here since 2026-07-28; true and false are schemas too.
    tool.outputSchema = value[u"outputSchema"];
    if (tool.outputSchema.exists() && !tool.outputSchema.isObject() && !tool.outputSchema.isBool())
        tool.findings.append(isNot(u"outputSchema", TypesText::tr("a schema")));

    const Reader annotations(reader.object(u"annotations"), &tool.findings, QStringLiteral("annotations"));
    tool.annotations.readOnly = annotations.boolean(u"readOnlyHint");
    tool.annotations.destructive = annotations.boolean(u"destructiveHint");
    tool.annotations.idempotent = annotations.boolean(u"idempotentHint");
    tool.annotations.openWorld = annotations.boolean(u"openWorldHint");

    const Reader execution(reader.object(u"execution"), &tool.findings, QStringLiteral("execution"));
    tool.taskSupport = execution.string(u"taskSupport");
    static const QStringList known = {QString(), QStringLiteral("forbidden"), QStringLiteral("optional"),
                                      QStringLiteral("required")};
    if (!known.contains(tool.taskSupport))
        tool.findings.append(
            TypesText::tr("'execution.taskSupport' has the unknown value \"%1\".").arg(tool.taskSupport));
    return tool;
}

Resource readResource(const json::Value &value)
{
    Resource resource;
    if (!readEntry(value, &resource))
        return resource;
    const Reader reader(value, &resource.findings);
    readUri(reader, &resource.uri, &resource.findings);
    resource.mimeType = reader.string(u"mimeType");
    const json::Value size = value[u"size"];
    resource.size = size.toInteger();
    if (size.exists() && resource.size.value_or(-1) < 0) {
        resource.size.reset();
        resource.findings.append(isNot(u"size", TypesText::tr("a number of bytes")));
    }
    return resource;
}

ResourceTemplate readResourceTemplate(const json::Value &value)
{
    ResourceTemplate result;
    if (!readEntry(value, &result))
        return result;
    const Reader reader(value, &result.findings);
    result.uriTemplate = reader.string(u"uriTemplate", Need::Required);
    result.mimeType = reader.string(u"mimeType");
    return result;
}

Prompt readPrompt(const json::Value &value)
{
    Prompt prompt;
    if (!readEntry(value, &prompt))
        return prompt;
    const json::Value arguments = Reader(value, &prompt.findings).array(u"arguments");
    if (!arguments.isArray())
        return prompt;
    qsizetype index = 0;
    for (const json::Value &element : arguments) {
        const QString where = QStringLiteral("arguments[%1]").arg(index++);
        if (!element.isObject()) {
            prompt.findings.append(isNot(where, TypesText::tr("an object")));
            continue;
        }
        const Reader reader(element, &prompt.findings, where);
        PromptArgument argument;
        argument.name = reader.string(u"name", Need::Required);
        argument.title = reader.string(u"title");
        if (argument.title.isEmpty())
            argument.title = argument.name;
        argument.description = reader.string(u"description");
        argument.required = reader.boolean(u"required").value_or(false);
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
    const Reader reader(value, &content.findings);
    const QString type = reader.string(u"type", Need::Required);
    if (type == QLatin1String("text")) {
        content.kind = Content::Kind::Text;
        content.text = reader.stringValue(u"text", Need::Required);
    } else if (type == QLatin1String("image")) {
        content.kind = Content::Kind::Image;
        readMedia(reader, value, &content);
    } else if (type == QLatin1String("audio")) {
        content.kind = Content::Kind::Audio;
        readMedia(reader, value, &content);
    } else if (type == QLatin1String("resource_link")) {
        content.kind = Content::Kind::ResourceLink;
        readUri(reader, &content.uri, &content.findings);
        content.name = reader.string(u"name", Need::Required);
        content.description = reader.string(u"description");
        content.mimeType = reader.string(u"mimeType");
    } else if (type == QLatin1String("resource")) {
        content.kind = Content::Kind::Resource;
        const json::Value resource = reader.object(u"resource", Need::Required);
        if (resource.isObject())
            readEmbedded(resource, QStringLiteral("resource"), &content);
    } else if (value[u"type"].isString()) {
        content.findings.append(TypesText::tr("Unknown content type \"%1\".").arg(type));
    }
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
    if (contents.isObject())
        readEmbedded(contents, {}, &content);
    else
        content.findings.append(TypesText::tr("The content is not an object."));
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
