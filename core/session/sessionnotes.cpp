// SPDX-License-Identifier: Apache-2.0
#include "core/session/sessionnotes.h"

#include "core/files/filelimits.h"
#include "core/files/userfolder.h"
#include "core/json/builder.h"
#include "core/json/stringcodec.h"

#include <QCoreApplication>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

struct SessionNotesText {
    Q_DECLARE_TR_FUNCTIONS(sonde::SessionNotes)
};

constexpr QStringView SessionsMember = u"sessions";

SessionNote readNote(const json::Value &value)
{
    // Whoever edited the file by hand may have written more than can be shown.
    return {value[u"name"].string().left(SessionNotes::MaxNameLength),
            value[u"notes"].string().left(SessionNotes::MaxTextLength), value[u"pinned"].toBool()};
}

QByteArray objectText(const json::Value &value)
{
    return value.isObject() ? json::compact(value) : QByteArrayLiteral("{}");
}

// Members of a later version stay. Empty: nothing is left of it.
QByteArray noteJson(const SessionNote &note, const json::Value &before)
{
    const auto textOf = [](const QString &text) { return text.isEmpty() ? QByteArray() : json::quoted(text); };
    QByteArray object = JsonStore::withMember(objectText(before), u"name", textOf(note.name));
    object = JsonStore::withMember(object, u"notes", textOf(note.text));
    object = JsonStore::withMember(object, u"pinned", note.isPinned ? "true"_ba : QByteArray());
    return json::parse(object).isEmpty() ? QByteArray() : object;
}

SessionNote merged(const SessionNote &note, const SessionNote &before, const SessionNote &now)
{
    return {note.name != before.name ? note.name : now.name, note.text != before.text ? note.text : now.text,
            note.isPinned != before.isPinned ? note.isPinned : now.isPinned};
}

Error tooLong(const QString &what, qsizetype limit)
{
    return Error::local(what.arg(limit), SessionNotesText::tr("Shorten the text."));
}

}  // namespace

SessionNotes::SessionNotes(const QString &path)
    : m_file(std::make_unique<JsonStore>(path, JsonStore::Form{.maxBytes = filelimits::SessionNotes}))
{}

SessionNotes SessionNotes::ofUser()
{
    const QString folder = userFolder(UserFolder::Data);
    return SessionNotes(folder.isEmpty() ? QString() : folder + u"/session-notes.json"_s);
}

QHash<QString, SessionNote> SessionNotes::all() const
{
    QHash<QString, SessionNote> notes;
    for (const json::Value &member : json::parse(m_file->read())[SessionsMember]) {
        if (member.isObject())
            notes.insert(member.key(), readNote(member));
    }
    return notes;
}

Error SessionNotes::set(const QString &session, const SessionNote &note, const std::optional<SessionNote> &before)
{
    if (session.isEmpty())
        return Error::local(SessionNotesText::tr("The header of this session cannot be read."));
    if (note.name.size() > MaxNameLength)
        return tooLong(SessionNotesText::tr("A name can have %1 characters."), MaxNameLength);
    if (note.text.size() > MaxTextLength)
        return tooLong(SessionNotesText::tr("Notes can have %1 characters."), MaxTextLength);
    return m_file->change([&](const QByteArray &text) -> Result<QByteArray> {
        const json::Value all = json::parse(text)[SessionsMember];
        const json::Value now = all[session];
        const SessionNote changedNote = before ? merged(note, *before, readNote(now)) : note;
        const QByteArray changed = JsonStore::withMember(objectText(all), session, noteJson(changedNote, now));
        return JsonStore::withMember(text, SessionsMember, changed) + '\n';
    });
}

Error SessionNotes::remove(const QSet<QString> &sessions)
{
    return m_file->change([&sessions](const QByteArray &text) -> Result<QByteArray> {
        json::Builder left;
        left.beginObject();
        const json::Value all = json::parse(text)[SessionsMember];
        for (const json::Value &member : all) {
            if (all.isObject() && !sessions.contains(member.key()))
                left.rawKey(member.keySlice()).value(member);
        }
        return JsonStore::withMember(text, SessionsMember, left.endObject().take()) + '\n';
    });
}

}  // namespace sonde
