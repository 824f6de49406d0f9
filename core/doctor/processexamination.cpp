// SPDX-License-Identifier: Apache-2.0
#include "core/doctor/processexamination.h"

#include "core/doctor/binaryfile.h"
#include "core/doctor/startrecords.h"
#include "core/files/filelimits.h"
#include "core/files/readfile.h"
#include "core/protocol/numbertext.h"
#include "core/protocol/visibletext.h"
#include "core/server/approval.h"
#include "core/server/transportoptions.h"
#include "core/transport/process/briefrun.h"
#include "core/transport/process/exitwords.h"
#include "core/transport/process/loginshell.h"
#include "core/transport/process/programlookup.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <algorithm>
#include <optional>
#include <utility>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

using Kind = DoctorLine::Kind;
using State = Step::State;

constexpr int VersionMs = 5000;

// "~/bin" rather than "/home/ada/bin".
QString shortPath(const QString &path)
{
    const QString home = QDir::homePath();
    return path == home ? u"~"_s : path.startsWith(home + u'/') ? u'~' + path.mid(home.size()) : path;
}

QString permissionText(QFile::Permissions permissions)
{
    const auto letters = [&](QFile::Permission read, QFile::Permission write, QFile::Permission execute) {
        return QString(permissions & read ? u'r' : u'-') + (permissions & write ? u'w' : u'-') +
               (permissions & execute ? u'x' : u'-');
    };
    return letters(QFile::ReadOwner, QFile::WriteOwner, QFile::ExeOwner) +
           letters(QFile::ReadGroup, QFile::WriteGroup, QFile::ExeGroup) +
           letters(QFile::ReadOther, QFile::WriteOther, QFile::ExeOther);
}

// What tells its version with an option, and does nothing else then. Nothing is run that is not listed here.
QStringList versionArguments(const QString &program)
{
    static const QRegularExpression known(
        u"^(node|nodejs|npx|npm|deno|bun|bunx|python[0-9.]*|uvx?|pipx|ruby|perl|php|dotnet|docker|podman)$"_s);
    const QString name = QFileInfo(program).fileName();
    if (known.match(name).hasMatch())
        return {u"--version"_s};
    return name == u"java" ? QStringList{u"-version"_s} : QStringList();
}

// Of a script, the words after "#!"; nothing for other files.
std::optional<QStringList> interpreterOf(const QString &path)
{
    static const QRegularExpression blanks(u"[ \\t]+"_s);
    const Result<QByteArray> start = readFile(path, filelimits::ScriptFirstLine, IfLarger::ReadStart);
    if (!start || !start->startsWith("#!"))
        return std::nullopt;
    const qsizetype end = start->indexOf('\n');
    const QString words = QString::fromLocal8Bit(start->mid(2, end < 0 ? -1 : end - 2));
    return words.split(blanks, Qt::SkipEmptyParts);
}

// Where something says that it listens: a server of HTTP then, which waits for nothing on its standard input.
QString listeningAt(const QString &text)
{
    static const QRegularExpression pattern(
        u"https?://(?:localhost|127\\.0\\.0\\.1|0\\.0\\.0\\.0|\\[::1?\\]):\\d+[\\w/.%-]*"_s);
    QString url = pattern.match(text).captured();
    while (url.endsWith(u'.'))
        url.chop(1);
    return url;
}

// Of the official SDKs: @modelcontextprotocol/sdk and mcp.
struct OldestRuntime {
    QString name;
    int major;
    int minor;
};

const OldestRuntime *oldestOf(const QString &program)
{
    static const OldestRuntime node{u"Node.js"_s, 18, 0};
    static const OldestRuntime python{u"Python"_s, 3, 10};
    return program == u"node" || program == u"nodejs" ? &node : program.startsWith(u"python") ? &python : nullptr;
}

bool isOlder(const QString &version, const OldestRuntime &oldest)
{
    static const QRegularExpression pattern(u"^(?:v|Python )(\\d{1,4})\\.(\\d{1,4})"_s);
    const QRegularExpressionMatch match = pattern.match(version);
    return match.hasMatch() &&
           std::pair(match.captured(1).toInt(), match.captured(2).toInt()) < std::pair(oldest.major, oldest.minor);
}

// What a runtime says of a program that was written for a later one.
bool isUnknownToRuntime(const QString &said)
{
    static const QRegularExpression pattern(
        u"SyntaxError|ReferenceError|is not a function|No such built-in "
        u"module|ERR_(?:UNKNOWN_BUILTIN_MODULE|REQUIRE_ESM)|"
        "Cannot find module 'node:|unsupported operand type|cannot import name|EBADENGINE|[Uu]nsupported engine|"
        "[Rr]equires.{0,40}(?:[Nn]ode|[Pp]ython)"_s);
    return pattern.match(said).hasMatch();
}

}  // namespace

QList<DoctorLine::Kind> ProcessExamination::kinds() const
{
    return {Kind::CommandLine, Kind::Folder, Kind::Program, Kind::Runtime, Kind::Start, Kind::Output};
}

void ProcessExamination::examine()
{
    settle(Kind::CommandLine, State::Done,
           spec().arguments.isEmpty()
               ? tr("1 program without arguments")
               : counted(spec().arguments.size(), tr("1 program, 1 argument"), tr("1 program, %1 arguments")));
    at(Kind::CommandLine).detail = revealedText(spec().line());

    const QString folder = effectiveDirectory(stdioOptions(spec()));
    const QFileInfo info(folder);
    const QString problem = !info.exists()         ? tr("does not exist")
                            : !info.isDir()        ? tr("is not a directory")
                            : !info.isExecutable() ? tr("cannot be entered: %1").arg(permissionText(info.permissions()))
                                                   : QString();
    settle(Kind::Folder, problem.isEmpty() ? State::Done : State::Failed,
           problem.isEmpty() ? shortPath(folder) : shortPath(folder) + u' ' + problem);
    if (!problem.isEmpty())
        at(Kind::Folder).remedy = Remedy::ChooseFolder;
    examineProgram();
    examineStart();
}

void ProcessExamination::examineProgram()
{
    const StdioOptions options = stdioOptions(spec());
    QElapsedTimer clock;
    clock.start();
    const ProgramLookup lookup = findProgram(options);
    DoctorLine &line = at(Kind::Program);
    line.ms = clock.elapsed();
    if (spec().loginShellPath && options.loginShellPath.isEmpty()) {
        line.text = error().message;
        line.state = State::Failed;
        line.remedy = Remedy::EditServer;
        return;
    }
    if (!lookup.error) {
        line.state = State::Done;
        line.text = spec().loginShellPath ? tr("found in the login shell's PATH") : tr("found");
        const QString canonical = QFileInfo(lookup.path).canonicalFilePath();
        line.detail = canonical.isEmpty() || canonical == lookup.path
                          ? shortPath(lookup.path)
                          : shortPath(lookup.path) + u" → "_s + shortPath(canonical);
        examineRuntime(lookup.path);
        return;
    }
    line.state = State::Failed;
    line.remedy = Remedy::EditServer;
    QStringList folders = lookup.searchPath.split(QDir::listSeparator(), Qt::SkipEmptyParts);
    folders.removeDuplicates();
    const bool isPath = QDir::fromNativeSeparators(options.program).contains(u'/');
    QString there =
        isPath ? QDir::cleanPath(QDir(effectiveDirectory(options)).absoluteFilePath(options.program)) : QString();
    for (const QString &folder : std::as_const(folders)) {
        const QString candidate = folder + u'/' + options.program;
        if (there.isEmpty() && QDir::isAbsolutePath(folder) && QFileInfo(candidate).isFile())
            there = candidate;
    }
    const QFileInfo info(there);
    if (!there.isEmpty() && info.exists()) {
        line.text = info.isDir() ? tr("%1 is a directory").arg(shortPath(there))
                                 : tr("%1 is not executable").arg(shortPath(there));
        line.detail = permissionText(info.permissions()) + u' ' + info.owner() + u' ' + shortPath(there);
        line.note = lookup.error.hint;
        return;
    }
    if (isPath) {
        line.text = tr("%1 does not exist").arg(shortPath(there));
        return;
    }
    line.text = counted(folders.size(), tr("not found in 1 directory"), tr("not found in %1 directories"));
    QStringList shown;
    for (const QString &folder : std::as_const(folders))
        shown.append(shortPath(folder));
    line.detail = shown.join(u' ');
    const bool isOwnPath = std::any_of(spec().environment.begin(), spec().environment.end(),
                                       [](const auto &entry) { return entry.first == u"PATH"; });
    if (!spec().loginShellPath && !isOwnPath)
        askLoginShell(Kind::Program, options.program);
}

// Whether it finds the program that a line misses.
void ProcessExamination::askLoginShell(DoctorLine::Kind kind, const QString &program)
{
    begin();
    at(kind).note = tr("Asking your login shell for its PATH…");
    LoginShell::ask(this, [this, kind, program](const LoginShell::Path &answer) {
        DoctorLine &line = at(kind);
        line.ms = qMax<qint64>(line.ms, 0) + answer.ms;
        ServerSpec asked = spec();
        asked.loginShellPath = true;
        StdioOptions options = stdioOptions(asked);
        options.program = program;
        const ProgramLookup lookup = answer.error ? ProgramLookup() : findProgram(options);
        if (answer.error) {
            line.note = answer.error.message;
        } else if (lookup.error) {
            line.note = tr("Your login shell does not find it either.") + u' ' + lookup.error.hint;
        } else {
            line.note = tr("Your login shell finds it: %1").arg(shortPath(lookup.path));
            line.remedy = Remedy::UseLoginShellPath;
        }
        end();
    });
}

// Whether a process came of it, whatever happened to it then.
bool ProcessExamination::wasOpened() const
{
    const auto &steps = connection().startSteps();
    const auto open = std::find_if(steps.begin(), steps.end(),
                                   [](const StartStep &step) { return step.kind == StartStep::Kind::Open; });
    return open != steps.end() && open->state == Step::State::Done;
}

void ProcessExamination::examineRuntime(const QString &program)
{
    const std::optional<QStringList> words = interpreterOf(program);
    if (!words)
        return examineBinary(program);
    DoctorLine &line = at(Kind::Runtime);
    line.detail = u"#!"_s + visibleLine(words->join(u' '), 120);
    const auto fail = [&line](const QString &text, const QString &note = {}) {
        line.state = State::Failed;
        line.text = text;
        line.note = note;
        line.remedy = Remedy::EditServer;
    };
    if (words->isEmpty())
        return fail(tr("the first line of the script names no interpreter"));
    if (words->constLast().endsWith(u'\r'))
        return fail(tr("the first line of the script ends with a carriage return (Windows line ends)"));
    const bool isEnv = QFileInfo(words->constFirst()).fileName() == u"env";
    if (!isEnv && !QDir::isAbsolutePath(words->constFirst()))
        return fail(tr("the script wants “%1”, which is not a full path").arg(visibleLine(words->constFirst(), 80)),
                    tr("Write “#!/usr/bin/env %1”.").arg(visibleLine(words->constFirst(), 80)));
    // Linux makes one argument of all that follows.
    if (isEnv && error() && words->size() > 2 && !words->at(1).startsWith(u'-')) {
        const QString command = visibleLine(words->mid(1).join(u' '), 80);
        return fail(tr("env looks for a program with the name “%1”").arg(command),
                    tr("Write “#!/usr/bin/env -S %1”.").arg(command));
    }
    StdioOptions options = stdioOptions(spec());
    const auto named = std::find_if(words->begin() + 1, words->end(),
                                    [](const QString &word) { return !word.startsWith(u'-') && !word.contains(u'='); });
    options.program = isEnv && named != words->end() ? *named : words->constFirst();
    const ProgramLookup lookup = findProgram(options);
    if (lookup.error) {
        fail(isEnv ? tr("the script wants “%1”, which is not in PATH").arg(visibleLine(options.program, 80))
                   : tr("the script wants %1, which cannot be run").arg(visibleLine(options.program, 80)));
        if (isEnv && !spec().loginShellPath)
            askLoginShell(Kind::Runtime, options.program);
        return;
    }
    if (!versionArguments(lookup.path).isEmpty())
        runVersion(lookup.path);
    else if (!versionArguments(program).isEmpty())
        runVersion(program);  // a version manager's stand-in, for example
    else
        settle(Kind::Runtime, State::Done, shortPath(lookup.path));
}

void ProcessExamination::examineBinary(const QString &program)
{
    if (error() && !wasOpened()) {
        if (const Error problem = problemOfBinary(program)) {
            settle(Kind::Runtime, State::Failed, problem.message);
            at(Kind::Runtime).detail = shortPath(program);
            at(Kind::Runtime).note = problem.hint;
            at(Kind::Runtime).remedy = Remedy::EditServer;
            return;
        }
    }
    if (versionArguments(program).isEmpty())
        settle(Kind::Runtime, State::Skipped, tr("native program"));
    else
        runVersion(program);
}

// What the same environment and folder make of it.
void ProcessExamination::runVersion(const QString &program)
{
    // It may have come into the way only since the start.
    const ConnectionOptions &connected = connection().options();
    const auto &approvals = connected.profile.approvals;
    if (approvals && approvals->question(connected.approvalNameOf(spec()), launchLines(spec())))
        return settle(Kind::Runtime, State::Done, shortPath(program));
    begin(Kind::Runtime, tr("asking %1 for its version…").arg(QFileInfo(program).fileName()));
    StdioOptions options = stdioOptions(spec());
    options.program = program;
    options.arguments = versionArguments(program);
    auto *run = new BriefRun(options, VersionMs, this);
    connect(run, &BriefRun::finished, this, [this, run, program](const BriefRun::Result &result) {
        run->setParent(nullptr);
        run->deleteLater();
        DoctorLine &line = at(Kind::Runtime);
        line.ms = result.ms;
        const QByteArrayList said = result.output.isEmpty() ? result.errorOutput : result.output;
        const QString first = said.isEmpty() ? QString() : visibleLine(QString::fromUtf8(said.constFirst()), 80);
        const QString name = QFileInfo(program).fileName();
        if (result.error || result.exitCode != 0)
            settle(Kind::Runtime, State::Warning,
                   result.error ? result.error.message
                                : tr("%1 did not report its version (exit code %2)").arg(name).arg(result.exitCode));
        else
            judgeRuntime(name, first);
        if (line.detail.isEmpty())
            line.detail = shortPath(program);
        end();
    });
}

void ProcessExamination::judgeRuntime(const QString &name, const QString &version)
{
    const OldestRuntime *oldest = oldestOf(name);
    if (!oldest || !isOlder(version, *oldest))
        return settle(Kind::Runtime, State::Done, name + u' ' + version);
    const QString needed =
        u"%1 %2.%3"_s.arg(oldest->name, QString::number(oldest->major), QString::number(oldest->minor));
    if (!report().said.isEmpty() && isUnknownToRuntime(report().said)) {
        settle(Kind::Runtime, State::Failed, tr("%1 %2 is too old for this program").arg(name, version));
        at(Kind::Runtime).note =
            tr("Install %1 or later, or give the full path of a newer one in the command.").arg(needed);
        at(Kind::Runtime).remedy = Remedy::EditServer;
    } else {
        settle(Kind::Runtime, State::Warning,
               tr("%1 %2; the official SDK needs %3 or later").arg(name, version, needed));
    }
}

void ProcessExamination::examineStart()
{
    if (report().firstFailure())
        return;
    const StartRecords records = StartRecords::in(*connection().session());
    const bool isConnected = connection().state() == Connection::State::Connected;
    DoctorLine &start = at(Kind::Start);
    const bool wasStarted = isConnected || records.exit || records.messages + records.errorLines > 0 || wasOpened();
    if (!wasStarted) {
        start.state = State::Failed;
        start.text = error().message;
        start.note = error().hint;
        start.remedy = Remedy::EditServer;
        return;
    }
    const EventFacts exit = records.exit.value_or(EventFacts());
    const qint64 signal = exit.signal.value_or(0);
    const qint64 code = exit.exitCode.value_or(0);
    // Otherwise Sonde ended it, after it had failed in another way.
    const bool hasEnded = !isConnected && records.exit && error().kind == Error::Kind::Transport;
    if (hasEnded && signal != 0) {
        start.state = State::Failed;
        start.text =
            (hadHandshake(connection()) ? tr("terminated by %1 (%2) after the handshake") : tr("terminated by %1 (%2)"))
                .arg(signalName(int(signal)), signalMeaning(int(signal)));
    } else if (hasEnded) {
        start.state = State::Failed;
        start.text = (hadHandshake(connection()) ? tr("exited with code %1 after the handshake")
                                                 : tr("exited with code %1 before the handshake"))
                         .arg(code);
        start.note = exitCodeHint(int(code));
    } else {
        start.state = State::Done;
        start.text = connection().processId() > 0 ? tr("process %1 is running").arg(connection().processId())
                                                  : tr("the process ran");
    }
    if (start.state == State::Failed)
        start.remedy = Remedy::EditServer;

    DoctorLine &output = at(Kind::Output);
    QStringList parts;
    parts << (records.messages == 0 ? tr("no message on standard output")
                                    : counted(records.messages, tr("1 message on standard output"),
                                              tr("%1 messages on standard output")));
    if (records.junkLines > 0)
        parts << counted(records.junkLines, tr("1 line that is not a message"), tr("%1 lines that are not messages"));
    parts << (records.errorLines == 0
                  ? tr("nothing on standard error")
                  : counted(records.errorLines, tr("1 line on standard error"), tr("%1 lines on standard error")));
    output.state = records.junkLines > 0 || records.messages == 0 ? State::Warning : State::Done;
    output.text = parts.join(u", "_s);
    if (error() && (records.namesError || start.state == State::Failed))
        report().said = visibleLine(QString::fromUtf8(records.reasonLine.trimmed()), 200);
    const QByteArray &telling = records.junkLines > 0 && !records.namesError ? records.firstJunk : records.reasonLine;
    output.detail = visibleLine(QString::fromUtf8(telling), 200);
    const QString url =
        isConnected ? QString()
                    : listeningAt(connection().stderrTail().join(u'\n') + u'\n' + QString::fromUtf8(records.firstJunk));
    if (!url.isEmpty()) {
        output.state = State::Warning;
        output.note = tr("It reports that it listens at %1, so it may use HTTP rather than stdio. Start it "
                         "yourself and add that URL as a server, or add the argument that makes it use stdio.")
                          .arg(visibleLine(url, 120));
        output.remedy = Remedy::EditServer;
    }
}

}  // namespace sonde
