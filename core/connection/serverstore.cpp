// SPDX-License-Identifier: Apache-2.0
#include "core/connection/serverstore.h"

#include "core/connection/serverfile.h"
#include "core/connection/serverspecjson.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLockFile>
#include <QSaveFile>
#include <QStandardPaths>

#include <algorithm>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

constexpr QFileDevice::Permissions OwnFile = QFileDevice::ReadOwner | QFileDevice::WriteOwner;
constexpr QFileDevice::Permissions OwnFolder = OwnFile | QFileDevice::ExeOwner;

QString defaultPath()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) + u"/sonde/servers.json"_s;
}

QList<ServerSpec> readServers(const ServerFile &file)
{
    QList<ServerSpec> servers;
    const json::Value object = file.servers();
    for (const json::Value &member : object) {
        const QString name = member.key();
        if (object[name].isSameNode(member))  // the last of duplicates counts
            servers.append(readEntry(name, member).spec);
    }
    return servers;
}

// What the person changed from what was shown, applied to what the file says by now.
ServerSpec merged(const ServerSpec &shown, const ServerSpec &wanted, const ServerSpec &now)
{
    ServerSpec result = now;
    const auto take = [&](auto member) {
        if (wanted.*member != shown.*member)
            result.*member = wanted.*member;
    };
    take(&ServerSpec::kind);
    take(&ServerSpec::command);
    take(&ServerSpec::arguments);
    take(&ServerSpec::workingDirectory);
    take(&ServerSpec::environment);
    take(&ServerSpec::inheritEnvironment);
    take(&ServerSpec::url);
    take(&ServerSpec::headers);
    return result;
}

}  // namespace

ServerStore::ServerStore(const QString &path, QObject *parent)
    : QObject(parent), m_path(path.isEmpty() ? defaultPath() : path)
{}

static Result<QByteArray> readWhole(const QString &path)
{
    QFile file(path);
    if (!file.exists())
        return QByteArray();
    if (!file.open(QIODevice::ReadOnly))
        return Error::local(ServerStore::tr("%1 cannot be read: %2.").arg(path, file.errorString()));
    QByteArray text = file.readAll();
    if (file.error() != QFileDevice::NoError)
        return Error::local(ServerStore::tr("%1 cannot be read: %2.").arg(path, file.errorString()));
    return text;
}

Error ServerStore::load()
{
    const Result<QByteArray> text = readWhole(m_path);
    if (!text)
        return text.error();
    const Result<ServerFile> file = ServerFile::parse(*text, m_path);
    if (!file)
        return file.error();
    QList<ServerSpec> servers = readServers(*file);
    if (servers != m_servers) {
        m_servers = std::move(servers);
        Q_EMIT changed();
    }
    return {};
}

const ServerSpec *ServerStore::server(const QString &name) const
{
    const auto it =
        std::find_if(m_servers.cbegin(), m_servers.cend(), [&](const ServerSpec &spec) { return spec.name == name; });
    return it == m_servers.cend() ? nullptr : &*it;
}

Error ServerStore::add(const ServerSpec &spec)
{
    if (spec.name.isEmpty())
        return Error::local(tr("A server needs a name."));
    return save({}, &spec);
}

Error ServerStore::replace(const QString &name, const ServerSpec &spec)
{
    if (spec.name.isEmpty())
        return Error::local(tr("A server needs a name."));
    if (!server(name))
        return Error::local(tr("There is no server called “%1”.").arg(name));
    return save(name, &spec);
}

Error ServerStore::remove(const QString &name)
{
    if (!server(name))
        return Error::local(tr("There is no server called “%1”.").arg(name));
    return save(name, nullptr);
}

QString ServerStore::freeName(const QString &wish) const
{
    const QString base = wish.trimmed().isEmpty() ? tr("server") : wish.trimmed();
    QString name = base;
    for (int number = 2; server(name); ++number)
        name = u"%1 %2"_s.arg(base, QString::number(number));
    return name;
}

static Error ensureFolder(const QString &path, bool ours)
{
    const QString folder = QFileInfo(path).absolutePath();
    if (!QFileInfo::exists(folder)) {
        QDir().mkpath(QFileInfo(folder).absolutePath());
        if (!QDir().mkdir(folder, OwnFolder) && !QFileInfo(folder).isDir())
            return Error::local(ServerStore::tr("The folder %1 cannot be made.").arg(folder));
    }
    // A folder that the person chose keeps the permissions they gave it.
    if (ours)
        QFile::setPermissions(folder, OwnFolder);
    return {};
}

static Error writeWhole(const QString &path, const QByteArray &text)
{
    QSaveFile file(path);
    const bool written = file.open(QIODevice::WriteOnly) && file.setPermissions(OwnFile) &&
                         file.write(text) == text.size() && file.commit();
    if (!written)
        return Error::local(ServerStore::tr("%1 cannot be written: %2.").arg(path, file.errorString()),
                            ServerStore::tr("The file is as it was."));
    return {};
}

Error ServerStore::save(const QString &oldName, const ServerSpec *spec)
{
    if (const Error error = ensureFolder(m_path, m_path == defaultPath()))
        return error;
    // Held while reading and writing: another Sonde's change in between would be lost.
    QLockFile lock(m_path + u".lock"_s);
    lock.setStaleLockTime(30'000);
    if (!lock.tryLock(5'000))
        return Error::local(tr("%1 is being changed by another program.").arg(m_path), tr("Try again in a moment."));
    const Result<QByteArray> before = readWhole(m_path);
    if (!before)
        return before.error();
    const Result<ServerFile> file = ServerFile::parse(*before, m_path);
    if (!file)
        return file.error();

    const json::Value old = oldName.isEmpty() ? json::Value() : file->entry(oldName);
    if (spec && spec->name != oldName && file->entry(spec->name).exists())
        return Error::local(tr("There is a server called “%1” already.").arg(spec->name));
    QByteArray after = *before;
    if (spec && old.exists()) {
        const ServerSpec *shown = server(oldName);
        const ServerSpec now = readEntry(oldName, old).spec;
        after = file->withReplaced(oldName, spec->name, merged(shown ? *shown : now, *spec, now).toJson());
    } else if (spec) {
        after = file->withAdded(spec->name, spec->toJson());
    } else if (old.exists()) {
        after = file->withRemoved(oldName);
    }
    if (after != *before) {
        if (const Error error = writeWhole(m_path, after))
            return error;
    }
    lock.unlock();
    return load();
}

}  // namespace sonde
