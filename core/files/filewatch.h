// Tells when a file is another one, or says something else.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>

namespace sonde {

// Also when the file is replaced by rename, when it or its folder is made later, and when a link leads to it. Changes
// that follow each other quickly are told of once. May tell of a change of a neighbour, or of one's own: what reads the
// file compares. Thread: its own.
class FileWatch : public QObject {
    Q_OBJECT
public:
    explicit FileWatch(const QString &path, QObject *parent = nullptr);

Q_SIGNALS:
    void changed();

private:
    void watch();

    const QString m_path;
    QFileSystemWatcher m_watcher;
    QTimer m_soon;
};

}  // namespace sonde
