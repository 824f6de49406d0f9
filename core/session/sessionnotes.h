// Names, notes and pins that a person gave to sessions.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/files/jsonstore.h"

#include <QHash>
#include <QSet>
#include <optional>

namespace sonde {

struct SessionNote {
    QString name;
    QString text;
    bool isPinned = false;  // stays whatever the retention rules say

    bool isEmpty() const { return name.isEmpty() && text.isEmpty() && !isPinned; }
    bool operator==(const SessionNote &) const = default;
};

// By the ID of the session (SessionEntry::id), in a file of its own: a session's file is never written again once it
// has ended, and its last record is the end. So they stay when the file is moved or renamed, and are not given away
// with it. Members that a later version has written stay as they are. Belongs to one thread.
class SessionNotes {
public:
    static constexpr qsizetype MaxNameLength = 200;     // characters
    static constexpr qsizetype MaxTextLength = 20'000;  // characters

    explicit SessionNotes(const QString &path = {});  // empty: in memory only
    // $XDG_DATA_HOME/sonde/session-notes.json
    static SessionNotes ofUser();

    // As the file has it now, which other windows change too.
    QHash<QString, SessionNote> all() const;
    SessionNote noteOf(const QString &session) const { return all().value(session); }
    // An empty note is removed. before: what was known of it when it was changed; whatever the change has left alone
    // stays as another window has it by now. An Error: too long, or it could not be saved, and the file is as it was.
    Error set(const QString &session, const SessionNote &note, const std::optional<SessionNote> &before = {});
    Error remove(const QSet<QString> &sessions);  // the notes of sessions that were deleted

private:
    std::unique_ptr<JsonStore> m_file;
};

}  // namespace sonde
