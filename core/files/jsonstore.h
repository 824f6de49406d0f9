// The one way to keep a small file of JSON that several windows and programs read and change.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/error.h"

#include <QByteArray>
#include <QList>
#include <QString>
#include <functional>
#include <memory>

namespace sonde {

// Mode 0600, in a folder that is made for its owner only. A change is made to what the file says by then, under a lock,
// and the result is saved whole or not at all: so everybody's changes stay. What cannot be read is never overwritten.
// Any thread, but one at a time.
class JsonStore {
public:
    // What is wrong with a text; none: nothing.
    using Check = std::function<Error(const QByteArray &text)>;
    // The new text, or why this cannot be done to it; then nothing is changed.
    using Change = std::function<Result<QByteArray>(const QByteArray &text)>;

    enum class Content {
        Object,  // one object
        Lines    // JSON Lines, the newest last: of a file beyond the limit only the end counts
    };
    struct Form {
        Content content = Content::Object;
        qint64 maxBytes = 0;  // one of filelimits
        // Of a file that the person edits, too: one with something wrong stays as it is. Null: Sonde alone writes it,
        // and what is no object is moved out of the way by the next change, to NAME.unreadable.
        Check check = {};
        QString lockPath = {};  // empty: NAME.lock
    };

    // path: empty: the text is kept in memory, for as long as this lives.
    JsonStore(const QString &path, const Form &form);
    ~JsonStore();

    QString path() const { return m_path; }

    // What it says now; nothing where it cannot be read. Changes that could not be saved count.
    QByteArray read() const;
    // Reads it for text(), which stays what it was where that fails.
    Error load();
    QByteArray text() const { return withUnsaved(m_text); }

    // An Error: the change cannot be made, or not be saved. ifNotSaved: made in the second case, in memory, and saved
    // with the next change that can be. Null: the change is lost.
    Error change(const Change &change, const Change &ifNotSaved = {});
    Error append(const QByteArray &line);  // to a file of lines, of which nothing else is written
    bool isSaved() const { return m_path.isEmpty() ? m_text.isEmpty() : m_unsaved.isEmpty(); }
    Error saveAgain();  // tries now what could not be saved

    // From now on tells whenever the file may have changed, by any program. Some programs empty a file before
    // they write it: that is told only if it lasts. Needs an event loop.
    void follow(const std::function<void()> &changed);

    // The objects in a text of lines. What is none is passed over.
    static QList<json::Value> objectsIn(const QByteArray &lines);
    // The object with this member, in the place of the one of that name; without it where the value is empty. All
    // others stay as they are.
    static QByteArray withMember(const QByteArray &object, QStringView name, const QByteArray &value);

private:
    struct Watch;

    QString lockPath() const;
    Result<QByteArray> readNow() const;
    Error problemOf(const QByteArray &text) const;
    Error changeInMemory(const Change &change);
    Error save(const Change &change, bool *isRefused);
    QByteArray withUnsaved(QByteArray text) const;

    const QString m_path;
    const Form m_form;
    QByteArray m_text;        // of the file, when it was last loaded or saved
    QList<Change> m_unsaved;  // oldest first
    std::unique_ptr<Watch> m_watch;
};

}  // namespace sonde
