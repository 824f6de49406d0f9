// Tolerant readers of what servers send: they take what is there, keep the rest, and never refuse.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"

#include <QStringList>
#include <QUrl>

namespace sonde {

// "not said" is kept apart from false, because the protocol's defaults differ from one hint to the next.
struct ToolAnnotations {
    std::optional<bool> readOnly;     // default false
    std::optional<bool> destructive;  // default true, meaningful when not read-only
    std::optional<bool> idempotent;   // default false
    std::optional<bool> openWorld;    // default true
};

// Fields common to everything a server lists. `value` is the entry exactly as received, unknown members included.
struct Entry {
    json::Value value;
    QString name;
    QString title;  // what to show: title, else annotations.title, else name
    QString description;
    QStringList findings;  // what is wrong with the entry, in sentences
};

struct Tool : Entry {
    json::Value inputSchema;
    json::Value outputSchema;  // Missing when there is none
    ToolAnnotations annotations;
    QString taskSupport;  // execution.taskSupport (2025-11-25): "", forbidden, optional or required
    // Why a client of 2026-07-28 must not call it over HTTP: its x-mcp-header breaks the rules. Empty when it may.
    QString headerProblem;
};

struct Resource : Entry {
    QString uri;
    QString mimeType;
    std::optional<qint64> size;  // bytes, as the server says
};

struct ResourceTemplate : Entry {
    QString uriTemplate;  // RFC 6570
    QString mimeType;
};

struct PromptArgument {
    QString name;
    QString title;
    QString description;
    bool required = false;
};

struct Prompt : Entry {
    QList<PromptArgument> arguments;
};

struct Implementation {
    QString name;
    QString title;
    QString version;
    QString description;
    QString websiteUrl;
    json::Value value;
};

// The response to initialize.
struct ServerInfo {
    QString protocolVersion;
    Implementation implementation;
    json::Value capabilities;
    QString instructions;
};

// One block of content[] of a tool result or a prompt message.
struct Content {
    enum class Kind { Text, Image, Audio, ResourceLink, Resource, Unknown };
    Kind kind = Kind::Unknown;
    json::Value value;
    json::Value text;  // string of Text; of Resource if it has one. May be large: not decoded here
    QString mimeType;
    json::Value data;     // base64 string of Image, Audio, or blob of Resource; decode with decodeBase64
    QString uri;          // ResourceLink, Resource
    QString name;         // ResourceLink
    QString description;  // ResourceLink
    QStringList findings;
};

struct Progress {
    json::Value token;
    double progress = 0;
    std::optional<double> total;
    QString message;
};

Tool readTool(const json::Value &value);
Resource readResource(const json::Value &value);
ResourceTemplate readResourceTemplate(const json::Value &value);
Prompt readPrompt(const json::Value &value);
Implementation readImplementation(const json::Value &value);
ServerInfo readServerInfo(const json::Value &initializeResult);
Content readContent(const json::Value &value);
QList<Content> readContents(const json::Value &array);      // of a tool result
Content readResourceContents(const json::Value &contents);  // an element of resources/read's contents[]
Progress readProgress(const json::Value &params);

}  // namespace sonde
