// Standard output of sonde-cli, and whether all that was to be written was written.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArrayView>
#include <QString>

namespace sonde::cli::standardoutput {

// A reader that went away may be the ordinary end of a conversation.
enum class Closed { IsFailure, IsNoFailure };

// Writes and flushes. Once a write has failed the rest is dropped. False: not written.
bool write(QByteArrayView bytes, Closed closed = Closed::IsFailure);
bool writeText(const QString &text);

// Something else that was asked for could not be written. reason: a sentence.
void noteFailure(const QString &reason);
bool hasFailed();

// At the very end: code, or, when something could not be written, ExitCode::NoAnswer after a sentence on standard
// error that says what.
int exitCode(int code);

}  // namespace sonde::cli::standardoutput
