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
    QString remark;
};
Result<CommandLine> splitCommandLine(const QString &text);
// The inverse: quotes only where needed.
QString joinCommandLine(const QStringList &words);

}  // namespace sonde
