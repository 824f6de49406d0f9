// What is done in a child process between fork and exec.
// SPDX-License-Identifier: Apache-2.0
#pragma once

class QProcess;

namespace sonde {

// The read or write ends of pipes that take the place of a child's standard streams; -1: the stream stays.
struct ChildStreams {
    int input = -1;
    int output = -1;
    int errorOutput = -1;
};

// Starts it as the leader of a session of its own, with default signal handling and nothing of ours open but these
// streams. isTiedToUs: it is killed when the thread that calls this ends.
void startInSession(QProcess *process, const ChildStreams &streams, bool isTiedToUs);

}  // namespace sonde
