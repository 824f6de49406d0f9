// SPDX-License-Identifier: Apache-2.0
#include "core/transport/process/exitwords.h"

#include <QCoreApplication>

#include <algorithm>
#include <iterator>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

struct SignalWords {
    int number;
    QLatin1StringView name;
    const char *meaning;
};

// As Linux numbers them, on every system: recordings made there are read everywhere.
constexpr SignalWords Signals[] = {
    {1, "SIGHUP"_L1, QT_TRANSLATE_NOOP("sonde::StdioTransport", "Hangup")},
    {2, "SIGINT"_L1, QT_TRANSLATE_NOOP("sonde::StdioTransport", "Interrupt")},
    {3, "SIGQUIT"_L1, QT_TRANSLATE_NOOP("sonde::StdioTransport", "Quit")},
    {4, "SIGILL"_L1, QT_TRANSLATE_NOOP("sonde::StdioTransport", "Illegal instruction")},
    {5, "SIGTRAP"_L1, QT_TRANSLATE_NOOP("sonde::StdioTransport", "Trace/breakpoint trap")},
    {6, "SIGABRT"_L1, QT_TRANSLATE_NOOP("sonde::StdioTransport", "Aborted")},
    {7, "SIGBUS"_L1, QT_TRANSLATE_NOOP("sonde::StdioTransport", "Bus error")},
    {8, "SIGFPE"_L1, QT_TRANSLATE_NOOP("sonde::StdioTransport", "Floating point exception")},
    {9, "SIGKILL"_L1, QT_TRANSLATE_NOOP("sonde::StdioTransport", "Killed")},
    {10, "SIGUSR1"_L1, QT_TRANSLATE_NOOP("sonde::StdioTransport", "User defined signal 1")},
    {11, "SIGSEGV"_L1, QT_TRANSLATE_NOOP("sonde::StdioTransport", "Segmentation fault")},
    {12, "SIGUSR2"_L1, QT_TRANSLATE_NOOP("sonde::StdioTransport", "User defined signal 2")},
    {13, "SIGPIPE"_L1, QT_TRANSLATE_NOOP("sonde::StdioTransport", "Broken pipe")},
    {14, "SIGALRM"_L1, QT_TRANSLATE_NOOP("sonde::StdioTransport", "Alarm clock")},
    {15, "SIGTERM"_L1, QT_TRANSLATE_NOOP("sonde::StdioTransport", "Terminated")},
    {24, "SIGXCPU"_L1, QT_TRANSLATE_NOOP("sonde::StdioTransport", "CPU time limit exceeded")},
    {25, "SIGXFSZ"_L1, QT_TRANSLATE_NOOP("sonde::StdioTransport", "File size limit exceeded")},
    {31, "SIGSYS"_L1, QT_TRANSLATE_NOOP("sonde::StdioTransport", "Bad system call")},
};

const SignalWords *signalWords(int number)
{
    const auto found =
        std::find_if(std::begin(Signals), std::end(Signals), [&](const auto &words) { return words.number == number; });
    return found == std::end(Signals) ? nullptr : found;
}

}  // namespace

QString signalName(int number)
{
    const SignalWords *words = signalWords(number);
    return words ? QString(words->name) : QString::number(number);
}

QString signalMeaning(int number)
{
    const SignalWords *words = signalWords(number);
    return QCoreApplication::translate(
        "sonde::StdioTransport", words ? words->meaning : QT_TRANSLATE_NOOP("sonde::StdioTransport", "Unknown signal"));
}

QString exitCodeHint(int code)
{
    if (code == 127)
        return QCoreApplication::translate("sonde::StdioTransport",
                                           "Code 127 usually means that a command inside a script was not found.");
    if (code == 126)
        return QCoreApplication::translate(
            "sonde::StdioTransport", "Code 126 usually means that a command inside a script could not be executed.");
    return {};
}

}  // namespace sonde
