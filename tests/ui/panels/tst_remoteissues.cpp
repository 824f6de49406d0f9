// A server's error that names a field marks that field.
// SPDX-License-Identifier: Apache-2.0
#include "core/json/builder.h"
#include "tests/support/testregistry.h"
#include "ui/panels/remoteissues.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;

class TestRemoteIssues : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void protocolErrors_data()
    {
        QTest::addColumn<QByteArray>("data");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QStringList>("places");
        QTest::newRow("field") << R"({"field":"limit"})"_ba << u"bad limit"_s << QStringList{u"/limit"_s};
        QTest::newRow("dotted path") << R"({"path":"charts[1].color"})"_ba << u"x"_s
                                     << QStringList{u"/charts/1/color"_s};
        QTest::newRow("pointer") << R"({"instancePath":"/a~1b/0"})"_ba << u"x"_s << QStringList{u"/a~1b/0"_s};
        QTest::newRow("list") << R"({"validation_errors":[{"loc":["body","a"],"msg":"m"},{"field":"b"}]})"_ba << u"x"_s
                              << QStringList{u"/a"_s, u"/b"_s};
        QTest::newRow("list at the top") << R"([{"path":["arguments","a",0],"message":"m"}])"_ba << u"x"_s
                                         << QStringList{u"/a/0"_s};
        QTest::newRow("in the text") << QByteArray()
                                     << QString::fromUtf8(
                                            R"(Invalid arguments: [{"code":"x","path":["count"],"message":"no"}])")
                                     << QStringList{u"/count"_s};
        QTest::newRow("lines") << QByteArray()
                               << u"MCP error -32602: Input validation error: Invalid arguments for tool look-at: "
                                  "Required at people[0].name\nToo big at limit\nUnknown keys"_s
                               << QStringList{u"/people/0/name"_s, u"/limit"_s};
        QTest::newRow("prose") << QByteArray() << u"The engine failed at startup"_s << QStringList{};
        QTest::newRow("nothing") << R"({"why":"because"})"_ba << u"no [idea]"_s << QStringList{};
    }

    void protocolErrors()
    {
        QFETCH(QByteArray, data);
        QFETCH(QString, text);
        QFETCH(QStringList, places);
        Outcome outcome;
        outcome.kind = Outcome::Kind::ProtocolError;
        outcome.error.kind = Error::Kind::Remote;
        outcome.error.message = text;
        if (!data.isEmpty())
            outcome.error.data = json::parse(data);
        QStringList found;
        for (const ui::FormIssue &issue : ui::issuesNamedBy(outcome))
            found << issue.place.toString();
        QCOMPARE(found, places);
    }

    void validators_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QByteArray>("arguments");
        QTest::addColumn<QStringList>("issues");
        const auto row = [](const char *name, const char *text, const QStringList &issues,
                            const char *arguments = "{}") {
            QTest::newRow(name) << QString::fromUtf8(text) << QByteArray(arguments) << issues;
        };
        row("pydantic",
            "2 validation errors for M\na.0.b\n  Input should be a valid integer, unable to parse string as an integer "
            "[type=int_parsing, input_value='x', input_type=str]\n    For further information visit "
            "https://errors.pydantic.dev/2.13/v/int_parsing\nname\n  Field required [type=missing, "
            "input_value={'a': [{'b': 'x'}]}, input_type=dict]\n    For further information visit "
            "https://errors.pydantic.dev/2.13/v/missing",
            {u"/a/0/b Input should be a valid integer, unable to parse string as an integer"_s,
             u"/name Field required"_s});
        row("FastMCP",
            "Error calling tool 'add': 1 validation error for call[add]\ntags\n  Missing required argument "
            "[type=missing_argument, input_value=ArgsKwargs((), {'x': 1}), input_type=ArgsKwargs]\n    For further "
            "information visit https://errors.pydantic.dev/2.13/v/missing_argument",
            {u"/tags Missing required argument"_s});
        row("Python SDK",
            "Error executing tool search: 1 validation error for searchArguments\nlimit\n  Input should be less than "
            "or "
            "equal to 100 [type=less_than_equal, input_value=500, input_type=int]",
            {u"/limit Input should be less than or equal to 100"_s});
        row("pydantic 1", "1 validation error for M\na -> 0 -> b\n  field required (type=value_error.missing)",
            {u"/a/0/b field required"_s});
        row("errors of pydantic",
            R"([{"type":"int_parsing","loc":["a",0,"b"],"msg":"Input should be a valid integer","input":"x"}])",
            {u"/a/0/b Input should be a valid integer"_s});
        row("zod 3",
            "MCP error -32602: Invalid arguments for tool add: [\n  {\n    \"code\": \"invalid_type\",\n    "
            "\"expected\": "
            "\"number\",\n    \"received\": \"string\",\n    \"path\": [\n      \"items\",\n      0,\n      \"age\"\n  "
            "  "
            "],\n    \"message\": \"Expected number, received string\"\n  },\n  {\n    \"code\": "
            "\"unrecognized_keys\",\n "
            "   \"keys\": [\n      \"zz\"\n    ],\n    \"path\": [],\n    \"message\": \"Unrecognized key(s) in "
            "object: "
            "'zz'\"\n  }\n]",
            {u"/items/0/age Expected number, received string"_s, u"/zz Unrecognized key(s) in object: 'zz'"_s});
        row("zod 4",
            R"([{"expected":"string","code":"invalid_type","path":["q"],"message":"Invalid input: expected string"}])",
            {u"/q Invalid input: expected string"_s});
        row("prettifyError of zod",
            "MCP error -32602: Input validation error: Invalid arguments for tool x: ✖ Unrecognized key: \"zz\"\n"
            "✖ Invalid input: expected string, received undefined\n  → at q\n"
            "✖ Too big: expected number to be <=9\n  → at items[1].age",
            {u"/q Invalid input: expected string, received undefined"_s,
             u"/items/1/age Too big: expected number to be <=9"_s});
        row("TypeScript SDK",
            "MCP error -32602: Input validation error: Invalid arguments for tool look-at: Required at people[0].name",
            {u"/people/0/name Required"_s});
        row("Ajv",
            R"([{"instancePath":"","schemaPath":"#/required","keyword":"required",)"
            R"("params":{"missingProperty":"query"},"message":"must have required property 'query'"},)"
            R"({"instancePath":"/people/0","schemaPath":"#/properties/people/items/additionalProperties",)"
            R"("keyword":"additionalProperties","params":{"additionalProperty":"nam"},)"
            R"("message":"must NOT have additional properties"}])",
            {u"/query must have required property 'query'"_s, u"/people/0/nam must NOT have additional properties"_s});
        row("errorsText of Ajv",
            "Invalid arguments: data must have required property 'query', data/limit must be number, "
            "data/people/0 must have required property 'name'",
            {u"/query must have required property 'query'"_s, u"/limit must be number"_s,
             u"/people/0/name must have required property 'name'"_s});
        row("Go SDK",
            R"(invalid params: validating "arguments": validating root: validating /properties/age: type: x has type )"
            R"("string", want "integer")",
            {uR"(/age type: x has type "string", want "integer")"_s});
        row("Go, missing", R"(validating root: required: missing properties: ["name" "city"])",
            {uR"(/name required: missing properties: ["name" "city"])"_s,
             uR"(/city required: missing properties: ["name" "city"])"_s});
        row("Go, within items",
            R"(validating root: validating /properties/tags: validating /properties/tags/items: type: 1 has type )"
            R"("integer", want "string")",
            {uR"(/tags type: 1 has type "integer", want "string")"_s});
        row("Go, within a definition",
            R"(validating root: validating /$defs/T: required: missing properties: ["name"])", {});
        row("serde with a path", R"(items[0].age: invalid type: string "x", expected u32 at line 1 column 25)",
            {uR"(/items/0/age invalid type: string "x", expected u32)"_s});
        row("serde, a member of a path", "filter: missing field `from` at line 1 column 30",
            {u"/filter/from missing field `from`"_s});
        row("serde", "missing field `x` at line 1 column 20", {u"/x missing field `x`"_s}, R"({"y":1})");
        row("rmcp", "MCP error -32602: failed to deserialize parameters: missing field `b`",
            {u"/b missing field `b`"_s}, R"({"a":1})");
        // It is there at the top: the one that is missing is somewhere else.
        row("serde, elsewhere", "missing field `x` at line 1 column 20", {}, R"({"x":1,"y":{}})");
        row("serde without a place", "failed to deserialize parameters: invalid type: string \"x\", expected i32", {});
        row(".NET",
            "The JSON value could not be converted to System.Int32. Path: $.a.b | LineNumber: 0 | BytePositionInLine: "
            "13.",
            {u"/a/b The JSON value could not be converted to System.Int32."_s});
        row(".NET, an item",
            "The JSON value could not be converted to Demo.Colour. Path: $.items[2]['main colour'] | LineNumber: 0 | "
            "BytePositionInLine: 41.",
            {u"/items/2/main colour The JSON value could not be converted to Demo.Colour."_s});
        row(".NET, the whole", "The JSON value could not be converted to Demo.Request. Path: $ | LineNumber: 0", {});
        row("C# SDK",
            "The arguments dictionary is missing a value for the required parameter 'city'. (Parameter 'arguments')",
            {u"/city missing a value for the required parameter 'city'"_s});
        row("ASP.NET",
            R"({"title":"Bad Request","errors":{"$.a.b":["It could not be converted."],"Name":["Missing."]}})",
            {u"/a/b It could not be converted."_s, u"/Name Missing."_s});
        row("jsonschema",
            "5 is not of type 'string'\n\nFailed validating 'type' in "
            "schema['properties']['items']['items']['properties']['name']:\n    {'type': 'string'}\n\n"
            "On instance['items'][0]['name']:\n    5",
            {u"/items/0/name 5 is not of type 'string'"_s});
        row("jsonschema, missing",
            "'q' is a required property\n\nFailed validating 'required' in schema['properties']['a']:\n    "
            "{'required': "
            "['q']}\n\nOn instance['a']:\n    {}",
            {u"/a/q 'q' is a required property"_s});
        row("low-level server of Python", "Input validation error: 'query' is a required property",
            {u"/query 'query' is a required property"_s});
        row("low-level server, elsewhere", "Input validation error: 'query' is a required property", {},
            R"({"query":"x","filter":{}})");
        row("low-level server, a type", "Input validation error: 5 is not of type 'string'", {});
        row("Jackson",
            "Cannot deserialize value of type `int` from String \"x\": not a valid `int` value\n at [Source: (String)] "
            "(through reference chain: "
            "com.example.Order[\"items\"]->java.util.ArrayList[0]->com.example.Item[\"age\"])",
            {u"/items/0/age Cannot deserialize value of type `int` from String \"x\": not a valid `int` value"_s});
        row("an argument called body",
            "1 validation error for call[send]\nbody.text\n  Field required [type=missing, input_value={}, "
            "input_type=dict]",
            {u"/body/text Field required"_s}, R"({"body":{}})");
        row("an argument called params", R"([{"code":"x","path":["params","a"],"message":"no"}])", {u"/params/a no"_s},
            R"({"params":{"a":1}})");
        row("FastAPI", R"([{"loc":["body","a"],"msg":"Field required","type":"missing"}])", {u"/a Field required"_s});
        row("prose", "Look at page 3: the value must be at least 5 at the start. Error: missing something", {});
        row("prose with brackets", "Could not read [config]: {unknown} at a.b", {});
        row("a path of a file", "Error: ENOENT: no such file or directory, open '/etc/nothing'", {});
    }

    void validators()
    {
        QFETCH(QString, text);
        QFETCH(QByteArray, arguments);
        QFETCH(QStringList, issues);
        Outcome refused;
        refused.kind = Outcome::Kind::ProtocolError;
        refused.error.kind = Error::Kind::Remote;
        refused.error.message = text;
        const auto found = [&arguments](const Outcome &outcome) {
            QStringList lines;
            for (const ui::FormIssue &issue : ui::issuesNamedBy(outcome, arguments))
                lines << issue.place.toString() + u' ' + issue.message;
            return lines;
        };
        QCOMPARE(found(refused), issues);
        json::Builder result;
        result.beginObject().key(u"content").beginArray().beginObject();
        result.member(u"type", u"text"_s).member(u"text", text);
        result.endObject().endArray().member(u"isError", true).endObject();
        Outcome failed;
        failed.kind = Outcome::Kind::ToolError;
        failed.message = Message::response(RequestId(1), result.take());
        QCOMPARE(found(failed), issues);
    }

    void toolErrorsNameFieldsInTheirText()
    {
        const QByteArray text =
            R"(MCP error -32602: Input validation error: [{"path":["message"],"message":"Required"}])";
        json::Builder result;
        result.beginObject().key(u"content").beginArray().beginObject();
        result.member(u"type", u"text"_s).member(u"text", QString::fromUtf8(text));
        result.endObject().endArray().member(u"isError", true).endObject();
        Outcome outcome;
        outcome.kind = Outcome::Kind::ToolError;
        outcome.message = Message::response(RequestId(1), result.take());
        const QList<ui::FormIssue> issues = ui::issuesNamedBy(outcome);
        QCOMPARE(issues.size(), 1);
        QCOMPARE(issues.first().place.toString(), u"/message"_s);
        QCOMPARE(issues.first().message, u"Required"_s);
        // The same text in a result that worked is no error.
        outcome.kind = Outcome::Kind::Ok;
        QVERIFY(ui::issuesNamedBy(outcome).isEmpty());
        // Where the text names none, the structured content may.
        outcome.kind = Outcome::Kind::ToolError;
        outcome.message = Message::response(
            RequestId(1), R"({"content":[{"type":"text","text":"Invalid"}],"isError":true,"structuredContent":)"
                          R"({"errors":[{"instancePath":"/address","params":{"missingProperty":"zip"},)"
                          R"("message":"must have required property 'zip'"}]}})");
        QCOMPARE(ui::issuesNamedBy(outcome).value(0).place.toString(), u"/address/zip"_s);
    }
};

SONDE_TEST(TestRemoteIssues)
#include "tst_remoteissues.moc"
