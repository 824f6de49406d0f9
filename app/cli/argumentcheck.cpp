// SPDX-License-Identifier: Apache-2.0
#include "app/cli/argumentcheck.h"

#include "app/cli/texts.h"
#include "core/schema/schema.h"
#include "core/shape/issuetext.h"

#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace sonde::cli {
namespace {

Finding finding(const json::Value &given, const json::Pointer &place, const QString &message)
{
    return {Finding::Code::Arguments, issueText(placeWords(given, place), message), place.toString()};
}

// Whether everything that may be given is among the properties: other keywords could add to them.
bool namesAll(const json::Value &schema)
{
    const bool hasMore = std::ranges::any_of(
        std::array{u"additionalProperties"_s, u"unevaluatedProperties"_s, u"patternProperties"_s, u"$ref"_s,
                   u"$dynamicRef"_s, u"allOf"_s, u"anyOf"_s, u"oneOf"_s, u"if"_s, u"dependentSchemas"_s},
        [&schema](const QString &keyword) { return schema.contains(keyword); });
    return schema[u"properties"].isObject() && !hasMore;
}

}  // namespace

QList<Finding> findingsOfArguments(const QByteArray &arguments, const json::Value &inputSchema)
{
    if (!inputSchema.isObject())
        return {};
    const json::Value given = json::parse(arguments.isEmpty() ? QByteArrayLiteral("{}") : arguments);
    QList<Finding> found;
    for (const schema::Issue &issue : schema::Schema(inputSchema, schema::Schema::forArguments()).validate(given)) {
        if (!issue.notChecked)
            found.append(finding(given, issue.instance, issue.message));
    }
    if (!namesAll(inputSchema))
        return found;
    for (const json::Value &argument : given) {
        if (!inputSchema[u"properties"].contains(argument.key()))
            found.append(
                finding(given, json::Pointer({argument.key()}), CliText::tr("is not an argument of this tool")));
    }
    return found;
}

QList<Finding> findingsOfArguments(const QByteArray &arguments, const Prompt &prompt)
{
    const json::Value given = json::parse(arguments.isEmpty() ? QByteArrayLiteral("{}") : arguments);
    QList<Finding> found;
    for (const PromptArgument &argument : prompt.arguments) {
        if (argument.required && !given.contains(argument.name))
            found.append(finding(given, json::Pointer({argument.name}), CliText::tr("is required")));
    }
    for (const json::Value &argument : given) {
        const QString name = argument.key();
        if (std::ranges::find(prompt.arguments, name, &PromptArgument::name) == prompt.arguments.end())
            found.append(finding(given, json::Pointer({name}), CliText::tr("is not an argument of this prompt")));
    }
    return found;
}

QList<Finding> findingsOfVariables(const UriTemplate &uriTemplate, const QMap<QString, UriTemplate::Value> &values)
{
    QList<Finding> found;
    for (const QString &variable : uriTemplate.neededVariables()) {
        if (!values.contains(variable))
            found.append(finding({}, json::Pointer({variable}), CliText::tr("has no value")));
    }
    return found;
}

}  // namespace sonde::cli
