// The real servers of tests/peers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/server/serverspec.h"

namespace sonde::test {

// Empty when the peers are installed; else what to do about it.
QString whyNoPeers();
QString peerNode();
QString peerModule(const QString &path);     // in node_modules
QString peerScript(const QString &package);  // "server-everything" -> its dist/index.js
ServerSpec peer(const QString &package, const QStringList &arguments = {});
// The argument objects of the shared data for one server and tool; empty where the data is absent.
QList<QByteArray> sharedInstances(const QString &package, const QString &tool);

}  // namespace sonde::test
