// SPDX-License-Identifier: Apache-2.0
#include "app/demo/options.h"

#include <functional>
#include <limits>

using namespace Qt::StringLiterals;

namespace sonde::demo {
namespace {

struct Switch {
    QString name;
    QString value;  // what it takes, for the help; "[X]" is optional; empty: nothing
    QString help;
    std::function<bool(CommandLine &, const QString &)> apply;  // false: the value is no good
};

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

std::function<bool(CommandLine &, const QString &)> behaves(const QList<Fault> &faults)
{
    return [faults](CommandLine &line, const QString &) {
        line.options.faults += faults;
        return true;
    };
}

constexpr int MaxInt = std::numeric_limits<int>::max();

QList<Switch> ordinarySwitches()
{
    return {
        {u"http"_s, u"[PORT]"_s,
         u"serve Streamable HTTP at http://127.0.0.1:PORT/mcp instead of stdio;\n"
         "without PORT or with 0 a free one is taken; the address goes to stderr"_s,
         [](CommandLine &line, const QString &value) {
             line.options.http = true;
             return value.isEmpty() || readNumber(value, &line.options.port, 0, 65535);
         }},
        {u"http+sse"_s, u"[PORT]"_s, u"serve HTTP+SSE, the transport of 2024-11-05, in the same way"_s,
         [](CommandLine &line, const QString &value) {
             line.options.http = true;
             line.options.httpSse = true;
             return value.isEmpty() || readNumber(value, &line.options.port, 0, 65535);
         }},
        {u"page-size"_s, u"N"_s, u"return lists in pages of N entries"_s,
         [](CommandLine &line, const QString &value) { return readNumber(value, &line.options.pageSize, 1, MaxInt); }},
        {u"revision"_s, u"REV"_s,
         u"speak only this revision; before 2026-07-28: respond to initialize with it,\nwhatever was requested"_s,
         [](CommandLine &line, const QString &value) {
             line.options.revision = value;
             return !value.isEmpty();
         }},
        {u"help"_s,
         {},
         u"print this and exit"_s,
         [](CommandLine &line, const QString &) { return line.showHelp = true; }},
        {u"version"_s,
         {},
         u"print the version and exit"_s,
         [](CommandLine &line, const QString &) { return line.showVersion = true; }},
    };
}

QList<Switch> startSwitches()
{
    return {
        {u"slow-start"_s, u"MS"_s, u"read nothing for this many milliseconds"_s,
         [](CommandLine &line, const QString &value) {
             return readNumber(value, &line.options.slowStartMs, 0, MaxInt);
         }},
        {u"exit-before-handshake"_s, u"CODE"_s, u"exit at once with this code"_s,
         [](CommandLine &line, const QString &value) {
             line.options.exitBeforeHandshake = 0;
             return readNumber(value, &*line.options.exitBeforeHandshake, 0, 255);
         }},
        {u"stderr-then-exit"_s,
         {},
         u"write a reason to stderr and exit with code 1"_s,
         behaves({Fault::StderrThenExit})},
        {u"junk-on-stdout"_s,
         {},
         u"write a banner, a JSON log line and more noise between the messages (stdio)"_s,
         behaves({Fault::JunkOnStdout})},
        {u"huge-line"_s, u"BYTES"_s,
         u"send a log message of exactly this many bytes after the handshake;\n2026-07-28: before each list of tools"_s,
         [](CommandLine &line, const QString &value) {
             return readNumber(value, &line.options.hugeLine, 200, std::numeric_limits<int>::max());
         }},
        {u"flood"_s, u"N"_s, u"send N log messages after the handshake; 2026-07-28: before each list of tools"_s,
         [](CommandLine &line, const QString &value) { return readNumber(value, &line.options.flood, 1, MaxInt); }},
        {u"ignore-sigterm"_s,
         {},
         u"keep running after SIGTERM and after the end of standard input"_s,
         behaves({Fault::IgnoreSigterm})},
    };
}

QList<Switch> responseSwitches()
{
    return {
        {u"never-respond"_s, u"METHOD"_s, u"accept requests with this method but never respond; can be repeated"_s,
         [](CommandLine &line, const QString &value) {
             line.options.neverResponse.append(value);
             return !value.isEmpty();
         }},
        {u"missing-method"_s, u"METHOD"_s,
         u"respond to this method with -32601 although it is offered; can be repeated"_s,
         [](CommandLine &line, const QString &value) {
             line.options.missingMethods.append(value);
             return !value.isEmpty();
         }},
        {u"crash-on-call"_s, {}, u"crash with SIGABRT when a tool is called"_s, behaves({Fault::CrashOnCall})},
        {u"exit-on-call"_s, u"CODE"_s, u"exit with this code when a tool is called"_s,
         [](CommandLine &line, const QString &value) {
             line.options.exitOnCall = 0;
             return readNumber(value, &*line.options.exitOnCall, 0, 255);
         }},
        {u"bad-json"_s, {}, u"truncate the responses to tool calls"_s, behaves({Fault::BadJson})},
        {u"wrong-id"_s, {}, u"respond to tool calls with an unknown id"_s, behaves({Fault::WrongId})},
        {u"duplicate-response"_s, {}, u"respond to tool calls twice"_s, behaves({Fault::DuplicateResponse})},
        {u"late"_s, {}, u"finish and respond to calls that were cancelled"_s, behaves({Fault::Late})},
    };
}

QList<Switch> httpSwitches()
{
    return {
        {u"http-status"_s, u"CODE"_s, u"respond to every POST with this status and a text page"_s,
         [](CommandLine &line, const QString &value) { return readNumber(value, &line.options.httpStatus, 200, 599); }},
        {u"always-stream"_s,
         {},
         u"respond to every request with an event stream, never with plain JSON"_s,
         behaves({Fault::AlwaysStream})},
        {u"drop-streams"_s,
         {},
         u"end each event stream of a call after its first event; the rest is had with\nLast-Event-ID, or lost in 2026-07-28"_s,
         behaves({Fault::AlwaysStream, Fault::DropStreams})},
        {u"forget-session-after"_s, u"N"_s, u"forget a session after N of its POSTs: 404 from then on"_s,
         [](CommandLine &line, const QString &value) {
             return readNumber(value, &line.options.forgetSessionAfter, 1, MaxInt);
         }},
    };
}

QString describe(const QList<Switch> &switches)
{
    QString text;
    for (const Switch &each : switches) {
        const QString left = u"  --"_s + each.name + (each.value.isEmpty() ? QString() : u' ' + each.value);
        QString help = each.help;
        help.replace(u'\n', u'\n' + QString(32, u' '));
        text += left.leftJustified(31) + u' ' + help + u'\n';
    }
    return text;
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
    const QList<Switch> known = ordinarySwitches() + startSwitches() + responseSwitches() + httpSwitches();
    CommandLine line;
    for (qsizetype i = 0; i < arguments.size(); ++i) {
        const QString &argument = arguments.at(i);
        const auto found = std::find_if(known.begin(), known.end(),
                                        [&argument](const Switch &each) { return argument == u"--"_s + each.name; });
        if (found == known.end()) {
            line.problem = u"unknown argument '%1'"_s.arg(argument);
            return line;
        }
        QString value;
        const bool optional = found->value.startsWith(u'[');
        const bool hasNext = i + 1 < arguments.size();
        if (optional && hasNext && !arguments.at(i + 1).startsWith(u'-')) {
            value = arguments.at(++i);
        } else if (!optional && !found->value.isEmpty()) {
            if (!hasNext) {
                line.problem = u"%1 needs a value: %2"_s.arg(argument, found->value);
                return line;
            }
            value = arguments.at(++i);
        }
        if (!found->apply(line, value)) {
            line.problem = u"'%1' is not a valid value for %2 %3"_s.arg(value, argument, found->value);
            return line;
        }
    }
    return line;
}

QString helpText()
{
    return u"Usage: sonde-demo-server [SWITCHES]\n\n"
           "A complete MCP server to explore and to test clients with. It speaks the revisions 2024-11-05 to\n"
           "2025-11-25, which begin with initialize, and 2026-07-28, which does not, on standard input and\n"
           "output, or over Streamable HTTP on this machine only.\n\n"_s +
           describe(ordinarySwitches()) + u"\nMisbehaviour at the start and in general:\n"_s +
           describe(startSwitches()) + u"\nMisbehaviour in responses:\n"_s + describe(responseSwitches()) +
           u"\nMisbehaviour over HTTP:\n"_s + describe(httpSwitches()) +
           u"\nExit codes: 0 the client ended the conversation, 1 it could not start, 4 wrong use.\n"_s;
}

}  // namespace sonde::demo
