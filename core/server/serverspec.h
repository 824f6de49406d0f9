// How to reach one server, and its form in the mcpServers JSON that hosts share.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/authorization/oauthsettings.h"
#include "core/json/document.h"
#include "core/protocol/error.h"
#include "core/protocol/revision.h"
#include "core/protocol/typedurl.h"
#include "core/server/servertimeouts.h"
#include "core/transport/networkoptions.h"

#include <QStringList>
#include <optional>

namespace sonde {

struct ServerSpec {
    enum class Kind { Stdio, Http };
    // Over HTTP. Automatic tries Streamable HTTP first, and HTTP+SSE where the server shows that it speaks only that.
    enum class HttpKind { Automatic, Streamable, Sse };

    QString name;
    Kind kind = Kind::Stdio;
    QString command;
    QStringList arguments;
    QString workingDirectory;                        // "cwd"
    QList<std::pair<QString, QString>> environment;  // "env"
    bool inheritEnvironment = false;                 // "inheritEnv", an own member
    bool loginShellPath = false;  // "loginShellPath", an own member: PATH is what the login shell has
    TypedUrl url;
    QList<std::pair<QString, QString>> headers;
    HttpKind httpKind = HttpKind::Automatic;  // "type": "http", or none; "streamable-http"; "sse"
    // "revision", an own member. None: Automatic, which asks the server. One with a handshake is proposed, and the
    // server may name another of them.
    std::optional<Revision> revision;
    QList<std::pair<QString, QString>> roots;  // "roots", an own member: file:// URI and name; the name may be empty
    // "undeclaredCapabilities", an own member: what this server is not told that we can do, nor, without a handshake,
    // who we are ("clientInfo"). See capabilityNames().
    QStringList undeclaredCapabilities;
    OAuthSettings oauth;  // "oauth", of which hosts share "clientId": how to sign in where the server requires that
    // How connections over HTTP are made. Own members of the entry, with these names. Empty: as the system has it.
    http::NetworkOptions network;
    bool pageByPage = false;  // "pageByPage", an own member: its lists are loaded one page at a time
    ServerTimeouts timeouts;  // "timeouts", an own member: in place of those for all servers
    // The entry as it was read; members Sonde does not know are written back from here unchanged.
    QByteArray original;

    bool operator==(const ServerSpec &) const = default;

    // What a person typed or pasted: an address (see addressFromText()), a command line as for a shell (see
    // readStartLine()), a host's command that adds a server (see serverFromAddCommand()), or mcpServers JSON. A folder
    // in it is meant from base on; empty: from the home directory.
    static Result<ServerSpec> fromLine(const QString &typed, const QString &base = {});
    // One entry of mcpServers. Tolerant: "type" may be absent, stdio, http, streamable-http, sse; "serverUrl" is an
    // alias.
    static Result<ServerSpec> fromJson(const QString &name, const json::Value &entry);
    QByteArray toJson() const;  // the entry, ordered as it was, unknown members untouched

    bool startsProcess() const { return kind == Kind::Stdio; }  // rather than being found at an address
    QString transportName() const;                              // for people: "stdio", "HTTP"
    QString line() const;                                       // the command line or the address, for showing
    // Everything that is wrong with it, in sentences; empty when it can be tried. (Header with CR or LF, no scheme …)
    QStringList problems() const;
    QStringList networkProblems() const;  // those of them that are about network
    QString networkFileProblem() const;   // why a file that network names cannot be used at the moment, or empty
    // What starting it would do: "Runs /usr/bin/npx with 3 arguments in ~." or why it could not; and when it starts.
    enum class Start { OnConnect, Later };
    QString preview(Start start = Start::OnConnect) const;
    // What can be left undeclared: "elicitation.form", "elicitation.url", "sampling", "sampling.tools", "roots",
    // "tasks".
    static const QStringList &capabilityNames();
    // Values in the environment, the headers and "oauth" may be ${keychain:NAME}; see specsecrets.h.
    // Values that must not be recorded: secret-looking headers, environment entries and arguments, and what is secret
    // in the URL and the proxy's.
    QStringList secrets() const;
    QByteArray secretFacts() const;  // in which they are found, as Redactor::redactFacts() takes them
};

}  // namespace sonde
