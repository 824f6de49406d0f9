// sonde-cli's command line.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/connection/serverspec.h"

#include <QStringList>
#include <chrono>
#include <optional>

namespace sonde::cli {

// "key=value" or "key:=json".
struct Assignment {
    QString key;
    QString value;
    bool isJson = false;
};

struct Arguments {
    enum class Verb {
        Info,
        List,
        Call,
        Read,
        Prompt,
        Request,
        Ping,
        Complete,
        Subscribe,
        LogLevel,
        Tasks,
        Run,  // from here on not in a script
        Login,
        Logout,
        Replay,
        Mock,
        Diff,
        Check
    };

    Verb verb = Verb::Info;
    QString target;  // tool, address, prompt, method, argument to complete, log level, session file, or what to do with
                     // tasks
    QStringList lists;  // of list: tools, resources, templates, prompts; empty: all
    QList<Assignment> assignments;
    QString argumentsFile;  // "-" is standard input
    // A JSON object: of request the params, elsewhere in place of target and assignments. Empty: none.
    QByteArray params;

    QStringList command;
    QString url;
    QString serverName;
    QList<std::pair<QString, QString>> headers;
    QList<std::pair<QString, QString>> environment;
    QString workingDirectory;
    std::optional<std::optional<Revision>> revision;  // of ServerSpec, in place of its own
    std::optional<ServerSpec::HttpKind> httpKind;     // of ServerSpec, in place of its own
    bool inheritEnvironment = false;
    http::NetworkOptions network;  // in place of its own
    bool loginShellPath = false;

    std::optional<std::chrono::milliseconds> timeout;
    bool json = false;
    bool verbose = false;
    bool yes = false;  // to what sonde-cli would ask
    QString recordPath;
    QString saveFolder;
    QString responsesPath;               // what to respond to requests of the server; "ask": the user
    QStringList roots;                   // folders, absolute
    QStringList undeclaredCapabilities;  // of ServerSpec, besides its own

    // complete: what the argument belongs to, and what is typed of it
    QString promptName;
    QString uriTemplate;
    QString text;  // of tasks: an ID
    // call
    bool asTask = false;
    std::optional<std::chrono::milliseconds> taskTtl;
    int pages = 0;  // of list, of each list; 0: all
    // subscribe
    QStringList uris;
    int count = 0;  // of updates; 0: any number
    // subscribe, log-level
    std::optional<std::chrono::milliseconds> duration;

    // run; target: the script, "-" for standard input
    bool keepGoing = false;

    // replay
    QString rulesPath;
    QString filter;  // only calls that it lets through
    QString junitPath;
    bool accept = false;
    bool allowDestructive = false;
    // mock
    bool http = false;
    quint16 port = 0;  // 0: a free one
    bool timing = false;
    // check; nothing: once
    std::optional<std::chrono::milliseconds> every;
    // diff: a session file, an address, a command line, or the name of a kept server; check: likewise, but no file
    struct Side {
        QString text;
        bool isServerName = false;
    };
    QList<Side> sides;
};

struct ParsedArguments {
    Arguments arguments;
    QString problem;   // why they cannot be followed; empty when they can
    QString response;  // help or version: to be printed instead of doing anything
};

ParsedArguments parseArguments(const QStringList &words);  // without the program's name
// One line of a script: a verb with its own operands and options. The rest is as the run of the script has it.
ParsedArguments parseScriptLine(const QStringList &words, const Arguments &run);

}  // namespace sonde::cli
