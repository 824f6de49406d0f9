// The saved calls in some folders, followed as their files change.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/savedcalls/savedcall.h"

#include <QFileSystemWatcher>
#include <QObject>
#include <QStringList>
#include <QTimer>
#include <memory>

namespace sonde {

struct CallFile {
    QString path;
    SavedCall call;  // without a tool where it could not be read
    Error problem;   // why it could not
};

// A worker reads the files, soon after a change. What is not changed stays the same node for node. GUI thread.
class CallFolders final : public QObject {
    Q_OBJECT
public:
    static constexpr qsizetype MaxFiles = 500;                    // of all folders; the others are not shown
    static constexpr qint64 MaxBytes = qint64(64) * 1024 * 1024;  // likewise

    explicit CallFolders(QObject *parent = nullptr);
    ~CallFolders() override;

    void setFolders(const QStringList &folders);  // absolute paths
    const QStringList &folders() const { return m_folders; }
    void refresh();  // soon

    // In the order of the folders, and of the names of their files.
    const QList<CallFile> &files() const { return m_files; }
    const CallFile *file(const QString &path) const;  // null: it is not there
    QList<CallFile> filesIn(const QString &folder) const;
    // Sentences: a folder cannot be read, or has too much.
    const QStringList &problems() const { return m_problems; }

Q_SIGNALS:
    void changed();

private:
    struct Listing {
        QStringList folders;  // those that are there
        QList<CallFile> files;
        QStringList problems;
    };
    static Listing listing(const QStringList &folders, const QList<CallFile> &known);
    void read();
    void take(const Listing &listing);
    void watch(const QStringList &wanted);

    QStringList m_folders;
    QList<CallFile> m_files;
    QStringList m_problems;
    QFileSystemWatcher m_watcher;
    QTimer m_soon;                       // a change comes with others
    std::unique_ptr<QObject> m_reading;  // whose result is waited for
};

}  // namespace sonde
