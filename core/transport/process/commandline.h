// Splitting of a command line that a person pasted, as a POSIX shell would split it, without being one.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/error.h"

#include <QStringList>

namespace sonde {

// Quotes ('…', "…" with backslash before " \ $ `), backslashes outside quotes, backslash-newline joins lines.
// No expansion of any kind: $, *, ~, ;, | and & stay as they are. Leading NAME=value words are returned as
// environment. An error names the position of an unclosed quote.
struct CommandLine {
    QList<std::pair<QString, QString>> environment;
    QStringList words;
    // Set when the text uses shell syntax that will not be interpreted ("|", "&&", ">"), in a sentence.
    QString finding;
    // Of the first "&&", ";" before a blank or the end, or end of a line between two commands, outside quotes: where it
    // stands and where it ends; -1: none.
    qsizetype separatorAt = -1;
    qsizetype separatorEnd = -1;
};
Result<CommandLine> splitCommandLine(const QString &text);

// A command line in front of which a shell was to do what can be done without one: "cd FOLDER && …", "export
// NAME=value; …", the same on a line of their own, and "exec …" are taken off. Where that takes a shell after all, and
// where there are several commands on several lines, the Error says so.
struct StartLine {
    QString folder;  // where to start it, as written, "~" and $HOME replaced; empty: not said
    CommandLine command;
};
Result<StartLine> readStartLine(const QString &text);
// Takes off the words in front of a program that set its variables: NAME=value. The last word stays.
QList<std::pair<QString, QString>> takeAssignments(QStringList *words);
// The inverse: quotes only where needed.
QString joinCommandLine(const QStringList &words);

}  // namespace sonde
