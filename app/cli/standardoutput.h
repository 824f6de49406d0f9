// Standard output of sonde-cli, and whether all that was to be written was written.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArrayView>
#include <QIODevice>
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
const QString &failure();  // a sentence; empty: none
// The program at the other end of a pipe has ended, as head does when it has enough. Nothing is said of it, and nothing
// else is said from then on: as if SIGPIPE had ended the program.
bool isReaderGone();

// Standard output for what writes to a device.
class Device final : public QIODevice {
public:
    Device() { open(QIODevice::WriteOnly | QIODevice::Unbuffered); }

protected:
    qint64 readData(char *, qint64) override { return -1; }
    qint64 writeData(const char *bytes, qint64 size) override;
};

// At the very end: code, or, when something could not be written, ExitCode::NoResponse after a sentence on standard
// error that says what; ExitCode::BrokenPipe where only the reader has gone.
int exitCode(int code);

}  // namespace sonde::cli::standardoutput
