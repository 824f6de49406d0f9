// A request, written as a command for a shell that makes the same one.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QStringList>

namespace sonde {

class ServerStore;
class Session;

// With sonde-cli, for tools/call, resources/read and prompts/get; empty for other methods, and for params that are no
// JSON object. server: the words that name it. What KEY:=VALUE cannot say stands behind --params. Quoted for a shell.
QString cliCommand(const QStringList &server, QStringView method, const QByteArray &params);

// The words that name the server to which a row belongs, as it was started; empty where that is not recorded.
// httpRequest: the facts of a request over HTTP, for its headers, or nothing. Secrets stand masked in them, but in
// a URL as SECRET: with marks it would look like one that works.
QStringList recordedServerWords(const Session &session, qsizetype row, const QByteArray &httpRequest = {});
// The same, but by its name where a server of this name is saved; servers: the list, whose file is read for that; null:
// none is. For one that runs: what was recorded long ago may have been another of this name.
QStringList runningServerWords(const Session &session, qsizetype row, const ServerStore *servers,
                               const QByteArray &httpRequest = {});

// With curl. facts: of a recorded HTTP request, in which credentials stand masked and stay so, in the URL as SECRET;
// body: the message that it carried, or nothing. Empty when the facts name no address. Where the id of the session is
// masked, commands for a POSIX shell that begin a session of their own stand before it.
QString curlCommand(const QByteArray &facts, const QByteArray &body);

}  // namespace sonde
