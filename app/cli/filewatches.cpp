// SPDX-License-Identifier: Apache-2.0
#include "app/cli/filewatches.h"

#include "core/server/transportoptions.h"
#include "core/transport/process/programlookup.h"

#include <QDir>
#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace sonde::cli {
namespace {

constexpr int SettleMs = 200;         // an editor or a compiler writes in several steps
constexpr qsizetype MaxFiles = 2000;  // what is watched is limited by the system as well
constexpr int MaxFolderDepth = 8;

bool isSource(const QString &suffix)
{
    static const QStringList suffixes{u"js"_s, u"mjs"_s, u"cjs"_s, u"jsx"_s,  u"ts"_s,   u"mts"_s, u"cts"_s, u"tsx"_s,
                                      u"py"_s, u"rb"_s,  u"php"_s, u"pl"_s,   u"lua"_s,  u"sh"_s,  u"go"_s,  u"rs"_s,
                                      u"jl"_s, u"ex"_s,  u"exs"_s, u"json"_s, u"toml"_s, u"yml"_s, u"yaml"_s};
    return suffixes.contains(suffix.toLower());
}

// Thousands of files that nobody edits.
bool isInstalled(const QString &folder)
{
    static const QStringList names{u"node_modules"_s, u"__pycache__"_s, u"venv"_s, u"target"_s, u"vendor"_s};
    return names.contains(folder);
}

}  // namespace

FileWatches::FileWatches(const QList<ServerSpec> &specs, QObject *parent) : QObject(parent)
{
    for (const ServerSpec &spec : specs) {
        if (!spec.startsProcess())
            continue;
        const StdioOptions options = stdioOptions(spec);
        const QDir base(options.workingDirectory.isEmpty() ? QDir::homePath() : options.workingDirectory);
        QStringList files{findProgram(options).path};
        for (const QString &argument : spec.arguments) {
            const QString path = QDir::cleanPath(base.absoluteFilePath(argument));
            if (!argument.isEmpty() && !argument.startsWith(u'-') && QFileInfo(path).isFile())
                files.append(path);
        }
        files.removeAll(QString());
        for (const QString &file : std::as_const(files)) {
            m_files.append(file);
            if (isSource(QFileInfo(file).suffix()))
                m_folders.append(QFileInfo(file).absolutePath());
        }
    }
    m_files.removeDuplicates();
    m_folders.removeDuplicates();
    m_soon.setSingleShot(true);
    m_soon.setInterval(SettleMs);
    connect(&m_soon, &QTimer::timeout, this, &FileWatches::compare);
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, &m_soon, qOverload<>(&QTimer::start));
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, &m_soon, qOverload<>(&QTimer::start));
    m_known = look();
}

void FileWatches::compare()
{
    const Stamps now = look();
    QStringList files;
    for (auto file = now.cbegin(); file != now.cend(); ++file) {
        if (const auto before = m_known.constFind(file.key()); before == m_known.cend() || *before != *file)
            files.append(file.key());
    }
    for (auto file = m_known.cbegin(); file != m_known.cend(); ++file) {
        if (!now.contains(file.key()))
            files.append(file.key());
    }
    m_known = now;
    files.sort();
    if (!files.isEmpty())
        Q_EMIT changed(files);
}

// A watch belongs to a file, not to its name: one that was put in its place by rename is watched anew. Its folder tells
// of that.
FileWatches::Stamps FileWatches::look()
{
    Stamps stamps;
    m_seenFolders.clear();
    for (const QString &file : std::as_const(m_files)) {
        addFile(file, &stamps);
        m_seenFolders.append(QFileInfo(file).absolutePath());
    }
    for (const QString &folder : std::as_const(m_folders))
        addFolder(folder, &stamps, 0);
    m_seenFolders.removeDuplicates();
    const QStringList watched = m_watcher.files() + m_watcher.directories();
    QStringList wanted = m_seenFolders;
    for (auto file = stamps.cbegin(); file != stamps.cend(); ++file)
        wanted.append(file.key());
    wanted.removeIf([&watched](const QString &path) { return watched.contains(path); });
    if (!wanted.isEmpty())
        m_watcher.addPaths(wanted);
    return stamps;
}

void FileWatches::addFile(const QString &path, Stamps *stamps)
{
    if (const QFileInfo file(path); file.isFile())
        stamps->insert(path, {file.lastModified(), file.size()});
}

void FileWatches::addFolder(const QString &path, Stamps *stamps, int depth)
{
    if (depth > MaxFolderDepth)
        return;
    m_seenFolders.append(path);
    const QFileInfoList entries = QDir(path).entryInfoList(QDir::Files | QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name);
    for (const QFileInfo &entry : entries) {
        if (stamps->size() >= MaxFiles)
            return;
        if (entry.isDir() && !entry.isSymLink() && !isInstalled(entry.fileName()))
            addFolder(entry.absoluteFilePath(), stamps, depth + 1);
        else if (entry.isFile() && isSource(entry.suffix()))
            addFile(entry.absoluteFilePath(), stamps);
    }
}

}  // namespace sonde::cli
