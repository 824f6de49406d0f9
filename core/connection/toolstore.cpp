// SPDX-License-Identifier: Apache-2.0
#include "core/connection/toolstore.h"

#include "core/files/filelimits.h"
#include "core/files/filelock.h"
#include "core/files/jsonstore.h"
#include "core/json/builder.h"

#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

constexpr qsizetype MaxDefinition = 256 * 1024;  // of one tool; a longer one is not kept

ToolStore::Tools toolsIn(const json::Value &entries)
{
    ToolStore::Tools tools;
    for (const json::Value &tool : entries) {
        const QByteArray definition = tool[u"definition"].bytes();
        const QByteArray allowed = tool[u"isAllowed"].toBool() ? definition : tool[u"allowed"].bytes();
        tools.insert(tool.key(), {definition, allowed});
    }
    return tools;
}

QByteArray entriesOf(const ToolStore::Tools &tools)
{
    json::Builder builder;
    builder.beginObject();
    qsizetype left = filelimits::Tools / 2;  // so that names and marks fit as well
    for (auto tool = tools.cbegin(); tool != tools.cend(); ++tool) {
        left -= tool->definition.size() + tool->allowed.size() + tool.key().size();
        if (left < 0)
            break;
        if (tool->definition.size() > MaxDefinition)
            continue;
        builder.key(tool.key()).beginObject().rawMember(u"definition", tool->definition);
        if (tool->allowed == tool->definition)
            builder.rawMember(u"isAllowed", "true");
        else if (!tool->allowed.isEmpty() && tool->allowed.size() <= MaxDefinition)
            builder.rawMember(u"allowed", tool->allowed);
        builder.endObject();
    }
    return builder.endObject().take();
}

}  // namespace

QString ToolStore::pathFor(const QString &server) const
{
    const QByteArray name = QCryptographicHash::hash(server.toUtf8(), QCryptographicHash::Sha256).toHex();
    return m_folder + u'/' + QString::fromLatin1(name) + u".json"_s;
}

// One for all servers: a server may get the name of another.
QString ToolStore::lockPath() const
{
    return m_folder + u"/.lock"_s;
}

ToolStore::Tools ToolStore::read(const QString &server) const
{
    if (m_folder.isEmpty())
        return {};
    const JsonStore file(pathFor(server), {.maxBytes = filelimits::Tools});
    return toolsIn(json::parse(file.read())[u"tools"]);
}

void ToolStore::put(const QString &server, const Tools &tools) const
{
    if (m_folder.isEmpty())
        return;
    JsonStore file(pathFor(server), {.maxBytes = filelimits::Tools, .lockPath = lockPath()});
    (void)file.change([&tools](const QByteArray &text) {
        Tools all = toolsIn(json::parse(text)[u"tools"]);
        all.insert(tools);
        return JsonStore::withMember(text, u"tools", entriesOf(all));
    });
}

void ToolStore::forgetServer(const QString &server) const
{
    if (m_folder.isEmpty() || !QFileInfo::exists(pathFor(server)))
        return;
    const FileLock lock(lockPath());
    QFile::remove(pathFor(server));
}

void ToolStore::renameServer(const QString &from, const QString &to) const
{
    if (m_folder.isEmpty() || !QFileInfo(m_folder).isDir())
        return;
    const FileLock lock(lockPath());
    QFile::remove(pathFor(to));  // of one that had this name before
    QFile::rename(pathFor(from), pathFor(to));
}

}  // namespace sonde
