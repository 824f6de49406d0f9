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
    QString name;  // of a saved server
    QList<std::pair<QString, QString>> headers;
    QList<std::pair<QString, QString>> environment;
    QString workingDirectory;
    bool inheritsEnvironment = false;
    bool hasLoginShellPath = false;
    http::NetworkOptions network;                     // in place of its own
    std::optional<std::optional<Revision>> revision;  // in place of its own
    std::optional<ServerSpec::HttpKind> httpKind;     // in place of its own
    QStringList undeclaredCapabilities;               // besides its own

    // server: where --server goes; by default into name.
    void declare(app::OptionTable &table, const std::optional<app::OptionTarget> &server = {});
    app::Option revisionRow();
    app::Option transportRow();
    app::Option undeclaredRow();

    // How many are named: there should be one.
    int count() const { return int(!command.isEmpty()) + int(!url.isEmpty()) + int(!name.isEmpty()); }
    QString problem() const;  // no server, two, or options that are not for such a one; empty: none

    // An Error when a saved server is unknown, or when something in the description is wrong.
    Result<ServerSpec> spec(const Profile &profile) const;
    // The same of a verb that takes several. Only those options count that can be meant for each.
    Result<ServerSpec> spec(const Profile &profile, const ServerSide &side) const;
};

// What a connection to a server uses. isSaved: it comes from the list; only such a server needs an approval.
Profile profileFor(bool isSaved, Profile profile);
QStringList savedServerNames();  // none where the list cannot be read
QStringList revisionNames();     // the newest first

}  // namespace sonde::cli
