// Standard output of sonde-cli, and whether all that was to be written was written.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArrayView>
#include <QString>

namespace sonde::cli::standardoutput {

// Writes and flushes. Once a write has failed the rest is dropped. False: not written.
bool write(QByteArrayView bytes);
bool writeText(const QString &text);

// Something else that was asked for could not be written. reason: a sentence.
void noteFailure(const QString &reason);
bool hasFailed();

// At the very end: code, or, when something could not be written, ExitCode::NoAnswer after a sentence on standard
// error that says what.
int exitCode(int code);

}  // namespace sonde::cli::standardoutput
