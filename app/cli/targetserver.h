// The server that a command line names.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/common/optiontable.h"
#include "core/connection/profile.h"
#include "core/server/serverspec.h"

namespace sonde::cli {

// One server of a verb that takes several.
struct ServerSide {
    QString text;  // a URL or a command line, of diff also a session file; or the name of a saved server
    bool isServerName = false;
};

// --server puts saved servers among them.
app::OptionTarget sidesInto(QList<ServerSide> *sides);

// The options that name a server, and those that change its description.
struct ServerOptions {
    QStringList command;
    QString url;
    QString name;        // of a saved server, or of one in configPath
    QString configPath;  // of a host's file that is read instead of the saved servers; empty: none
    QList<std::pair<QString, QString>> headers;
    QList<std::pair<QString, QString>> environment;
    QString workingDirectory;
    bool inheritsEnvironment = false;
    bool hasLoginShellPath = false;
    http::NetworkOptions network;                     // in place of its own
    std::optional<std::optional<Revision>> revision;  // in place of its own
    std::optional<ServerSpec::HttpKind> httpKind;     // in place of its own
    QStringList undeclaredCapabilities;               // besides its own

    static QString topic();  // of the help that explains all of them
    static QString usage();  // how a usage names the server
    // server: where --server goes; by default into name.
    void declare(app::OptionTable &table, const std::optional<app::OptionTarget> &server = {});
    app::Option revisionRow();
    app::Option transportRow();
    app::Option undeclaredRow();

    // How many are named: there should be one.
    int count() const { return int(!command.isEmpty()) + int(!url.isEmpty()) + int(!name.isEmpty()); }
    QString problem() const;  // no server, two, or options that are not for such a one; empty: none

    // The words that name it on a command line, without those that change its description.
    QStringList words() const;
    // What its approval is kept under, where that is not its name. See ConnectionOptions::approvalName.
    QString approvalName() const { return approvalName(name); }
    QString approvalName(const QString &server) const;

    // An Error when a saved server is unknown, or when something in the description is wrong.
    Result<ServerSpec> spec(const Profile &profile) const;
    // The same of a verb that takes several. Only those options count that can be meant for each.
    Result<ServerSpec> spec(const Profile &profile, const ServerSide &side) const;
};

// The server of that name in the list, which is read first. The Error names those that are there.
Result<ServerSpec> storedSpec(ServerStore &store, const QString &name);
// What a connection to a server uses. isSaved: it comes from the list; only such a server needs an approval.
Profile profileFor(bool isSaved, Profile profile);
// A saved server by its name, of a list that is loaded; an Error says which names there are.
Result<ServerSpec> storedServer(const ServerStore &store, const QString &name);
QStringList savedServerNames();  // none where the list cannot be read
QStringList revisionNames();     // the newest first

}  // namespace sonde::cli
