// What only the operating system knows or does. Implemented in unix/, and in portable/ with the standard library alone;
// the CMake option SONDE_UNIX chooses one.
// SPDX-License-Identifier: Apache-2.0
#pragma once

class QByteArray;

namespace sonde::app {

enum class StandardStream { Input, Output, Error };

// Whether a person sits at the other end. Portable: never.
bool isTerminal(StandardStream stream);
// How many characters a line of that terminal holds; 0: it does not tell. Portable: 0.
int terminalColumns(StandardStream stream);
// One that is closed would become the next file or socket to be opened, and get what is printed. It stays unusable.
void occupyClosedStreams();

// A reader that went away is told by the write that fails, as every other output that cannot be written.
void ignoreBrokenPipes();
// SIGTERM does nothing from here on.
void ignoreTermination();
// Ends the program by SIGABRT, without a file of its memory.
[[noreturn]] void crash();

// Large blocks go back to the system as soon as they are free, and grow without being copied.
void returnFreedMemory();

// Whether a program listens on this local socket; isAbstract: of the namespace beside the file system. Portable: true,
// only trying can tell.
bool canConnectToLocalSocket(const QByteArray &path, bool isAbstract);

}  // namespace sonde::app
