// Tells when a file changes that a server is started from.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/server/serverspec.h"

#include <QDateTime>
#include <QFileSystemWatcher>
#include <QHash>
#include <QObject>
#include <QTimer>

namespace sonde::cli {

// The program, the arguments that are files, and what lies in the folder of a script, but for what was installed there
// by a package manager. A server that is reached by a URL has none. Changes that follow each other quickly are told of
// once.
class FileWatches : public QObject {
    Q_OBJECT
public:
    explicit FileWatches(const QList<ServerSpec> &specs, QObject *parent = nullptr);

    qsizetype count() const { return m_known.size(); }

Q_SIGNALS:
    void changed(const QStringList &files);  // absolute paths, those that are gone among them

private:
    struct Stamp {
        QDateTime modified;
        qint64 size = 0;
        bool operator==(const Stamp &) const = default;
    };
    using Stamps = QHash<QString, Stamp>;

    void compare();
    Stamps look();  // and watches what is there
    void addFile(const QString &path, Stamps *stamps);
    void addFolder(const QString &path, Stamps *stamps, int depth);

    QStringList m_files;    // always
    QStringList m_folders;  // of scripts
    Stamps m_known;
    QStringList m_seenFolders;
    QFileSystemWatcher m_watcher;
    QTimer m_soon;
};

}  // namespace sonde::cli
