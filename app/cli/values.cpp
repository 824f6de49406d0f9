// SPDX-License-Identifier: Apache-2.0
#include "app/cli/values.h"

#include "core/json/builder.h"
#include "core/json/compare.h"

#include <QCoreApplication>
#include <QFile>
#include <QSet>

using namespace Qt::StringLiterals;

namespace sonde::cli {
namespace {

constexpr int MaxSchemaDepth = 32;  // of unions within unions; a schema can refer to itself

struct ValuesText {
    Q_DECLARE_TR_FUNCTIONS(sonde - cli)
};

// "integer" is a kind of its own here: it narrows "number".
struct Types {
    QSet<QString> names;
    QList<json::Value> lists;  // schemas of lists, for their items

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

void collectTypes(const schema::Schema &schema, const json::Value &unresolved, Types *types, int depth = 0)
{
    const json::Value part = schema.resolved(unresolved);
    if (depth > MaxSchemaDepth || !part.isObject())
        return;
    const json::Value type = part[u"type"];
    const json::Value constant = part[u"const"];
    if (type.isString()) {
        types->names.insert(type.string());
    } else if (type.isArray()) {
        for (const json::Value &each : type)
            types->names.insert(each.string());
    } else if (constant.exists()) {
        types->names.insert(typeName(constant));
    } else {
        for (const json::Value &each : part[u"enum"])
            types->names.insert(typeName(each));
    }
    if (types->has("array"_L1))
        types->lists.append(part);
    for (const QStringView keyword : {u"anyOf", u"oneOf", u"allOf"}) {
        for (const json::Value &branch : part[keyword])
            collectTypes(schema, branch, types, depth + 1);
    }
}

Types typesOf(const schema::Schema &schema, const json::Value &part)
{
    Types types;
    collectTypes(schema, part, &types);
    return types;
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
    return Error::local(ValuesText::tr("'%1' is not of type %2").arg(text, names.join(u", "_s)),
                        ValuesText::tr("Use KEY:=JSON to send it all the same."));
}

// One element of a list that is given word by word: "tags=a tags=b".
Result<QByteArray> listElement(const QString &text, const schema::Schema &schema, const Types &types)
{
    const json::Value list = types.lists.isEmpty() ? json::Value() : types.lists.first();
    return typedValue(text, schema, list[u"items"]);
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
            return Error::local(ValuesText::tr("'%1' is given twice").arg(assignment.key));
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
                return Error::local(
                    ValuesText::tr("'%1' is not JSON: %2").arg(assignment.value, firstReason(document)));
            member.value = document.root().bytes();
            return {};
        }
        const json::Value part = m_schema.root()[u"properties"][assignment.key];
        const Types types = typesOf(m_schema, part);
        const bool looksLikeList = assignment.value.trimmed().startsWith(u'[');
        const bool wordByWord = types.has("array"_L1) && !types.has("string"_L1) && !looksLikeList;
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

Result<json::Document> readFile(const QString &path)
{
    QFile file(path);
    const bool open = path == "-"_L1 ? file.open(stdin, QIODevice::ReadOnly) : file.open(QIODevice::ReadOnly);
    if (!open)
        return Error::local(ValuesText::tr("%1 cannot be read: %2").arg(path, file.errorString()));
    const json::Document document = json::Document::parse(file.readAll());
    if (!document.isValid()) {
        const QList<json::Finding> &findings = document.findings();
        return Error::local(
            ValuesText::tr("%1 is not JSON: %2").arg(path, findings.isEmpty() ? QString() : findings.first().reason));
    }
    if (!document.root().isObject())
        return Error::local(ValuesText::tr("%1 does not hold a JSON object").arg(path));
    return document;
}

}  // namespace

Result<QByteArray> typedValue(const QString &text, const schema::Schema &schema, const json::Value &part)
{
    const Types types = typesOf(schema, part);
    if (!types.names.isEmpty()) {
        const json::Document document = json::Document::parse(text.toUtf8());
        if (document.isValid() && fits(document.root(), types))
            return document.root().bytes();
        if (!types.has("string"_L1))
            return misfit(text, types);
    }
    return json::quoted(text);
}

Result<QByteArray> callArguments(const Arguments &arguments, const json::Value &inputSchema)
{
    Collector collector(inputSchema);
    if (!arguments.argumentsFile.isEmpty()) {
        const Result<json::Document> document = readFile(arguments.argumentsFile);
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

Result<QByteArray> promptArguments(const Arguments &arguments)
{
    if (arguments.assignments.isEmpty() && arguments.argumentsFile.isEmpty())
        return QByteArray();
    return callArguments(arguments, {});
}

}  // namespace sonde::cli
