// SPDX-License-Identifier: Apache-2.0
#include "app/cli/sessionverbs.h"

#include "app/cli/log.h"
#include "app/cli/printredactor.h"
#include "app/cli/standardoutput.h"
#include "core/export/exporter.h"
#include "core/files/savefile.h"
#include "core/filter/filtermatcher.h"
#include "core/json/builder.h"
#include "core/operations/callstatistics.h"
#include "core/protocol/visibletext.h"

#include <QCoreApplication>
#include <QFile>
#include <QHash>
#include <QSaveFile>
#include <algorithm>
#include <cstdio>

using namespace Qt::StringLiterals;

namespace sonde::cli {
namespace {

struct SessionVerbsText {
    Q_DECLARE_TR_FUNCTIONS(sonde::cli)
};

QString helpText()
{
    return SessionVerbsText::tr(
        "Usage: sonde-cli export FILE --format FORMAT [-o OUT] [--secret WORD] [--preview]\n"
        "                        [--filter FILTER]\n"
        "       sonde-cli log FILE [--filter FILTER] [--json]\n"
        "       sonde-cli stats FILE [--json]\n"
        "\n"
        "Reads a recorded session; connects to no server.\n"
        "\n"
        "export:\n"
        "  --format jsonl       JSON Lines: one message per line\n"
        "  --format har         HTTP exchanges as a HAR file\n"
        "  --format markdown    for an issue or a chat\n"
        "  --format html        a single page for a bug report, without scripts or external files\n"
        "  -o, --output OUT     write to this file, replacing it (default: standard output)\n"
        "  --secret WORD        also redact this word; can be repeated\n"
        "  --preview            write nothing; list the redacted values on standard output\n"
        "  --filter FILTER      only matching records, such as 'tool == search and ms > 500'\n"
        "\n"
        "log:\n"
        "  --filter FILTER      only matching records\n"
        "  --json               print one JSON object per record\n"
        "\n"
        "stats:\n"
        "  --json               print one JSON object for scripts\n"
        "\n"
        "Exit codes: 0 success, 3 cannot read or write, 4 usage error\n");
}

void print(FILE *file, const QString &text)
{
    if (file == stdout)
        standardoutput::writeText(text);
    else
        std::fputs(text.toUtf8().constData(), file);
}

ExitCode wrongUse(const QString &problem)
{
    print(stderr, u"sonde-cli: "_s + problem + u'\n' + SessionVerbsText::tr("Try sonde-cli export --help.") + u'\n');
    return ExitCode::WrongUse;
}

ExitCode failed(const Error &error)
{
    QString text = u"sonde-cli: "_s + visibleText(error.message);
    for (const QString &more : {error.detail, error.hint}) {
        if (!more.isEmpty())
            text += u'\n' + visibleText(more);
    }
    print(stderr, text + u'\n');
    return ExitCode::NoResponse;
}

enum class SessionVerb { Export, Log, Stats };

struct SessionOptions {
    QString file;
    QString format;
    QString output;
    QStringList secrets;
    Filter filter;
    bool preview = false;
    bool json = false;
    bool help = false;
    QString problem;
};

SessionOptions parse(const QStringList &words, SessionVerb verb)
{
    const bool isExport = verb == SessionVerb::Export;
    SessionOptions found;
    for (qsizetype i = 1; i < words.size() && found.problem.isEmpty(); ++i) {
        QString word = words.at(i);
        QString value;
        const qsizetype equals = word.startsWith("--"_L1) ? word.indexOf(u'=') : -1;
        const bool hasValue = equals > 0;
        if (hasValue) {
            value = word.mid(equals + 1);
            word.truncate(equals);
        }
        const auto take = [&](QString *target) {
            if (!hasValue && i + 1 >= words.size())
                found.problem = SessionVerbsText::tr("%1 needs a value").arg(word);
            else
                *target = hasValue ? value : words.at(++i);
        };
        if (word == "--help"_L1 || word == "-h"_L1) {
            found.help = true;
        } else if (isExport && word == "--format"_L1) {
            take(&found.format);
        } else if (isExport && (word == "-o"_L1 || word == "--output"_L1)) {
            take(&found.output);
        } else if (isExport && word == "--secret"_L1) {
            QString secret;
            take(&secret);
            found.secrets.append(secret);
        } else if (isExport && word == "--preview"_L1 && !hasValue) {
            found.preview = true;
        } else if (verb != SessionVerb::Stats && word == "--filter"_L1) {
            QString filter;
            take(&filter);
            if (found.problem.isEmpty())
                found.problem = readFilter(filter, &found.filter);
        } else if (!isExport && word == "--json"_L1 && !hasValue) {
            found.json = true;
        } else if (word.startsWith(u'-') && word.size() > 1) {
            found.problem = SessionVerbsText::tr("unknown option '%1'").arg(words.at(i));
        } else if (found.file.isEmpty()) {
            found.file = words.at(i);
        } else {
            found.problem = SessionVerbsText::tr("unexpected argument '%1'").arg(words.at(i));
        }
    }
    if (found.problem.isEmpty() && !found.help && found.file.isEmpty())
        found.problem = SessionVerbsText::tr("expected a session file");
    return found;
}

void noteDamage(const Session &session)
{
    for (const DamagedRange &range : session.damage())
        print(stderr,
              SessionVerbsText::tr("Damaged at byte %1: %2").arg(range.offset).arg(visibleText(range.reason)) + u'\n');
}

void printMasked(FILE *file, const QList<MaskedSecret> &masked)
{
    for (const MaskedSecret &secret : masked) {
        const QString length = secret.length > 0 ? SessionVerbsText::tr(", %1 bytes").arg(secret.length) : QString();
        print(file, SessionVerbsText::tr("%1  %2 times, first in record %3: %4%5")
                            .arg(visibleLine(secret.mark))
                            .arg(secret.occurrences)
                            .arg(secret.firstNumber)
                            .arg(visibleLine(secret.where), length) +
                        u'\n');
    }
}

ExitCode exportSession(const SessionOptions &words)
{
    ExportOptions options;
    const std::optional<ExportFormat> format = exportFormat(words.format);
    if (!format)
        return wrongUse(words.format.isEmpty() ? SessionVerbsText::tr("expected --format jsonl, har, markdown or html")
                                               : SessionVerbsText::tr("unknown format '%1'").arg(words.format));
    options.format = *format;
    options.secrets = words.secrets;
    const auto shortest = [](const QString &word) { return word.size() < 4; };
    if (std::any_of(words.secrets.begin(), words.secrets.end(), shortest))
        return wrongUse(SessionVerbsText::tr("a secret word must have at least four characters"));
    const Result<std::unique_ptr<Session>> session = Session::open(words.file);
    if (!session)
        return failed(session.error());
    noteDamage(**session);
    if (!words.filter.matchesAll()) {
        FilterMatcher matcher(words.filter, session->get());
        options.rows.emplace();
        for (qsizetype row = 0; row < (*session)->size(); ++row) {
            if (matcher.matches(row))
                options.rows->push_back(row);
        }
    }
    Exporter exporter(session->get(), options);
    if (words.preview) {
        printMasked(stdout, exporter.preview());
        return ExitCode::Ok;
    }
    if (words.output.isEmpty() || words.output == "-"_L1) {
        QFile out;
        if (!out.open(stdout, QIODevice::WriteOnly))
            return failed(Error::local(SessionVerbsText::tr("Standard output cannot be written.")));
        const Error error = exporter.write(&out);
        if (error || !out.flush())
            return failed(error ? error : Error::local(SessionVerbsText::tr("Not written: %1").arg(out.errorString())));
    } else {
        QSaveFile out(words.output);  // whole or not at all
        if (!out.open(QIODevice::WriteOnly))
            return failed(
                Error::local(SessionVerbsText::tr("%1 cannot be written: %2").arg(words.output, out.errorString())));
        out.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
        if (const Error error = exporter.write(&out))
            return failed(error);
        if (const QString problem = commitFile(out); !problem.isEmpty())
            return failed(Error::local(SessionVerbsText::tr("%1 cannot be written: %2").arg(words.output, problem)));
    }
    if (exporter.count() == 0 && *format == ExportFormat::Har)
        print(stderr, (options.rows ? SessionVerbsText::tr("No HTTP exchanges match the filter.")
                                    : SessionVerbsText::tr("The session contains no HTTP exchanges.")) +
                          u'\n');
    printMasked(stderr, exporter.masked());
    return ExitCode::Ok;
}

QString milliseconds(qint64 ns)
{
    return ns < 0 ? u"-"_s : QString::number(double(ns) / 1e6, 'f', ns < 100'000'000 ? 1 : 0);
}

void addPercentiles(json::Builder &builder, QStringView name, const Percentiles &values)
{
    builder.key(name).beginObject();
    const auto add = [&builder](QStringView key, qint64 ns) {
        builder.key(key);
        if (ns < 0)
            builder.null();
        else
            builder.number(double(ns / 1000) / 1e3);
    };
    add(u"p50", values.p50);
    add(u"p90", values.p90);
    add(u"p99", values.p99);
    add(u"max", values.longest);
    builder.endObject();
}

void printStatisticsForMachines(const QList<CallStatistics> &all)
{
    json::Builder builder;
    builder.beginObject().key(u"calls").beginArray();
    for (const CallStatistics &call : all) {
        builder.beginObject();
        builder.member(u"method", call.method);
        if (!call.target.isEmpty())
            builder.member(u"target", call.target);
        builder.member(u"count", qint64(call.count)).member(u"ok", qint64(call.ok));
        builder.member(u"toolErrors", qint64(call.toolErrors));
        builder.member(u"protocolErrors", qint64(call.protocolErrors));
        builder.member(u"unanswered", qint64(call.unanswered)).member(u"open", qint64(call.open));
        addPercentiles(builder, u"ms", call.server);
        addPercentiles(builder, u"firstByteMs", call.firstByte);
        builder.key(u"waitingForPersonMs").number(double(call.waitedNs / 1000) / 1e3);
        builder.endObject();
    }
    builder.endArray().endObject();
    print(stdout, QString::fromUtf8(builder.take()) + u'\n');
}

void printStatistics(const QList<CallStatistics> &all)
{
    qsizetype width = 4;
    const auto name = [](const CallStatistics &call) {
        return visibleLine((call.method + u' ' + call.target).trimmed(), 60);
    };
    for (const CallStatistics &call : all)
        width = std::max(width, name(call).size());
    const auto row = [width](const QString &first, const QStringList &cells) {
        QString line = first.leftJustified(int(width));
        for (const QString &cell : cells)
            line += cell.rightJustified(10);
        print(stdout, line + u'\n');
    };
    row(SessionVerbsText::tr("Call"),
        {SessionVerbsText::tr("count"), SessionVerbsText::tr("errors"), u"p50 ms"_s, u"p90 ms"_s, u"p99 ms"_s,
         SessionVerbsText::tr("first ms"), SessionVerbsText::tr("user ms")});
    for (const CallStatistics &call : all)
        row(name(call), {QString::number(call.count), QString::number(call.errors()), milliseconds(call.server.p50),
                         milliseconds(call.server.p90), milliseconds(call.server.p99), milliseconds(call.firstByte.p50),
                         call.waitedNs > 0 ? milliseconds(call.waitedNs) : u"-"_s});
}

ExitCode showStatistics(const SessionOptions &words)
{
    const Result<std::unique_ptr<Session>> session = Session::open(words.file);
    if (!session)
        return failed(session.error());
    noteDamage(**session);
    Operations operations(session->get());
    operations.advance();
    QList<CallStatistics> all = callStatistics(**session, operations);
    PrintRedactor redactor(**session);
    for (CallStatistics &call : all)
        call.target = redactor.name(call.target);
    if (words.json)
        printStatisticsForMachines(all);
    else
        printStatistics(all);
    return ExitCode::Ok;
}

ExitCode showLog(const SessionOptions &words)
{
    const Result<std::unique_ptr<Session>> session = Session::open(words.file);
    if (!session)
        return failed(session.error());
    noteDamage(**session);
    printLog(**session, words.filter, words.json);
    return ExitCode::Ok;
}

}  // namespace

QString readFilter(const QString &text, Filter *filter)
{
    const Filter::Parsed parsed = Filter::parse(text);
    *filter = parsed.filter;
    if (!parsed.problem)
        return {};
    const QString marks =
        QString(parsed.problem->offset, u' ') + QString(qMax<qsizetype>(1, parsed.problem->length), u'^');
    return SessionVerbsText::tr("invalid filter: %1").arg(parsed.problem->reason) + u"\n  "_s + text + u"\n  "_s +
           marks;
}

std::optional<ExitCode> runSessionVerb(const QStringList &words)
{
    static const QHash<QString, SessionVerb> verbs{
        {u"export"_s, SessionVerb::Export}, {u"log"_s, SessionVerb::Log}, {u"stats"_s, SessionVerb::Stats}};
    const auto verb = verbs.constFind(words.value(0));
    if (verb == verbs.constEnd())
        return std::nullopt;
    const SessionOptions parsed = parse(words, *verb);
    if (parsed.help) {
        print(stdout, helpText());
        return ExitCode::Ok;
    }
    if (!parsed.problem.isEmpty())
        return wrongUse(parsed.problem);
    switch (*verb) {
        case SessionVerb::Export:
            return exportSession(parsed);
        case SessionVerb::Log:
            return showLog(parsed);
        case SessionVerb::Stats:
            break;
    }
    return showStatistics(parsed);
}

}  // namespace sonde::cli
