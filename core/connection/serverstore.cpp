// SPDX-License-Identifier: Apache-2.0
#include "core/connection/serverstore.h"

#include "core/connection/serverfile.h"
#include "core/connection/serverspecjson.h"
#include "core/files/filelimits.h"
#include "core/files/filewatch.h"
#include "core/files/readfile.h"
#include "core/files/savefile.h"
#include "core/files/userfolder.h"

#include <QFile>
#include <QFileInfo>
#include <QLockFile>
#include <QSaveFile>

#include <algorithm>
#include <cerrno>
#include <filesystem>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

constexpr int EmptiedMs = 2000;
constexpr QFileDevice::Permissions OwnFile = QFileDevice::ReadOwner | QFileDevice::WriteOwner;

QString defaultPath()
{
    const QString folder = userFolder(UserFolder::Config);
    return folder.isEmpty() ? QString() : folder + u"/servers.json"_s;
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
    : QObject(parent), m_path(path.isEmpty() ? defaultPath() : path), m_isOurs(path.isEmpty())
{
    m_emptied.setSingleShot(true);
    m_emptied.setInterval(EmptiedMs);
    connect(&m_emptied, &QTimer::timeout, this, [this] { (void)load(); });
}

ServerStore::~ServerStore() = default;

static Result<QByteArray> readWhole(const QString &path)
{
    Result<QByteArray> text = readFile(path, filelimits::Servers);
    return !text && isFileMissing(text.error()) ? Result<QByteArray>(QByteArray()) : text;
}

Error ServerStore::load()
{
    return m_problem = tryLoad();
}

Error ServerStore::tryLoad()
{
    const Result<QByteArray> text = readWhole(m_path);
    if (!text)
        return text.error();
    const Result<ServerFile> file = ServerFile::parse(*text, m_path);
    if (!file)
        return file.error();
    m_text = *text;
    if (const Result<QByteArray> all = edited(m_text, m_unsaved))
        show(*all);
    return {};
}

void ServerStore::follow()
{
    if (m_watch || m_path.isEmpty())
        return;
    m_watch = std::make_unique<FileWatch>(m_path);
    connect(m_watch.get(), &FileWatch::changed, this, &ServerStore::onFileChanged);
}

// Some programs empty a file, or remove it, before they write it: the servers in the list may be in use.
void ServerStore::onFileChanged()
{
    const Result<QByteArray> text = readWhole(m_path);
    const bool isEmptied = text && text->trimmed().isEmpty() && !m_text.trimmed().isEmpty();
    if (isEmptied) {
        m_emptied.start();
        return;
    }
    m_emptied.stop();
    const Error before = m_problem;
    if (text && *text == m_text && !before)
        return;
    if (load().message != before.message)
        Q_EMIT read(m_problem);
}

void ServerStore::show(const QByteArray &text)
{
    const Result<ServerFile> file = ServerFile::parse(text, m_path);
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

static Error writeWhole(const QString &path, const QByteArray &text)
{
    QSaveFile file(path);
    QString reason;
    if (!file.open(QIODevice::WriteOnly)) {
        reason = file.errorString();
    } else {
        file.setPermissions(OwnFile);
        file.write(text);
        reason = commitFile(file);
    }
    return reason.isEmpty() ? Error() : Error::local(ServerStore::tr("%1 cannot be written: %2.").arg(path, reason));
}

// All of them or none. A new edit is refused when the name it wants is taken; for those that are in the list already
// another name is found.
Result<QByteArray> ServerStore::edited(QByteArray text, const QList<Edit> &edits) const
{
    const qsizetype known = m_unsaved.size();
    for (qsizetype i = 0; i < edits.size(); ++i) {
        const Result<ServerFile> file = ServerFile::parse(text, m_path);
        if (!file)
            return file.error();
        const Edit &edit = edits[i];
        const json::Value old = edit.oldName.isEmpty() ? json::Value() : file->entry(edit.oldName);
        QString name = edit.wanted ? edit.wanted->name : QString();
        if (edit.wanted && name != edit.oldName && file->entry(name).exists()) {
            if (i >= known)
                return nameTaken(name);
            for (int number = 2; file->entry(name).exists(); ++number)
                name = u"%1 %2"_s.arg(edit.wanted->name, QString::number(number));
        }
        if (edit.wanted && old.exists()) {
            const ServerSpec now = readEntry(edit.oldName, old).spec;
            text = file->withReplaced(edit.oldName, name, merged(edit.shown, *edit.wanted, now).toJson());
        } else if (edit.wanted) {
            text = file->withAdded(name, edit.wanted->toJson());
        } else if (old.exists()) {
            text = file->withRemoved(edit.oldName);
        }
    }
    return text;
}

Error ServerStore::write(const QList<Edit> &edits)
{
    if (m_path.isEmpty())
        return noUserFolder();
    // A folder that the person chose keeps the permissions they gave it.
    if (const Error error =
            m_isOurs ? makeUserFolder(UserFolder::Config) : makePrivateFolder(QFileInfo(m_path).absolutePath()))
        return error;
    // Held while reading and writing: another Sonde's change in between would be lost.
    const QString lockPath = m_path + u".lock"_s;
    if (const Error error = problemOfFile(lockPath, filelimits::Lock))
        return error;
    QLockFile lock(lockPath);
    lock.setStaleLockTime(30'000);
    // Where no lock can be made at all, writing says more plainly why.
    if (!lock.tryLock(5'000) && lock.error() == QLockFile::LockFailedError)
        return Error::local(tr("%1 is being changed by another program.").arg(m_path), tr("Try again in a moment."));
    const Result<QByteArray> before = readWhole(m_path);
    if (!before)
        return before.error();
    const Result<QByteArray> after = edited(*before, edits);
    if (!after)
        return after.error();
    if (*after != *before) {
        if (const Error error = writeWhole(m_path, *after))
            return error;
    }
    m_text = *after;
    return {};
}

Error ServerStore::change(const QString &oldName, const ServerSpec &shown, const std::optional<ServerSpec> &wanted)
{
    QList<Edit> edits = m_unsaved;
    edits.append({oldName, shown, wanted});
    const Error problem = write(edits);
    if (isNameTaken(problem))
        return problem;
    const bool wasSaved = m_unsaved.isEmpty();
    if (!problem) {
        m_unsaved.clear();
        show(m_text);
        if (!wasSaved)
            Q_EMIT saved();
        return {};
    }
    const Result<QByteArray> text = edited(m_text, edits);
    if (!text)
        return text.error();
    m_unsaved = edits;
    show(*text);
    if (wasSaved)
        Q_EMIT notSaved(problem);
    return {};
}

Error ServerStore::saveAgain()
{
    if (m_unsaved.isEmpty())
        return {};
    if (const Error problem = write(m_unsaved))
        return problem;
    m_unsaved.clear();
    show(m_text);
    Q_EMIT saved();
    return {};
}

Error ServerStore::exposure() const
{
    const QString folder = QFileInfo(m_path).absolutePath();
    const bool isWritable = isOpenToOthers(m_path, std::filesystem::perms::others_write) &&
                            isOpenToOthers(folder, std::filesystem::perms::others_exec);
    if (m_path.isEmpty() || !QFileInfo::exists(m_path) || (!isWritable && !isReplaceableByOthers(folder)))
        return {};
    return Error::local(tr("%1 is writable by every user of this computer, and it defines which programs Sonde starts.")
                            .arg(isWritable ? m_path : folder));
}

Error ServerStore::closeToOthers()
{
    QFile file(m_path);
    QFile folder(QFileInfo(m_path).absolutePath());
    if (!file.setPermissions(OwnFile))
        return Error::local(tr("%1: %2.").arg(m_path, file.errorString()));
    if (isReplaceableByOthers(folder.fileName()) && !folder.setPermissions(OwnFile | QFileDevice::ExeOwner))
        return Error::local(tr("%1: %2.").arg(m_path, folder.errorString()));
    return {};
}

}  // namespace sonde
