// SPDX-License-Identifier: Apache-2.0
#include "app/cli/exitcode.h"

#include "app/cli/texts.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::cli {

QList<ExitMeaning> exitMeanings(const QList<ExitMeaning> &ofVerb)
{
    QList<ExitMeaning> meanings{
        {ExitCode::Ok, CliText::tr("OK: a result")},
        {ExitCode::ToolError, CliText::tr("tool error: the tool ran and reported a failure")},
        {ExitCode::ProtocolError, CliText::tr("protocol error: the server returned a JSON-RPC error")},
        {ExitCode::NoResponse, CliText::tr("no response: not connected, timed out or connection lost; or output could "
                                           "not be written")},
        {ExitCode::WrongUse, CliText::tr("usage error, or a file, folder or saved server that does not exist or "
                                         "cannot be read")},
        {ExitCode::Interrupted, CliText::tr("interrupted by Ctrl+C (SIGINT)")},
        {ExitCode::BrokenPipe, CliText::tr("the program that reads the output ended (SIGPIPE)")},
        {ExitCode::Terminated, CliText::tr("terminated (SIGTERM)")},
    };
    for (const ExitMeaning &own : ofVerb) {
        const auto found = std::ranges::find(meanings, own.code, &ExitMeaning::code);
        found->text = own.text;
    }
    meanings.removeIf([](const ExitMeaning &each) { return each.text.isEmpty(); });
    return meanings;
}

QString exitCodesText(const QList<ExitMeaning> &ofVerb)
{
    constexpr int codeWidth = 5;  // three digits, and two blanks
    QString text = CliText::tr("Exit codes:");
    for (const ExitMeaning &each : exitMeanings(ofVerb))
        text += u"\n  "_s + QString::number(int(each.code)).leftJustified(codeWidth) + each.text;
    return text;
}

ExitCode exitCodeFor(Outcome::Kind kind)
{
    switch (kind) {
        case Outcome::Kind::Ok:
            return ExitCode::Ok;
        case Outcome::Kind::ToolError:
            return ExitCode::ToolError;
        case Outcome::Kind::ProtocolError:
            return ExitCode::ProtocolError;
        case Outcome::Kind::NoResponse:
            break;
    }
    return ExitCode::NoResponse;
}

ExitCode exitCodeFor(const Error &error)
{
    return error.kind == Error::Kind::None     ? ExitCode::Ok
           : error.kind == Error::Kind::Remote ? ExitCode::ProtocolError
                                               : ExitCode::NoResponse;
}

ExitCode exitCodeFor(app::Interruption interruption)
{
    return interruption == app::Interruption::Interrupt ? ExitCode::Interrupted : ExitCode::Terminated;
}

Error errorFor(app::Interruption interruption)
{
    return Error::of(Error::Kind::Cancelled, interruption == app::Interruption::Interrupt
                                                 ? CliText::tr("Cancelled by you")
                                                 : CliText::tr("Terminated by a signal (SIGTERM)"));
}

}  // namespace sonde::cli
