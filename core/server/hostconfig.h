// What was found in another host's configuration: its servers, what is secret in them, and what is wrong with them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/server/specsecrets.h"

#include <QHash>
#include <QStringList>

namespace sonde {

enum class Host : quint8 {
    Unknown,  // pasted, or a file that no host's place says more of
    ClaudeDesktop,
    ClaudeCode,
    Cursor,
    VsCode,
    Windsurf,
    Cline,
    Zed,
    GeminiCli,
    Codex,
    Inspector,
    Registry
};
QString hostName(Host host);  // "Claude Desktop"; empty for Unknown

struct HostServer {
    // Its original is an entry of mcpServers: members that only this host knows are kept, those that it calls
    // differently are renamed. References such as ${env:TOKEN} are in it as they were written.
    ServerSpec spec;
    QString scope;  // the project it is for; empty: all
    int line = 0;   // of its entry in the text, from 1; 0: not known
    int column = 0;
    bool isDisabled = false;  // in its host
    QStringList problems;     // why it cannot be started as it is
    QStringList findings;     // what one should know of it
    QList<SecretPlace> secrets;
    qsizetype fixedSecrets = 0;  // those in an argument, the URL or the proxy, which cannot go to the keychain

    qsizetype secretCount() const { return secrets.size() + fixedSecrets; }
};

struct HostConfig {
    Host host = Host::Unknown;
    QString path;  // empty: pasted
    QList<HostServer> servers;
    QStringList findings;  // about the whole text
    Error error;           // it could not be read; there are no servers then
    bool isReadableByOthers = false;

    QString title() const;  // its host, or the name of its file
    qsizetype secretCount() const;
    QString exposure() const;  // a warning where others can read the secrets in it; empty: they cannot
};

// Whether both are started or reached in the same way; names, and members that only a host knows, may differ. What one
// of them keeps in the keychain may be the same in the other.
bool isSameServer(ServerSpec a, ServerSpec b);
// The values that are in the second where the first refers to the keychain, by their names there. Of the same server.
QHash<QString, QString> valuesOfReferences(const ServerSpec &known, const ServerSpec &read);

}  // namespace sonde
