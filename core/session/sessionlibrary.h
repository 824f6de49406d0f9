// The recorded sessions in the user's data directory.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/error.h"
#include "core/session/session.h"

#include <QDateTime>
#include <QList>
#include <QString>

namespace sonde {

struct SessionEntry {
    QString path;
    QString id;                    // of the session, wherever its file is; empty: its header cannot be read
    QString serverName;            // from the file's header
    QDateTime createdAt;           // UTC
    QDateTime modifiedAt;          // UTC, of the file
    qint64 size = 0;               // bytes
    bool isReplay = false;         // made by playing another one back, as its file's name says
    bool isOpenElsewhere = false;  // being written by a Sonde that runs
    QString problem;               // why it cannot be opened, or empty
};

class SessionLibrary {
public:
    // Empty folder: $XDG_DATA_HOME/sonde/sessions. The folder is made, mode 0700, when first needed. Without a home
    // there is no folder, and ensureFolder() says so.
    explicit SessionLibrary(const QString &folder = {});

    QString folder() const { return m_folder; }
    // Newest first. Reads headers only.
    QList<SessionEntry> entries() const;
    // Of those written to last; no other file is opened.
    QList<SessionEntry> recent(qsizetype count) const;
    static SessionEntry entryOf(const QString &path);  // wherever the file is
    Error whyKept(const QString &path) const;  // it is not a session of this folder, or is being written; none: neither
    Error remove(const QString &path) const;   // refuses what is to be kept
    // SERVER-2026-11-21-140231.mcpsession, of a replay ….replay.mcpsession. Another Sonde may have taken that name, or
    // take it in this moment: hence Session::IfTaken::NumberIt.
    QString newPath(const QString &serverName, const QDateTime &when) const;
    QString newReplayPath(const QString &serverName, const QDateTime &when) const;
    static QString numbered(const QString &path, int number);  // NAME-2.mcpsession beside NAME.mcpsession
    Error ensureFolder() const;
    // What one session records at most; see Session::setLimit().
    qint64 recordingLimit() const { return m_recordingLimit; }
    void setRecordingLimit(qint64 bytes) { m_recordingLimit = bytes; }
    // On the disk that holds the folder or will hold it; -1 when it cannot be told.
    qint64 freeBytes() const;

private:
    QString m_folder;
    bool m_isOurs;  // in the person's home
    qint64 m_recordingLimit = Session::UsualLimit;
};

}  // namespace sonde
