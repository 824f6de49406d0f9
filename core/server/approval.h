// What a person agrees to before a server is started or contacted, and what was agreed to before.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/files/jsonstore.h"
#include "core/server/serverspec.h"

#include <QList>
#include <optional>

namespace sonde {

// One thing that starting the server depends on. A change of any of them is another server.
struct LaunchLine {
    QString kind;    // "program", "argument" …: as it is stored
    QString name;    // of a variable or header, or the number of the argument; may be empty
    QString value;   // as it is shown, with secretMark() in place of what is secret in it
    QString secret;  // what is not to be shown, and not stored but as a keyed hash; empty: nothing

    static QString secretMark();
    // For people: "Argument 2", "Variable". Of a variable or header the name is part of the text: "DEBUG = 1". Nothing
    // in the text hides: it is one line, with marks for control characters and long runs of spaces.
    QString label() const;
    QString text() const;
    bool isAt(const LaunchLine &other) const { return kind == other.kind && name == other.name; }
    bool operator==(const LaunchLine &) const = default;
};

// program: the absolute path of what would run, or why nothing would; empty for an address. References to the keychain
// stay what they are.
QList<LaunchLine> launchLines(const ServerSpec &spec, const QString &program);
// With the program that is found now.
QList<LaunchLine> launchLines(const ServerSpec &spec);

// A question to the person: what would be started, and what differs from what was agreed to under that name.
struct Approval {
    QList<LaunchLine> lines;
    QList<LaunchLine> before;  // empty: nothing was agreed to; a secret that is another one now is its hash

    // The question as it is shown, in this order: a line that changed follows what it was before, and those that were
    // removed come last. Takes time for each line, and no more for many of them.
    struct Row {
        enum class State { Same, Before, Now, NowWithOtherSecret, OtherSecret, Added, Removed };
        LaunchLine line;
        State state = State::Same;
        QString stateText() const;  // "before", "now, with another secret"; empty for Same
        bool operator==(const Row &) const = default;
    };
    QList<Row> rows() const;
};

// What was agreed to, by the name of the server. Several programs may use it at once. Where it cannot be read nothing
// was agreed to; what the file does not take counts until the program ends.
class ApprovalStore {
public:
    explicit ApprovalStore(const QString &path);  // empty: in memory

    // None: it may be started.
    std::optional<Approval> question(const QString &server, const QList<LaunchLine> &lines) const;
    Error approve(const QString &server, const QList<LaunchLine> &lines);
    Error remove(const QString &server);

private:
    Error change(const QString &server, const std::optional<QList<LaunchLine>> &lines);

    const QByteArray m_newKey;  // of the hashes, where the file has none
    JsonStore m_file;
};

}  // namespace sonde
