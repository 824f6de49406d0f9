// How the tools of each server were defined when a person saw them, kept between starts.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QHash>
#include <QString>

namespace sonde {

// A file for each server, named by a digest of its name. What cannot be written is asked for again next time. Any
// thread, and several at once.
class ToolStore {
public:
    struct Tool {
        QByteArray definition;  // JSON as it came when it was seen first, or accepted last
        QByteArray allowed;     // the definition that is called without asking; empty: none
    };
    using Tools = QHash<QString, Tool>;  // by their names

    explicit ToolStore(const QString &folder) : m_folder(folder) {}  // empty: nothing is kept

    Tools read(const QString &server) const;
    void put(const QString &server, const Tools &tools) const;  // others of that server stay
    void forgetServer(const QString &server) const;
    void renameServer(const QString &from, const QString &to) const;

private:
    QString pathFor(const QString &server) const;
    QString lockPath() const;

    QString m_folder;
};

}  // namespace sonde
