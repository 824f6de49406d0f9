// The list of servers, kept between starts in the ordinary mcpServers JSON form.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/files/jsonstore.h"
#include "core/server/serverspec.h"

#include <QObject>
#include <optional>

namespace sonde {

// Only the entry concerned is changed: other programs' edits and unknown members survive. A file that cannot be parsed
// is never overwritten. What cannot be written, for that or any other reason, counts in the list all the same and is
// written with the next change that can be.
class ServerStore : public QObject {
    Q_OBJECT
public:
    // path: empty: there is no home, and the list is in memory only.
    explicit ServerStore(const QString &path, QObject *parent = nullptr);

    QString path() const { return m_file.path(); }
    Error load();
    void follow();  // from now on reads the file again when another program changes it
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

    bool isSaved() const { return m_file.isSaved(); }
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
    enum class IfTaken { Refuse, FindAnother };  // of a name that it wants

    Error change(const QString &oldName, const ServerSpec &shown, const std::optional<ServerSpec> &wanted);
    static Result<QByteArray> edited(const QByteArray &text, const QString &path, const Edit &edit, IfTaken ifTaken);
    void show();

    JsonStore m_file;
    QList<ServerSpec> m_servers;
    Error m_problem;  // of the last load()
};

}  // namespace sonde
