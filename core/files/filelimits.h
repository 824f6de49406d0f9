// How large a file may be to be read whole; docs/limits.md lists them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtGlobal>

namespace sonde::filelimits {

// Bytes.
inline constexpr qint64 KiB = 1024;
inline constexpr qint64 MiB = 1024 * KiB;

inline constexpr qint64 Servers = 16 * MiB;
inline constexpr qint64 Approvals = 16 * MiB;
inline constexpr qint64 DemandedScopes = 16 * KiB;
inline constexpr qint64 Eras = 1 * MiB;
inline constexpr qint64 Tasks = 4 * MiB;
inline constexpr qint64 Tools = 64 * MiB;
inline constexpr qint64 RememberedArguments = 8 * MiB;
inline constexpr qint64 WindowSettings = 16 * MiB;
inline constexpr qint64 WindowState = 64 * MiB;
inline constexpr qint64 HostConfiguration = 64 * MiB;  // ~/.claude.json holds a history and grows
inline constexpr qint64 ReplayRules = 16 * MiB;
inline constexpr qint64 SavedCalls = 16 * MiB;
inline constexpr qint64 SessionNotes = 16 * MiB;
inline constexpr qint64 SessionSummaries = 16 * MiB;
inline constexpr qint64 RecentFiles = 16 * MiB;
inline constexpr qint64 Pem = 1 * MiB;
inline constexpr qint64 CommandLineInput = 64 * MiB;  // --args, --responses, scripts: what a message may hold
inline constexpr qint64 LoadedContent = 60 * MiB;     // of a file in a form, encoded: a message may hold 64 MiB
inline constexpr qint64 Lock = 64 * KiB;              // made by QLockFile, which reads what is there
inline constexpr qint64 ScriptFirstLine = 512;
inline constexpr qint64 BinaryHeader = 64 * KiB;

}  // namespace sonde::filelimits
