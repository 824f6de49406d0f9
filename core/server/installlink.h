// The links with which web pages offer a server to an editor, as text that was pasted.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QString>
#include <optional>

namespace sonde {

struct InstallLink {
    QString name;
    QByteArray entry;  // JSON, unchecked
};

// vscode:mcp/install?{…}, https://…/redirect/mcp/install?name=…&config={…},
// cursor://anysphere.cursor-deeplink/mcp/install?name=…&config=BASE64, https://vscode.dev/redirect?url=LINK. Nothing:
// it is no such link. Opens nothing.
std::optional<InstallLink> readInstallLink(const QString &text);

}  // namespace sonde
