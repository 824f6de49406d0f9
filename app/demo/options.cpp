// SPDX-License-Identifier: Apache-2.0
#include "app/demo/options.h"

#include "app/common/manpage.h"
#include "app/common/optiontable.h"
#include "app/common/programversion.h"

#include <concepts>
#include <limits>

using namespace Qt::StringLiterals;

namespace sonde::demo {
namespace {

using app::Option;

constexpr int MaxInt = std::numeric_limits<int>::max();

template <typename Number>
bool readNumber(const QString &text, Number *target, qint64 min, qint64 max)
{
    bool ok = false;
    const qint64 number = text.toLongLong(&ok);
    if (!ok || number < min || number > max)
        return false;
    *target = Number(number);
    return true;
}

// read: false when the value is no good.
template <std::predicate<const QString &> Read>
Option optionWith(const QString &form, const QString &help, Read read)
{
    const auto take = [form, read](const QString &value) {
        return read(value) ? QString() : u"'%1' is not a valid value for %2"_s.arg(value, form);
    };
    return {form, help, take};
}

template <typename Number>
Option numberOption(const QString &form, const QString &help, Number *target, qint64 min, qint64 max = MaxInt)
{
    return optionWith(form, help,
                      [target, min, max](const QString &value) { return readNumber(value, target, min, max); });
}

Option exitCodeOption(const QString &form, const QString &help, std::optional<int> *code)
{
    return optionWith(form, help, [code](const QString &value) { return readNumber(value, &code->emplace(), 0, 255); });
}

Option httpOption(const QString &form, const QString &help, Options *options, bool isSse)
{
    return optionWith(form, help, [options, isSse](const QString &value) {
        options->http = true;
        options->httpSse = options->httpSse || isSse;
        return value.isEmpty() || readNumber(value, &options->port, 0, 65535);
    });
}

Option faultOption(const QString &form, const QString &help, Options *options, const QList<Fault> &faults)
{
    const auto take = [options, faults](const QString &) {
        options->faults += faults;
        return QString();
    };
    return {form, help, take};
}

QList<Option> ordinaryOptions(Options *options, bool *wantsHelp, bool *wantsVersion)
{
    return {
        httpOption(u"--http [PORT]"_s,
                   u"serve Streamable HTTP at http://127.0.0.1:PORT/mcp instead of stdio; without PORT or with 0, on a "
                   "free port. The address is printed on standard error"_s,
                   options, false),
        httpOption(u"--http+sse [PORT]"_s, u"serve HTTP+SSE, the transport of 2024-11-05, in the same way"_s, options,
                   true),
        numberOption(u"--page-size N"_s, u"return lists in pages of N entries"_s, &options->pageSize, 1),
        {u"--revision REV"_s,
         u"speak only this revision; if it is before 2026-07-28, initialize responds with it, whatever was "
         "requested"_s,
         &options->revision},
        {u"--help"_s, u"print this help"_s, wantsHelp},
        {u"--version"_s, u"print the version"_s, wantsVersion},
    };
}

QList<Option> startOptions(Options *options)
{
    return {
        numberOption(u"--slow-start MS"_s, u"read nothing for this many milliseconds"_s, &options->slowStartMs, 0),
        exitCodeOption(u"--exit-before-handshake CODE"_s, u"exit at once with this code"_s,
                       &options->exitBeforeHandshake),
        faultOption(u"--stderr-then-exit"_s, u"write a reason to standard error and exit with code 1"_s, options,
                    {Fault::StderrThenExit}),
        faultOption(u"--junk-on-stdout"_s,
                    u"write a banner, a JSON log line and more noise between the messages (stdio)"_s, options,
                    {Fault::JunkOnStdout}),
        numberOption(
            u"--huge-line BYTES"_s,
            u"send a log message of exactly this many bytes after the handshake; in 2026-07-28, before each list "
            "of tools"_s,
            &options->hugeLine, 200),
        numberOption(u"--flood N"_s,
                     u"send N log messages after the handshake; in 2026-07-28, before each list of tools"_s,
                     &options->flood, 1),
        faultOption(u"--ignore-sigterm"_s, u"keep running after SIGTERM and after the end of standard input"_s, options,
                    {Fault::IgnoreSigterm}),
    };
}

QList<Option> responseOptions(Options *options)
{
    return {
        {u"--never-respond METHOD"_s, u"accept requests with this method but never respond"_s, &options->neverResponse},
        {u"--missing-method METHOD"_s, u"respond to this method with -32601 although it is offered"_s,
         &options->missingMethods},
        faultOption(u"--crash-on-call"_s, u"crash with SIGABRT when a tool is called"_s, options, {Fault::CrashOnCall}),
        exitCodeOption(u"--exit-on-call CODE"_s, u"exit with this code when a tool is called"_s, &options->exitOnCall),
        faultOption(u"--bad-json"_s, u"truncate the responses to tool calls"_s, options, {Fault::BadJson}),
        faultOption(u"--wrong-id"_s, u"respond to tool calls with an unknown id"_s, options, {Fault::WrongId}),
        faultOption(u"--duplicate-response"_s, u"respond to tool calls twice"_s, options, {Fault::DuplicateResponse}),
        faultOption(u"--late"_s, u"finish and respond to calls that were cancelled"_s, options, {Fault::Late}),
    };
}

QList<Option> httpOptions(Options *options)
{
    return {
        numberOption(u"--http-status CODE"_s, u"respond to every POST with this status and a text page"_s,
                     &options->httpStatus, 200, 599),
        faultOption(u"--always-stream"_s, u"respond to every request with an event stream, never with plain JSON"_s,
                    options, {Fault::AlwaysStream}),
        faultOption(
            u"--drop-streams"_s,
            u"end each event stream of a call after its first event; the rest can be fetched with Last-Event-ID or, "
            "in 2026-07-28, is lost"_s,
            options, {Fault::AlwaysStream, Fault::DropStreams}),
        numberOption(u"--forget-session-after N"_s,
                     u"forget a session after N of its POSTs, and respond with 404 from then on"_s,
                     &options->forgetSessionAfter, 1),
    };
}

}  // namespace

Era Options::era() const
{
    if (revision == "2026-07-28"_L1 && !httpSse)
        return Era::Stateless;
    return revision.isEmpty() && !httpSse ? Era::Both : Era::Stateful;
}

CommandLine readCommandLine(const QStringList &arguments)
{
    const auto unknown = [](const QString &argument) { return u"unknown argument '%1'"_s.arg(argument); };
    CommandLine line;
    bool wantsHelp = false;
    bool wantsVersion = false;
    QString manualDate;
    app::OptionTable table;
    table.program = u"sonde-demo-server"_s;
    table.details =
        u"An MCP server that demonstrates every feature and can simulate faults. Its tools show each kind of form "
        u"field "
        "and each kind of result. It speaks the revisions 2024-11-05 to 2025-11-25, which begin with initialize, and "
        "2026-07-28, which does not, over standard input and output or over HTTP on this computer only."_s;
    table.operands = {{{}, {}, unknown}};
    table.sections = {{u"Options"_s, ordinaryOptions(&line.options, &wantsHelp, &wantsVersion)},
                      {u"Faults at startup and in general"_s, startOptions(&line.options)},
                      {u"Faults in responses"_s, responseOptions(&line.options)},
                      {u"Faults over HTTP"_s, httpOptions(&line.options)},
                      // For the build, which makes the manual page with it.
                      {{}, {{u"--man DATE"_s, {}, &manualDate}}}};
    table.examples = {u"--http 8080"_s, u"--revision 2025-11-25 --crash-on-call"_s};
    table.notes = u"Exit codes: 0 the client ended the conversation, 1 it could not start, 4 usage error."_s;
    if (const app::Misuse misuse = table.read(arguments))
        line.problem = misuse.unknownOption.isEmpty() ? misuse.text : unknown(misuse.unknownOption);
    else if (!manualDate.isEmpty())
        line.text = app::manPageOf(table, u"MCP server for demonstrations and tests"_s, manualDate, {},
                                   {u"sonde"_s, u"sonde-cli"_s});
    else if (wantsHelp)
        line.text = table.help();
    else if (wantsVersion)
        line.text = app::versionLine(table.program);
    return line;
}

}  // namespace sonde::demo
