// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/headerparameters.h"

#include "core/json/bytesearch.h"
#include "core/protocol/texts.h"
#include "core/protocol/visibletext.h"

#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

constexpr QStringView Annotation = u"x-mcp-header";
// Keywords whose members are schemas under names that are free to choose.
constexpr QStringView SchemaMaps[] = {u"properties", u"patternProperties", u"dependentSchemas", u"$defs",
                                      u"definitions"};
// Keywords whose value is a schema, or a list of them.
constexpr QStringView SubSchemas[] = {u"items",
                                      u"prefixItems",
                                      u"contains",
                                      u"contentSchema",
                                      u"additionalProperties",
                                      u"allOf",
                                      u"anyOf",
                                      u"oneOf",
                                      u"not",
                                      u"if",
                                      u"then",
                                      u"else",
                                      u"propertyNames",
                                      u"dependencies",
                                      u"unevaluatedProperties",
                                      u"additionalItems",
                                      u"unevaluatedItems"};

struct SchemaNode {
    json::Value schema;
    QStringList path;
    bool isReachable = true;  // through properties alone
};

bool isHeaderName(QStringView name)
{
    const auto isTokenCharacter = [](QChar c) {
        return (c >= u'0' && c <= u'9') || (c >= u'A' && c <= u'Z') || (c >= u'a' && c <= u'z') ||
               QStringView(u"!#$%&'*+-.^_`|~").contains(c);
    };
    return !name.isEmpty() && std::all_of(name.begin(), name.end(), isTokenCharacter);
}

QString problemOfAnnotation(const SchemaNode &node, QSet<QString> *names)
{
    const json::Value name = node.schema[Annotation];
    const QString where =
        node.path.isEmpty() ? ProtocolText::tr("the schema's root") : visibleLine(node.path.join(u'.'), 80);
    if (!name.isString() || !isHeaderName(name.string()))
        return ProtocolText::tr("The x-mcp-header of %1 is not a name for an HTTP header: %2")
            .arg(where, visibleLine(QString::fromUtf8(name.bytes().left(200)), 60));
    if (!node.isReachable || node.path.isEmpty())
        return ProtocolText::tr("The x-mcp-header “%1” (%2) is not on a property that every call can have.")
            .arg(name.string(), where);
    const QString type = node.schema[u"type"].string();
    if (type != u"string" && type != u"integer" && type != u"boolean")
        return ProtocolText::tr(
                   "The x-mcp-header “%1” (%2) is on a property that is not a string, an integer or a boolean.")
            .arg(name.string(), where);
    if (names->contains(name.string().toLower()))
        return ProtocolText::tr("The x-mcp-header “%1” is used more than once.").arg(name.string());
    names->insert(name.string().toLower());
    return {};
}

void addSubSchemas(const SchemaNode &node, QList<SchemaNode> *nodes)
{
    for (const QStringView keyword : SchemaMaps) {
        const json::Value map = node.schema[keyword];
        if (!map.isObject())
            continue;
        const bool isReachable = node.isReachable && keyword == u"properties";
        for (const json::Value &member : map)
            nodes->append({member, node.path + QStringList{member.key()}, isReachable});
    }
    for (const QStringView keyword : SubSchemas) {
        const json::Value value = node.schema[keyword];
        const QStringList path = node.path + QStringList{keyword.toString()};
        if (value.isObject())
            nodes->append({value, path, false});
        if (value.isArray() || keyword == u"dependencies") {
            for (const json::Value &element : value)
                nodes->append({element, path, false});
        }
    }
}

}  // namespace

HeaderParameters readHeaderParameters(const json::Value &inputSchema)
{
    HeaderParameters parameters;
    static const CaseInsensitiveMatcher marker("-mcp-header");
    if (!inputSchema.isObject() || !marker.isIn(inputSchema.slice()))
        return parameters;
    QSet<QString> names;
    QList<SchemaNode> nodes{{inputSchema, {}, true}};
    while (!nodes.isEmpty()) {
        const SchemaNode node = nodes.takeFirst();
        if (!node.schema.isObject())
            continue;
        if (node.schema.contains(Annotation)) {
            const QString problem = problemOfAnnotation(node, &names);
            if (!problem.isEmpty())
                return {{}, problem};
            parameters.list.append({"Mcp-Param-" + node.schema[Annotation].string().toLatin1(), node.path});
        }
        addSubSchemas(node, &nodes);
    }
    return parameters;
}

QByteArray headerValue(const QString &text)
{
    const bool isPlain = !text.isEmpty() && text.trimmed() == text &&
                         std::all_of(text.begin(), text.end(), [](QChar c) { return c >= u' ' && c <= u'~'; }) &&
                         !(text.startsWith("=?base64?"_L1) && text.endsWith("?="_L1));
    return isPlain ? text.toLatin1() : "=?base64?" + text.toUtf8().toBase64() + "?=";
}

}  // namespace sonde
