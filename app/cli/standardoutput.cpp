// SPDX-License-Identifier: Apache-2.0
#include "app/cli/standardoutput.h"

#include "app/cli/exitcode.h"

#include <QCoreApplication>

#include <cerrno>
#include <cstdio>

namespace sonde::cli::standardoutput {
namespace {

// A process has one standard output.
struct State {
    QString failure;  // empty: all is well
    bool isReaderGone = false;
};

State &state()
{
    static State state;
    return state;
}

}  // namespace

bool write(QByteArrayView bytes, Closed closed)
{
    if (hasFailed())
        return false;
    // fwrite() may not be given the null pointer of an empty view.
    const bool isWritten =
        bytes.isEmpty() || std::fwrite(bytes.data(), 1, size_t(bytes.size()), stdout) == size_t(bytes.size());
    if (isWritten && std::fflush(stdout) == 0)
        return true;
    if (errno == EPIPE) {
        state().isReaderGone = state().isReaderGone || closed == Closed::IsFailure;
        return false;
    }
    noteFailure(QCoreApplication::translate("sonde::cli", "Standard output could not be written: %1")
                    .arg(qt_error_string(errno)));
    return false;
}

// In pieces: a result may be larger than what one likes to have in memory twice.
bool writeText(const QString &text)
{
    constexpr qsizetype pieceSize = 64 * 1024;
    for (qsizetype at = 0; at < text.size();) {
        qsizetype end = qMin(at + pieceSize, text.size());
        if (end < text.size() && text.at(end - 1).isHighSurrogate())
            --end;
        if (!write(text.sliced(at, end - at).toUtf8()))
            return false;
        at = end;
    }
    return true;
}

void noteFailure(const QString &reason)
{
    if (state().failure.isEmpty())
        state().failure = reason;
}

bool hasFailed()
{
    return !state().failure.isEmpty() || isReaderGone();
}

bool isReaderGone()
{
    return state().isReaderGone;
}

qint64 Device::writeData(const char *bytes, qint64 size)
{
    return standardoutput::write(QByteArrayView(bytes, qsizetype(size))) ? size : -1;
}

const QString &failure()
{
    return state().failure;
}

int exitCode(int code)
{
    if (!state().failure.isEmpty()) {
        std::fprintf(stderr, "sonde-cli: %s\n", state().failure.toUtf8().constData());
        return int(ExitCode::NoResponse);
    }
    return isReaderGone() ? int(ExitCode::BrokenPipe) : code;
}

}  // namespace sonde::cli::standardoutput
