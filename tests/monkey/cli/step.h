// One run of sonde-cli.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QList>
#include <QStringList>
#include <optional>

namespace sonde::monkey {

// Names what is in the world by placeholders such as %home%, so that it can be done again in another process.
struct CliStep {
    enum class Input {
        Nothing,  // /dev/null
        Closed,   // no descriptor at all
        Given,    // text, then its end
        Open      // text, and never its end
    };
    enum class Output {
        Read,
        Closed,  // no descriptor at all
        Broken   // a pipe whose reader goes away after a few bytes
    };

    QStringList words;
    Input input = Input::Nothing;
    QString text;  // for the standard input: a file of the world, or the text itself
    Output output = Output::Read;
    Output errors = Output::Read;
    int signal = 0;  // to be sent after so many ms; 0: none
    int delayMs = 0;
    bool again = false;  // the signal, shortly after the first one

    QByteArray toLine() const;  // JSON, without a line end
    static std::optional<CliStep> fromLine(const QByteArray &line);
    static QByteArray toLines(const QList<CliStep> &steps);
    static QList<CliStep> fromLines(const QByteArray &lines);  // lines that are no steps are left out
    QString commandLine() const;                               // for people

    bool operator==(const CliStep &) const = default;
};

}  // namespace sonde::monkey
