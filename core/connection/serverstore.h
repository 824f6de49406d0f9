// The list of servers, kept between starts in the ordinary mcpServers JSON form.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/connection/serverspec.h"

#include <QObject>

namespace sonde {

// File: $XDG_CONFIG_HOME/sonde/servers.json, mode 0600, written whole and atomically; the file is read again right
// before each write, and only the entry concerned is changed: other programs' edits and unknown members survive.
// A file that cannot be parsed is never overwritten: saving fails with an Error that says where it is broken.
class ServerStore : public QObject {
    Q_OBJECT
public:
    explicit ServerStore(const QString &path = {}, QObject *parent = nullptr);  // empty: the default path

    QString path() const { return m_path; }
    Error load();
    const QList<ServerSpec> &servers() const { return m_servers; }
    const ServerSpec *server(const QString &name) const;

    Error add(const ServerSpec &spec);                           // a name that is taken is an Error
    Error replace(const QString &name, const ServerSpec &spec);  // may rename; keeps its place
    Error remove(const QString &name);
    QString freeName(const QString &wish) const;

Q_SIGNALS:
    void changed();

private:
    Error save(const QString &oldName, const ServerSpec *spec);
    QString m_path;
    QList<ServerSpec> m_servers;
};

}  // namespace sonde
