// A call of a tool that is kept in a file of its own, with what is expected of its response. See
// docs/saved-call-format.md.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/call.h"
#include "core/replay/rules.h"
#include "core/savedcalls/placeholders.h"

#include <QStringList>
#include <functional>
#include <optional>

namespace sonde {

struct CallExpectation {
    Outcome::Kind outcome = Outcome::Kind::Ok;  // never NoResponse
    json::Value result;                         // of Ok and ToolError; Missing: any
    json::Value error;                          // of ProtocolError; Missing: any
    ReplayRules ignore;                         // differences in either
    std::optional<qint64> maxDurationMs;
};

struct SavedCall {
    QString path;    // where it was read from; empty: nowhere yet
    QString name;    // of the file where the file gives none
    QString server;  // a saved server; empty: any
    QString tool;
    json::Value arguments;  // an object as it was typed, with placeholders; Missing: none are sent
    CallExpectation expect;

    static QString fileEnding();  // ".call.json"
    // An Error says what is wrong, where, and what to do.
    static Result<SavedCall> parse(const QByteArray &text, const QString &path);
    static Result<SavedCall> load(const QString &path);
    // Those of a folder, in the order of their file names. Folders in it are not read.
    static Result<QList<SavedCall>> loadFolder(const QString &folder);
    // Whether a text is meant to be a saved call, rather than lines of a script.
    static bool isMeantBy(const QByteArray &text);

    QStringList unknownMembers() const;  // JSON Pointers: kept, but nothing comes of them
    QString fileName() const { return path.section(u'/', -1); }

    // Indented. What was read and is not known here stays where it was.
    QByteArray toJson() const;
    Error save(const QString &to) const;

    json::Value source;  // what was read
};

// Why a saved call, and its file, cannot have this name: a sentence; empty: it can.
QString problemOfCallName(const QString &name);

// "ok", "tool-error", "protocol-error" or "no-response", as in the file and in reports.
QString outcomeName(Outcome::Kind kind);
// The same for people: "a tool error".
QString outcomeWords(Outcome::Kind kind);

QList<Placeholder> placeholdersOf(const SavedCall &call);
// Variables that its placeholders name and that are not set.
QStringList unsetVariables(const SavedCall &call);

// Why these calls cannot be run one after the other: two of one name, or a placeholder for the result of a call that is
// not made before. howToOrder: what to do about the latter; empty: on a command line.
Error problemOfSuite(const QList<SavedCall> &calls, const QString &howToOrder = {});

struct UnwrittenCalls {
    QStringList names;  // of the files that could not be read or written
    Error why;          // of the first one
};

// Reads each of these files, and writes it if the change returns true: it has changed something. Any thread.
UnwrittenCalls changeCalls(const QStringList &paths, const std::function<bool(SavedCall &)> &change);

}  // namespace sonde
