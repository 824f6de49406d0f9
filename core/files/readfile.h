// The one way to read a file whole, or no more of it than is wanted.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/error.h"

#include <QByteArray>
#include <QString>

namespace sonde {

enum class IfLarger { Refuse, ReadStart, ReadEnd };

// An ordinary file: a pipe, a device, a socket or a folder is refused at once, whatever it would have to say. maxBytes
// is one of filelimits. The Error says what is there, where and what to do; its code is that of the system (errno),
// or 0 where the system is not to blame. Any thread.
Result<QByteArray> readFile(const QString &path, qint64 maxBytes, IfLarger ifLarger = IfLarger::Refuse);
bool isFileMissing(const Error &error);  // there is nothing of that name
// Why it could not be read, without reading it. None where there is nothing of that name.
Error problemOfFile(const QString &path, qint64 maxBytes);

// What a person names on a command line: also a pipe, such as that of <(…), or "-" for standard input. Waits for its
// end, but reads no more than maxBytes.
Result<QByteArray> readFileOrPipe(const QString &path, qint64 maxBytes);

}  // namespace sonde
