// SPDX-License-Identifier: Apache-2.0
#include "core/server/serverstore.h"

#include "core/files/filelimits.h"
#include "core/server/serverfile.h"
#include "core/server/serverspecjson.h"

#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <cerrno>
#include <filesystem>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

constexpr QFileDevice::Permissions OwnFile = QFileDevice::ReadOwner | QFileDevice::WriteOwner;

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
    take(&ServerSpec::loginShellPath);
    take(&ServerSpec::url);
    take(&ServerSpec::headers);
    take(&ServerSpec::httpKind);
    take(&ServerSpec::roots);
    take(&ServerSpec::undeclaredCapabilities);
    take(&ServerSpec::revision);
    take(&ServerSpec::oauth);
    take(&ServerSpec::pageByPage);
    for (const auto &[name, member] : http::NetworkOptions::members()) {
        if (wanted.network.*member != shown.network.*member)
            result.network.*member = wanted.network.*member;
    }
    if (wanted.network.allowedHosts != shown.network.allowedHosts)
        result.network.allowedHosts = wanted.network.allowedHosts;
    for (const ServerTimeouts::Member &member : ServerTimeouts::members()) {
        if (wanted.timeouts.*member.place != shown.timeouts.*member.place)
            result.timeouts.*member.place = wanted.timeouts.*member.place;
    }
    return result;
}

Error nameTaken(const QString &name)
{
    Error error = Error::local(ServerStore::tr("A server named “%1” already exists.").arg(name));
    error.code = EEXIST;
    return error;
}

bool isNameTaken(const Error &error)
{
    return error && error.code == EEXIST;
}

// Whether everybody may do all of that with the file or folder.
bool isOpenToOthers(const QString &path, std::filesystem::perms permissions)
{
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(QFileInfo(path).filesystemFilePath(), error);
    return !error && (status.permissions() & permissions) == permissions;
}

bool isReplaceableByOthers(const QString &folder)
{
    using enum std::filesystem::perms;
    return isOpenToOthers(folder, others_write | others_exec) && !isOpenToOthers(folder, sticky_bit);
}

}  // namespace

ServerStore::ServerStore(const QString &path, QObject *parent)
    : QObject(parent), m_file(path, {.maxBytes = filelimits::Servers, .check = [path](const QByteArray &text) {
                                         const Result<ServerFile> file = ServerFile::parse(text, path);
                                         return file ? Error() : file.error();
                                     }})
{}

Error ServerStore::load()
{
    m_problem = m_file.load();
    if (!m_problem)
        show();
    return m_problem;
}

void ServerStore::follow()
{
    m_file.follow([this] {
        const QString before = m_problem.message;
        if (load().message != before)
            Q_EMIT read(m_problem);
    });
}

void ServerStore::show()
{
    const Result<ServerFile> file = ServerFile::parse(m_file.text(), path());
    if (!file)
        return;
    QList<ServerSpec> servers = readServers(*file);
    if (servers != m_servers) {
        m_servers = std::move(servers);
        Q_EMIT changed();
    }
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
        return Error::local(tr("Enter a name for the server."));
    return change({}, {}, spec);
}

Error ServerStore::replace(const QString &name, const ServerSpec &spec)
{
    if (spec.name.isEmpty())
        return Error::local(tr("Enter a name for the server."));
    if (!server(name))
        return Error::local(tr("No server named “%1”.").arg(name));
    return change(name, *server(name), spec);
}

Error ServerStore::replace(const ServerSpec &shown, const ServerSpec &spec)
{
    if (spec.name.isEmpty())
        return Error::local(tr("Enter a name for the server."));
    return change(shown.name, shown, spec);
}

Error ServerStore::remove(const QString &name)
{
    if (!server(name))
        return Error::local(tr("No server named “%1”.").arg(name));
    return change(name, {}, std::nullopt);
}

QString ServerStore::freeName(const QString &wish, const QStringList &alsoTaken) const
{
    const QString base = wish.trimmed().isEmpty() ? tr("server") : wish.trimmed();
    QString name = base;
    for (int number = 2; server(name) || alsoTaken.contains(name); ++number)
        name = u"%1 %2"_s.arg(base, QString::number(number));
    return name;
}

Result<QByteArray> ServerStore::edited(const QByteArray &text, const QString &path, const Edit &edit, IfTaken ifTaken)
{
    const Result<ServerFile> file = ServerFile::parse(text, path);
    if (!file)
        return file.error();
    const json::Value old = edit.oldName.isEmpty() ? json::Value() : file->entry(edit.oldName);
    if (!edit.wanted)
        return old.exists() ? file->withRemoved(edit.oldName) : text;
    QString name = edit.wanted->name;
    if (name != edit.oldName && file->entry(name).exists()) {
        if (ifTaken == IfTaken::Refuse)
            return nameTaken(name);
        for (int number = 2; file->entry(name).exists(); ++number)
            name = u"%1 %2"_s.arg(edit.wanted->name, QString::number(number));
    }
    if (!old.exists())
        return file->withAdded(name, edit.wanted->toJson());
    const ServerSpec now = readEntry(edit.oldName, old).spec;
    return file->withReplaced(edit.oldName, name, merged(edit.shown, *edit.wanted, now).toJson());
}

// A new edit is refused when the name it wants is taken. For one that is in the list already another name is found.
Error ServerStore::change(const QString &oldName, const ServerSpec &shown, const std::optional<ServerSpec> &wanted)
{
    const auto editing = [path = path(), edit = Edit{oldName, shown, wanted}](IfTaken ifTaken) {
        return [=](const QByteArray &text) { return edited(text, path, edit, ifTaken); };
    };
    const bool wasSaved = isSaved();
    const Error problem = m_file.change(editing(IfTaken::Refuse), editing(IfTaken::FindAnother));
    if (isNameTaken(problem))
        return problem;
    show();
    if (problem && wasSaved)
        Q_EMIT notSaved(problem);
    else if (!problem && !wasSaved)
        Q_EMIT saved();
    return {};
}

Error ServerStore::saveAgain()
{
    if (isSaved())
        return {};
    if (const Error problem = m_file.saveAgain())
        return problem;
    show();
    Q_EMIT saved();
    return {};
}

Error ServerStore::exposure() const
{
    const QString folder = QFileInfo(path()).absolutePath();
    const bool isWritable = isOpenToOthers(path(), std::filesystem::perms::others_write) &&
                            isOpenToOthers(folder, std::filesystem::perms::others_exec);
    if (path().isEmpty() || !QFileInfo::exists(path()) || (!isWritable && !isReplaceableByOthers(folder)))
        return {};
    return Error::local(tr("%1 is writable by every user of this computer, and it defines which programs Sonde starts.")
                            .arg(isWritable ? path() : folder));
}

Error ServerStore::closeToOthers()
{
    QFile file(path());
    QFile folder(QFileInfo(path()).absolutePath());
    if (!file.setPermissions(OwnFile))
        return Error::local(tr("%1: %2.").arg(path(), file.errorString()));
    if (isReplaceableByOthers(folder.fileName()) && !folder.setPermissions(OwnFile | QFileDevice::ExeOwner))
        return Error::local(tr("%1: %2.").arg(path(), folder.errorString()));
    return {};
}

}  // namespace sonde
