// A request, written as a command for a shell that makes the same one.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QString>

namespace sonde {

// With sonde-cli, for tools/call, resources/read and prompts/get; empty for other methods. params: a JSON object.
// Quoted for a shell.
QString cliCommand(const QString &serverName, QStringView method, const QByteArray &params);

// With curl. facts: of a recorded HTTP request, in which credentials stand masked and stay so; body: the message that
// it carried, or nothing. Empty when the facts name no address.
QString curlCommand(const QByteArray &facts, const QByteArray &body);

}  // namespace sonde
