// SPDX-License-Identifier: Apache-2.0
#include "tests/e2e/peers.h"

#include <QFile>
#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace sonde::test {
namespace {

const QString Modules = QStringLiteral(SONDE_SOURCE_DIR "/tests/peers/node_modules");

}  // namespace

QString peerNode()
{
    return Modules + u"/.bin/node"_s;
}

QString peerModule(const QString &path)
{
    return Modules + u'/' + path;
}

QString peerScript(const QString &package)
{
    return peerModule(u"@modelcontextprotocol/"_s + package + u"/dist/index.js"_s);
}

QString whyNoPeers()
{
    for (const QString &path :
         {peerNode(), peerScript(u"server-everything"_s), peerScript(u"server-filesystem"_s),
          peerScript(u"server-memory"_s), peerModule(u"@upstash/context7-mcp"_s),
          peerModule(u"@supabase/mcp-server-supabase"_s), peerModule(u"ajv"_s), peerModule(u"oidc-provider"_s)}) {
        if (!QFileInfo::exists(path))
            return u"%1 is missing: run 'npm ci --ignore-scripts' in tests/peers, as ./test does"_s.arg(path);
    }
    return {};
}

ServerSpec peer(const QString &package, const QStringList &arguments)
{
    ServerSpec spec;
    spec.name = package;
    spec.command = peerNode();
    spec.arguments = QStringList{peerScript(package)} + arguments;
    return spec;
}

QList<QByteArray> sharedInstances(const QString &package, const QString &tool)
{
    QFile file(QStringLiteral(SONDE_SOURCE_DIR "/../shared/instances/%1.json").arg(package));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    QList<QByteArray> instances;
    const json::Document document = json::Document::parse(file.readAll());
    for (const json::Value &entry : document.root()) {
        if (entry[u"tool"].string() != tool)
            continue;
        for (const json::Value &arguments : entry[u"args"])
            instances.append(arguments.bytes());
    }
    return instances;
}

}  // namespace sonde::test
