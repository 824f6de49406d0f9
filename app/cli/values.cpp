// SPDX-License-Identifier: Apache-2.0
#include "app/cli/values.h"

#include "app/cli/input.h"
#include "app/cli/texts.h"
#include "core/json/builder.h"
#include "core/json/compare.h"
#include "core/schema/budget.h"

#include <QSet>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::cli {
namespace {

// "integer" is a kind of its own here: it narrows "number".
struct Types {
    QSet<QString> names;
    json::Value list;    // the first schema of a list, for its items
    bool isCut = false;  // the schema was too large to collect all of them

    bool has(QLatin1StringView name) const { return names.contains(name); }
};

QString typeName(const json::Value &value)
{
    switch (value.kind()) {
        case json::Kind::Null:
            return u"null"_s;
        case json::Kind::Bool:
            return u"boolean"_s;
        case json::Kind::Number:
            return u"number"_s;
        case json::Kind::String:
            return u"string"_s;
        case json::Kind::Array:
            return u"array"_s;
        case json::Kind::Object:
            return u"object"_s;
        case json::Kind::Missing:
            break;
    }
    return {};
}

// All that a part of a schema says about types, each schema once: alternatives may refer to one another in circles.
class TypeCollector {
public:
    explicit TypeCollector(const schema::Schema &schema) : m_schema(schema) {}

    void collect(const json::Value &part)
    {
        QList<json::Value> open{part};
        while (!open.isEmpty() && m_budget.spend(20)) {
            const json::Value schema = m_schema.resolved(open.takeLast());
            const char *address = schema.slice().data();
            if (!schema.isObject() || m_visited.contains(address) || !m_budget.spend(schema.size()))
                continue;
            m_visited.insert(address);
            addTypes(schema);
            for (const QStringView keyword : {u"anyOf", u"oneOf", u"allOf"}) {
                const json::Value branches = schema[keyword];
                if (!m_budget.spend(branches.size()))
                    break;
                for (const json::Value &branch : branches)
                    open.append(branch);
            }
        }
        m_types.isCut = m_budget.isSpent() || m_schema.isTooLarge();
    }

    Types take() { return std::move(m_types); }

private:
    void addTypes(const json::Value &schema)
    {
        const json::Value type = schema[u"type"];
        const json::Value constant = schema[u"const"];
        if (type.isString()) {
            add(type.string(), schema);
        } else if (type.isArray()) {
            for (const json::Value &each : type)
                add(each.string(), schema);
        } else if (constant.exists()) {
            add(typeName(constant), schema);
        } else {
            for (const json::Value &each : schema[u"enum"])
                add(typeName(each), schema);
        }
    }

    void add(const QString &name, const json::Value &schema)
    {
        if (!m_types.list.exists() && name == "array"_L1)
            m_types.list = schema;
        m_types.names.insert(name);
        m_budget.spend();
    }

    const schema::Schema &m_schema;
    schema::Budget m_budget;
    QSet<const char *> m_visited;
    Types m_types;
};

Types typesOf(const schema::Schema &schema, const json::Value &part)
{
    TypeCollector collector(schema);
    collector.collect(part);
    return collector.take();
}

Error tooLarge()
{
    return Error::local(CliText::tr("the schema is too large to determine the allowed types"),
                        CliText::tr("Use KEY:=JSON."));
}

bool fits(const json::Value &value, const Types &types)
{
    if (value.isNumber())
        return types.has("number"_L1) || (types.has("integer"_L1) && json::isInteger(value.numberText()));
    return !value.isString() && types.has(QLatin1StringView(typeName(value).toLatin1()));
}

Error misfit(const QString &text, const Types &types)
{
    QStringList names(types.names.cbegin(), types.names.cend());
    names.sort();
    return Error::local(CliText::tr("'%1' is not of type %2").arg(text, names.join(u", "_s)),
                        CliText::tr("Use KEY:=JSON to send it anyway."));
}

// One element of a list that is given word by word: "tags=a tags=b".
Result<QByteArray> listElement(const QString &text, const schema::Schema &schema, const Types &types)
{
    return typedValue(text, schema, types.list[u"items"]);
}

struct Member {
    QString key;
    QByteArray value;
    bool fromWords = false;
    QList<QByteArray> elements;  // when it is a list that was given word by word
};

class Collector {
public:
    explicit Collector(const json::Value &inputSchema) : m_schema(inputSchema) {}

    void addFile(const json::Value &object)
    {
        for (const json::Value &member : object)
            m_members.append({member.key(), member.bytes(), false, {}});
    }

    Error add(const Assignment &assignment)
    {
        auto found = std::find_if(m_members.begin(), m_members.end(),
                                  [&assignment](const Member &each) { return each.key == assignment.key; });
        const bool isNew = found == m_members.end();
        if (!isNew && found->fromWords && found->elements.isEmpty())
            return Error::local(CliText::tr("'%1' is given more than once").arg(assignment.key));
        if (isNew) {
            m_members.append({assignment.key, {}, false, {}});
            found = m_members.end() - 1;
        }
        return fill(*found, assignment);
    }

    QByteArray object() const
    {
        json::Builder builder;
        builder.beginObject();
        for (const Member &member : m_members) {
            builder.key(member.key);
            builder.raw(member.elements.isEmpty() ? member.value : '[' + member.elements.join(',') + ']');
        }
        builder.endObject();
        return builder.take();
    }

private:
    Error fill(Member &member, const Assignment &assignment)
    {
        member.fromWords = true;
        if (assignment.isJson) {
            const QByteArray text = assignment.value.toUtf8();
            const json::Document document = json::Document::parse(text);
            if (!document.isValid())
                return Error::local(CliText::tr("'%1' is not JSON: %2").arg(assignment.value, firstReason(document)));
            member.value = document.root().bytes();
            return {};
        }
        const json::Value part = m_schema.root()[u"properties"][assignment.key];
        const Types types = typesOf(m_schema, part);
        const bool looksLikeList = assignment.value.trimmed().startsWith(u'[');
        const bool wordByWord = !types.isCut && types.has("array"_L1) && !types.has("string"_L1) && !looksLikeList;
        const Result<QByteArray> value =
            wordByWord ? listElement(assignment.value, m_schema, types) : typedValue(assignment.value, m_schema, part);
        if (!value) {
            Error error = value.error();
            error.message = assignment.key + u": "_s + error.message;
            return error;
        }
        if (wordByWord)
            member.elements.append(*value);
        else
            member.value = *value;
        return {};
    }

    static QString firstReason(const json::Document &document)
    {
        return document.findings().isEmpty() ? QString() : document.findings().first().reason;
    }

    schema::Schema m_schema;
    QList<Member> m_members;
};

}  // namespace

app::OptionTarget assignmentsInto(QList<Assignment> *assignments)
{
    const auto take = [assignments](const QString &text) {
        const qsizetype equals = text.indexOf(u'=');
        const bool isJson = equals > 0 && text.at(equals - 1) == u':';
        const QString key = text.left(isJson ? equals - 1 : equals);
        if (equals < 0 || key.isEmpty())
            return CliText::tr("'%1' is neither KEY=VALUE nor KEY:=JSON").arg(text);
        assignments->append({key, text.mid(equals + 1), isJson});
        return QString();
    };
    return {take, app::OptionTarget::Repeat::Yes};
}

app::Option CallArguments::fileRow()
{
    return {u"--args FILE"_s,
            CliText::tr("read arguments from a JSON object in FILE (- for standard input); KEY=VALUE overrides them"),
            &file, app::Completion::files()};
}

app::Option CallArguments::paramsRow(const QString &help)
{
    const auto take = [this](const QString &text) {
        const json::Document document = json::Document::parse(text.toUtf8());
        if (!document.isValid() || !document.root().isObject())
            return CliText::tr("--params must be a JSON object");
        params = document.root().bytes();
        return QString();
    };
    return {u"--params JSON"_s, help, take};
}

QString CallArguments::problem(const QString &target) const
{
    return params.isEmpty() || (target.isEmpty() && file.isEmpty())
               ? QString()
               : CliText::tr("--params replaces the name or URI and the arguments; do not give both");
}

Result<json::Document> readObject(const QString &path)
{
    const Result<QByteArray> text = readInput(path);
    if (!text)
        return text.error();
    const json::Document document = json::Document::parse(*text);
    if (!document.isValid()) {
        const QList<json::Finding> &findings = document.findings();
        const auto wrong = std::find_if(findings.begin(), findings.end(), [](const json::Finding &finding) {
            return finding.severity == json::Finding::Severity::Error;
        });
        return Error::local(
            wrong == findings.end()
                ? CliText::tr("%1 is not JSON.").arg(path)
                : CliText::tr("%1 is not JSON. At byte %2: %3").arg(path).arg(wrong->offset).arg(wrong->reason));
    }
    if (!document.root().isObject())
        return Error::local(CliText::tr("%1 does not contain a JSON object").arg(path));
    return document;
}

Result<QByteArray> typedValue(const QString &text, const schema::Schema &schema, const json::Value &part)
{
    const Types types = typesOf(schema, part);
    if (types.isCut)
        return tooLarge();
    if (!types.names.isEmpty()) {
        const json::Document document = json::Document::parse(text.toUtf8());
        if (document.isValid() && fits(document.root(), types))
            return document.root().bytes();
        if (!types.has("string"_L1))
            return misfit(text, types);
    }
    return json::quoted(text);
}

Result<QByteArray> callArguments(const CallArguments &arguments, const json::Value &inputSchema)
{
    Collector collector(inputSchema);
    if (!arguments.file.isEmpty()) {
        const Result<json::Document> document = readObject(arguments.file);
        if (!document)
            return document.error();
        collector.addFile(document->root());
    }
    for (const Assignment &assignment : arguments.assignments) {
        if (const Error error = collector.add(assignment))
            return error;
    }
    return collector.object();
}

Result<QByteArray> promptArguments(const CallArguments &arguments)
{
    if (arguments.assignments.isEmpty() && arguments.file.isEmpty())
        return QByteArray();
    return callArguments(arguments, {});
}

}  // namespace sonde::cli
