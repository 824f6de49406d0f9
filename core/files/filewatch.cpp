// SPDX-License-Identifier: Apache-2.0
#include "core/files/filewatch.h"

#include <QDir>
#include <QFileInfo>
#include <QSet>

namespace sonde {

namespace {

constexpr int SettleMs = 50;  // an editor writes in several steps

// The folder itself, or the nearest one above it that is there.
QString existingFolder(const QString &folder)
{
    QDir at(folder);
    while (!at.exists()) {
        const QString above = QFileInfo(at.path()).path();
        if (above == at.path())
            return {};
        at.setPath(above);
    }
    return at.path();
}

}  // namespace

FileWatch::FileWatch(const QString &path, QObject *parent) : QObject(parent), m_path(path)
{
    m_soon.setSingleShot(true);
    m_soon.setInterval(SettleMs);
    connect(&m_soon, &QTimer::timeout, this, [this] {
        watch();
        Q_EMIT changed();
    });
    // Not begun anew by each change: in a busy folder it would never come.
    const auto soon = [this] {
        if (!m_soon.isActive())
            m_soon.start();
    };
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, soon);
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, soon);
    watch();
}

// A watch belongs to a file, not to its name: the one that was put in its place is watched anew.
void FileWatch::watch()
{
    QSet<QString> wanted{existingFolder(QFileInfo(m_path).absolutePath())};
    if (const QFileInfo file(m_path); file.exists()) {
        wanted.insert(m_path);
        wanted.insert(existingFolder(QFileInfo(file.canonicalFilePath()).path()));
    }
    wanted.remove(QString());
    const QStringList watched = m_watcher.files() + m_watcher.directories();
    QStringList gone;
    for (const QString &path : watched) {
        if (!wanted.contains(path))
            gone.append(path);
        else if (path != m_path)
            wanted.remove(path);
    }
    if (watched.contains(m_path))
        gone.append(m_path);
    if (!gone.isEmpty())
        m_watcher.removePaths(gone);
    if (!wanted.isEmpty())
        m_watcher.addPaths(wanted.values());
}

}  // namespace sonde
