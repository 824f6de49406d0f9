// SPDX-License-Identifier: Apache-2.0
#include "app/demo/toolcatalog.h"

#include "app/demo/askingtools.h"
#include "app/demo/media.h"
#include "app/demo/rawjson.h"

using namespace Qt::StringLiterals;

namespace sonde::demo {
namespace {

const char Add[] = R"({
"name": "add", "title": "Add two numbers",
"description": "Adds exactly, whatever the length of the numbers.",
"inputSchema": {"type": "object", "properties": {
  "a": {"type": "number", "description": "First number"},
  "b": {"type": "number", "description": "Second number"}
 }, "required": ["a", "b"], "additionalProperties": false},
"outputSchema": {"type": "object", "properties": {"sum": {"type": "number"}}, "required": ["sum"]},
"annotations": {"readOnlyHint": true, "idempotentHint": true, "openWorldHint": false}})";

const char EveryFieldKind[] = R"({
"name": "every-field-kind", "title": "Every kind of field",
"description": "One argument of each kind that a form has to draw. Returns the arguments as they arrived.",
"inputSchema": {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "properties": {
  "text": {"type": "string", "description": "Any text"},
  "notes": {"type": "string", "description": "Text of several lines, as long as you like.\nThis description has two lines itself.", "maxLength": 5000},
  "code": {"type": "string", "description": "Two letters and three digits", "pattern": "^[A-Z]{2}[0-9]{3}$", "minLength": 5, "maxLength": 5},
  "color": {"type": "string", "enum": ["red", "green", "blue"], "description": "One of three"},
  "version": {"const": "v1", "description": "Always the same"},
  "serial": {"type": "integer", "description": "An integer of 64 bits", "minimum": -9223372036854775808, "maximum": 9223372036854775807},
  "ratio": {"type": "number", "description": "Above 0, at most 1", "exclusiveMinimum": 0, "maximum": 1},
  "enabled": {"type": "boolean", "description": "Yes or no"},
  "limit": {"type": "integer", "description": "Optional, 20 when not sent", "default": 20, "minimum": 1, "maximum": 1000},
  "verbose": {"type": "boolean", "description": "Optional with a default", "default": false},
  "place": {"type": "object", "description": "An object in an object", "properties": {
    "name": {"type": "string"},
    "position": {"type": "object", "properties": {
      "latitude": {"type": "number", "minimum": -90, "maximum": 90},
      "longitude": {"type": "number", "minimum": -180, "maximum": 180}
    }, "required": ["latitude", "longitude"]}
  }, "required": ["name"]},
  "tags": {"type": "array", "items": {"type": "string"}, "description": "A list of texts, at most 5", "maxItems": 5},
  "sizes": {"type": "array", "items": {"type": "string", "enum": ["S", "M", "L"]}, "uniqueItems": true, "description": "Any of three"},
  "people": {"type": "array", "description": "A list of objects", "minItems": 1, "items": {"type": "object", "properties": {
    "name": {"type": "string", "minLength": 1},
    "age": {"type": "integer", "minimum": 0},
    "mail": {"type": "string", "format": "email"}
  }, "required": ["name"]}},
  "when": {"type": "string", "format": "date-time", "description": "A moment"},
  "day": {"type": "string", "format": "date", "description": "A day"},
  "address": {"type": "string", "format": "uri", "description": "An address"},
  "mail": {"type": "string", "format": "email", "description": "A mail address"},
  "nickname": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": null, "description": "A text, or null"},
  "headers": {"type": "object", "additionalProperties": {"type": "string"}, "description": "A map from names to texts"},
  "shape": {"description": "One of two objects", "oneOf": [
    {"type": "object", "title": "Circle", "properties": {"kind": {"const": "circle"}, "radius": {"type": "number"}}, "required": ["kind", "radius"]},
    {"type": "object", "title": "Rectangle", "properties": {"kind": {"const": "rectangle"}, "width": {"type": "number"}, "height": {"type": "number"}}, "required": ["kind", "width", "height"]}
  ]},
  "textOrNumber": {"type": ["string", "number"], "description": "A text or a number"},
  "parent": {"$ref": "#/$defs/node", "description": "Refers to a definition that refers to itself"},
  "anything": {"description": "Any JSON"},
  "apiToken": {"type": "string", "description": "Looks like a secret, and is treated as one"}
 }, "required": ["text", "color", "version", "serial", "people"],
 "$defs": {"node": {"type": "object", "properties": {"label": {"type": "string"}, "next": {"$ref": "#/$defs/node"}}}}},
"annotations": {"readOnlyHint": true, "openWorldHint": false}})";

const char EveryContentKind[] = R"({
"name": "every-content-kind", "title": "Every kind of content",
"description": "Returns text, a picture, a sound, a link to a resource, and embedded text and bytes.",
"inputSchema": {"type": "object", "properties": {}, "additionalProperties": false},
"annotations": {"readOnlyHint": true, "openWorldHint": false}})";

const char Echo[] = R"({
"name": "echo", "title": "Echo",
"description": "Gives any JSON back, byte for byte except for white space.",
"inputSchema": {"type": "object", "properties": {"value": {"description": "Any JSON"}}, "required": ["value"]},
"annotations": {"readOnlyHint": true, "idempotentHint": true, "openWorldHint": false}})";

const char Progress[] = R"({
"name": "progress", "title": "Progress",
"description": "Works in steps and reports each.",
"inputSchema": {"type": "object", "properties": {
  "steps": {"type": "integer", "minimum": 1, "maximum": 10000, "default": 5, "description": "How many steps"},
  "intervalMs": {"type": "integer", "minimum": 0, "maximum": 60000, "default": 200, "description": "Time for one step"},
  "withTotal": {"type": "boolean", "default": true, "description": "Say how many steps there will be"}
 }}, "annotations": {"readOnlyHint": true, "openWorldHint": false}})";

const char Log[] = R"({
"name": "log", "title": "Log",
"description": "Sends log messages while it runs. Only levels at or above the one set with logging/setLevel are sent.",
"inputSchema": {"type": "object", "properties": {
  "level": {"type": "string", "enum": ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"], "default": "info"},
  "count": {"type": "integer", "minimum": 1, "maximum": 100000, "default": 1},
  "data": {"description": "Any JSON: what is logged"}
 }}, "annotations": {"readOnlyHint": true, "openWorldHint": false}})";

const char Fail[] = R"({
"name": "fail", "title": "Fail",
"description": "Runs and reports that it failed (isError).",
"inputSchema": {"type": "object", "properties": {"reason": {"type": "string", "default": "The disk is full."}}},
"annotations": {"readOnlyHint": true, "openWorldHint": false}})";

const char ProtocolError[] = R"({
"name": "protocol-error", "title": "Protocol error",
"description": "Returns a JSON-RPC error that carries data.",
"inputSchema": {"type": "object", "properties": {
  "code": {"type": "integer", "default": -32603},
  "message": {"type": "string", "default": "The tool broke down."},
  "data": {"description": "Any JSON"}
 }}, "annotations": {"readOnlyHint": true, "openWorldHint": false}})";

const char StructuredReport[] = R"({
"name": "structured-report", "title": "Structured report",
"description": "Structured content that keeps to its output schema.",
"inputSchema": {"type": "object", "properties": {"station": {"type": "string", "default": "Höhe 7"}}},
"outputSchema": {"type": "object", "properties": {
  "station": {"type": "string"},
  "celsius": {"type": "number"},
  "humidity": {"type": "integer", "minimum": 0, "maximum": 100},
  "readings": {"type": "array", "items": {"type": "object", "properties": {"at": {"type": "string", "format": "date-time"}, "celsius": {"type": "number"}}, "required": ["at", "celsius"]}}
 }, "required": ["station", "celsius", "humidity", "readings"]},
"_meta": {"ui": {"resourceUri": "ui://demo/report"}},
"annotations": {"readOnlyHint": true, "openWorldHint": false}})";

const char StructuredWrong[] = R"({
"name": "structured-wrong", "title": "Structured, but wrong",
"description": "Structured content that breaks its own output schema: a client should say so.",
"inputSchema": {"type": "object", "properties": {}},
"outputSchema": {"type": "object", "properties": {"celsius": {"type": "number"}, "humidity": {"type": "integer", "maximum": 100}}, "required": ["celsius", "humidity"]},
"annotations": {"readOnlyHint": true, "openWorldHint": false}})";

const char Slow[] = R"({
"name": "slow", "title": "Slow",
"description": "Responds after a while. Can be cancelled.",
"inputSchema": {"type": "object", "properties": {"seconds": {"type": "number", "minimum": 0, "maximum": 86400, "default": 5}}},
"annotations": {"readOnlyHint": true, "openWorldHint": false}})";

const char Big[] = R"({
"name": "big", "title": "Big",
"description": "Returns a text of this many bytes.",
"inputSchema": {"type": "object", "properties": {"bytes": {"type": "integer", "minimum": 0, "maximum": 1000000000, "default": 1000000}}},
"annotations": {"readOnlyHint": true, "openWorldHint": false}})";

const char DeleteEverything[] = R"({
"name": "delete-everything", "title": "Delete everything",
"description": "Says that it is destructive. Harmless: there is nothing to delete.",
"inputSchema": {"type": "object", "properties": {"confirm": {"type": "boolean", "description": "Must be true"}}, "required": ["confirm"]},
"annotations": {"readOnlyHint": false, "destructiveHint": true, "idempotentHint": true, "openWorldHint": false}})";

const char ToggleTools[] = R"({
"name": "toggle-tools", "title": "Toggle a tool",
"description": "Makes the tool now-you-see-me appear or disappear and announces the change.",
"inputSchema": {"type": "object", "properties": {}},
"annotations": {"readOnlyHint": false, "destructiveHint": false, "openWorldHint": false}})";

const char NowYouSeeMe[] = R"({
"name": "now-you-see-me", "title": "Now you see me",
"description": "Here until toggle-tools is called again.",
"inputSchema": {"type": "object", "properties": {}},
"annotations": {"readOnlyHint": true, "openWorldHint": false}})";

const char TouchResource[] = R"({
"name": "touch-resource", "title": "Touch a resource",
"description": "Announces that a resource was updated, to those who subscribed to it.",
"inputSchema": {"type": "object", "properties": {"uri": {"type": "string", "format": "uri", "default": "demo://live/clock"}}},
"annotations": {"readOnlyHint": false, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false}})";

const char PingBack[] = R"({
"name": "ping-back", "title": "Ping the client",
"description": "Asks the client for a sign of life and reports how long that took.",
"inputSchema": {"type": "object", "properties": {}},
"annotations": {"readOnlyHint": true, "openWorldHint": false}})";

const char SessionInfo[] = R"({
"name": "session-info", "title": "Session",
"description": "What the server knows about this conversation.",
"inputSchema": {"type": "object", "properties": {}},
"outputSchema": {"type": "object", "properties": {
  "revision": {"type": "string"}, "client": {"type": "string"}, "logLevel": {"type": "string"},
  "subscriptions": {"type": "array", "items": {"type": "string"}}, "processId": {"type": "integer"}
 }, "required": ["revision", "client", "logLevel", "subscriptions", "processId"]},
"annotations": {"readOnlyHint": true, "openWorldHint": false}})";

const char RegionalReport[] = R"({
"name": "regional-report", "title": "Regional report",
"description": "Over HTTP, some of its arguments are sent as headers as well (2026-07-28).",
"inputSchema": {"type": "object", "properties": {
  "region": {"type": "string", "description": "Sent as Mcp-Param-Region", "x-mcp-header": "Region"},
  "priority": {"type": "integer", "description": "Sent as Mcp-Param-Priority", "x-mcp-header": "Priority"},
  "urgent": {"type": "boolean", "description": "Sent as Mcp-Param-Urgent", "x-mcp-header": "Urgent"},
  "notes": {"type": "string", "description": "Not sent as a header"}
 }}, "annotations": {"readOnlyHint": true, "openWorldHint": false}})";

const char UnusableHeader[] = R"({
"name": "unusable-header", "title": "Unusable header",
"description": "Asks for a header whose name is no header name: over HTTP, a client must not offer it.",
"inputSchema": {"type": "object", "properties": {"region": {"type": "string", "x-mcp-header": "My Region"}}},
"annotations": {"readOnlyHint": true, "openWorldHint": false}})";

const char EndSubscriptions[] = R"({
"name": "end-subscriptions", "title": "End the subscriptions",
"description": "Ends every open subscriptions/listen gracefully.",
"inputSchema": {"type": "object", "properties": {}},
"annotations": {"readOnlyHint": false, "destructiveHint": false, "openWorldHint": false}})";

// Everything that must not reach a terminal or a label as it is. Written with escapes only, here and on the wire.
const char HostileText[] = R"({
"name": "hostile-text", "title": "Hostile \u202etxet\u202c <b>not bold</b>",
"description": "Control characters: \u001b[31mred\u001b[0m \u0007 \u0000, zero width: a\u200bb, <img src='file:///etc/passwd'> and a lone surrogate \ud800. Returns more of them.",
"inputSchema": {"type": "object", "properties": {"naïve ключ 工具": {"type": "string", "description": "A key that is not an identifier \u202e"}}},
"annotations": {"title": "\u001b]0;title\u0007", "readOnlyHint": true, "openWorldHint": false}})";

const char LongName[] = R"({
"name": "a-name-of-the-greatest-length-that-the-protocol-recommends.which-has-one-hundred-and-twenty-eight-characters_so-it-has-to-be-cut",
"description": "Its name has 128 characters; its description is short.",
"inputSchema": {"type": "object"},
"annotations": {"readOnlyHint": true, "openWorldHint": false}})";

}  // namespace

QList<QByteArray> toolDefinitions(const Conversation &conversation)
{
    static const QList<QByteArray> fixed = [] {
        QList<QByteArray> result;
        for (const char *definition : {Add, EveryFieldKind, EveryContentKind, Echo, Progress, Log, Fail, ProtocolError,
                                       StructuredReport, StructuredWrong, Slow, Big, DeleteEverything, ToggleTools,
                                       TouchResource, SessionInfo, RegionalReport, HostileText, LongName})
            result.append(json::compacted(definition));
        result.first() = json::withMember(result.first(), "icons", demoIcons());
        return result + askingToolDefinitions();
    }();
    QList<QByteArray> result = fixed;
    if (conversation.isAtLeast("2026-07-28"))
        result += {json::compacted(UnusableHeader), json::compacted(EndSubscriptions)};
    else
        result += json::compacted(PingBack);
    if (conversation.extraTool())
        result.append(json::compacted(NowYouSeeMe));
    return result;
}

}  // namespace sonde::demo
