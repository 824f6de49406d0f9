// The list of servers, kept between starts in the ordinary mcpServers JSON form.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/connection/serverspec.h"

#include <QByteArray>
#include <QObject>
#include <QTimer>
#include <memory>
#include <optional>

namespace sonde {

class FileWatch;
class ServerFile;

// File: $XDG_CONFIG_HOME/sonde/servers.json, mode 0600, written whole and atomically; the file is read again right
// before each write, and only the entry concerned is changed: other programs' edits and unknown members survive.
// A file that cannot be parsed is never overwritten. What cannot be written, for that or any other reason, counts in
// the list all the same and is written with the next change that can be.
class ServerStore : public QObject {
    Q_OBJECT
public:
    explicit ServerStore(const QString &path = {}, QObject *parent = nullptr);  // empty: the default path
    ~ServerStore() override;

    QString path() const { return m_path; }  // empty: there is no home, and the list is in memory only
    Error load();
    // From now on the list follows the file, whoever changes it.
    void follow();
    const QList<ServerSpec> &servers() const { return m_servers; }
    const ServerSpec *server(const QString &name) const;

    // An Error means that nothing was changed, for a reason in what was asked: a name that is taken, or not there.
    Error add(const ServerSpec &spec);
    Error replace(const QString &name, const ServerSpec &spec);  // may rename; keeps its place
    // shown: what the person began with, which others may have changed or removed since. What was entered counts, and
    // where nothing was entered theirs does.
    Error replace(const ServerSpec &shown, const ServerSpec &spec);
    Error remove(const QString &name);
    QString freeName(const QString &wish, const QStringList &alsoTaken = {}) const;

    bool isSaved() const { return m_unsaved.isEmpty(); }
    Error saveAgain();  // tries now what could not be written; why that fails again

    // Other users could change the file, and so what is started from it.
    Error exposure() const;
    Error closeToOthers();

Q_SIGNALS:
    void changed();
    void notSaved(const sonde::Error &reason);  // the first change that is in memory only
    void saved();                               // none is any more
    // The file was changed to something that is no list of servers; the list is the one before. None: it can be read.
    void read(const sonde::Error &problem);

private:
    struct Edit {
        QString oldName;
        ServerSpec shown;  // what the person changed it from
        std::optional<ServerSpec> wanted;
    };

    Error change(const QString &oldName, const ServerSpec &shown, const std::optional<ServerSpec> &wanted);
    void onFileChanged();
    Error tryLoad();
    Error write(const QList<Edit> &edits);
    Result<QByteArray> edited(QByteArray text, const QList<Edit> &edits) const;
    void show(const QByteArray &text);

    QString m_path;
    bool m_isOurs;
    QByteArray m_text;  // of the file, when it was last read or written
    QList<ServerSpec> m_servers;
    QList<Edit> m_unsaved;  // oldest first
    std::unique_ptr<FileWatch> m_watch;
    QTimer m_emptied;  // how long the file may be empty while somebody writes it anew
    Error m_problem;   // of the last load()
};

}  // namespace sonde
