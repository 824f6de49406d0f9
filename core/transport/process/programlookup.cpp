// SPDX-License-Identifier: Apache-2.0
#include "core/transport/process/programlookup.h"

#include "core/transport/process/commandline.h"

#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

#include <algorithm>
#include <array>
#include <system_error>

namespace sonde {

namespace {
using namespace Qt::StringLiterals;

#ifdef Q_OS_WIN
constexpr auto FallbackPath = "C:\\Windows\\System32;C:\\Windows";
#else
constexpr auto FallbackPath = "/usr/local/bin:/usr/bin:/bin";
#endif

bool isBaseVariable(const QString &name)
{
#ifdef Q_OS_WIN
    static constexpr std::array names{"APPDATA",      "COMSPEC",     "HOMEDRIVE",    "HOMEPATH",
                                      "LOCALAPPDATA", "PATH",        "PATHEXT",      "PROGRAMDATA",
                                      "SYSTEMDRIVE",  "SYSTEMROOT",  "TEMP",         "TMP",
                                      "USERNAME",     "USERPROFILE", "PROGRAMFILES", "PROCESSOR_ARCHITECTURE"};
    constexpr Qt::CaseSensitivity sensitivity = Qt::CaseInsensitive;
#else
    static constexpr std::array names{"HOME", "LOGNAME", "PATH",     "SHELL", "TERM",
                                      "USER", "LANG",    "LANGUAGE", "TZ",    "TMPDIR"};
    constexpr Qt::CaseSensitivity sensitivity = Qt::CaseSensitive;
#endif
    return std::any_of(names.begin(), names.end(),
                       [&](const char *base) { return name.compare(QLatin1String(base), sensitivity) == 0; }) ||
           name.startsWith("LC_"_L1) || name.startsWith("XDG_"_L1);
}

Error notExecutable(const QString &path)
{
    const QFileInfo file(path);
    if (file.isDir())
        return Error::local(StdioTransport::tr("“%1” is a directory, not a program.").arg(path));
    return Error::local(
        StdioTransport::tr("“%1” was found but is not executable.").arg(path),
        StdioTransport::tr("Make it executable (chmod +x), or start it through its interpreter, such as "
                           "“node” or “python3”."));
}

QString notFoundHint(const QString &program)
{
    if (program.startsWith(u'~'))
        return StdioTransport::tr("“~” is not expanded. Write the full path.");
    if (program == "npx"_L1 || program == "npm"_L1 || program == "node"_L1)
        return StdioTransport::tr(
                   "Install Node.js, or add the directory that holds “%1” to PATH in this server's "
                   "environment (version managers such as nvm set it for terminals only).")
            .arg(program);
    if (program == "uvx"_L1 || program == "uv"_L1)
        return StdioTransport::tr(
                   "Install uv, or add the directory that holds “%1” (often ~/.local/bin, written in "
                   "full) to PATH in this server's environment.")
            .arg(program);
    return StdioTransport::tr("Enter the full path, or add its directory to PATH in this server's environment.");
}

bool holdsNul(const StdioOptions &options)
{
    const auto bad = [](const QString &text) { return text.contains(QChar(0)); };
    return bad(options.program) || bad(options.workingDirectory) ||
           std::any_of(options.arguments.begin(), options.arguments.end(), bad) ||
           std::any_of(options.environment.begin(), options.environment.end(),
                       [&](const auto &entry) { return bad(entry.first) || bad(entry.second); });
}
}  // namespace

QProcessEnvironment effectiveEnvironment(const StdioOptions &options)
{
    // What is not removed keeps its bytes, which may be in no encoding at all.
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    const auto isKept = [&](const QString &name) {
        return options.inheritEnvironment || (isBaseVariable(name) && !environment.value(name).startsWith("()"_L1));
    };
    const QStringList names = environment.keys();
    for (const QString &name : names) {
        if (!isKept(name))
            environment.remove(name);
    }
    // A name in no encoding cannot be removed: nothing but what is named here may stay.
    const QStringList left = environment.keys();
    if (!std::all_of(left.begin(), left.end(), isKept)) {
        QProcessEnvironment named;
        for (const QString &name : left) {
            if (isKept(name))
                named.insert(name, environment.value(name));
        }
        environment = named;
    }
    if (!options.loginShellPath.isEmpty())
        environment.insert(u"PATH"_s, options.loginShellPath);
    if (!environment.contains(u"PATH"_s))
        environment.insert(u"PATH"_s, QString::fromLatin1(FallbackPath));
    for (const auto &[name, value] : options.environment)
        environment.insert(name, value);
    return environment;
}

EnvironmentFacts environmentFacts(const StdioOptions &options)
{
    const QProcessEnvironment environment = effectiveEnvironment(options);
    const auto isSet = [&options](const QString &name) {
        return std::any_of(options.environment.begin(), options.environment.end(),
                           [&name](const auto &entry) { return entry.first == name; });
    };
    EnvironmentFacts facts;
    QStringList names = environment.keys();
    names.sort();
    for (const QString &name : std::as_const(names)) {
        if (isBaseVariable(name) || isSet(name))
            facts.variables.append({name.toUtf8(), environment.value(name).toUtf8()});
        else
            facts.inherited.append(name);
    }
    return facts;
}

QString effectiveDirectory(const StdioOptions &options)
{
    return QDir::cleanPath(QDir::home().absoluteFilePath(options.workingDirectory));
}

ProgramLookup findProgram(const StdioOptions &options)
{
    ProgramLookup lookup;
    lookup.searchPath = effectiveEnvironment(options).value(u"PATH"_s);
    const QString &program = options.program;
    if (program.isEmpty()) {
        lookup.error = Error::local(StdioTransport::tr("No program is given."));
        return lookup;
    }
    if (QDir::fromNativeSeparators(program).contains(u'/')) {
        const QString path = QDir::cleanPath(QDir(effectiveDirectory(options)).absoluteFilePath(program));
        lookup.path = QStandardPaths::findExecutable(path);
        if (!lookup.path.isEmpty())
            return lookup;
        if (QFileInfo::exists(path))
            lookup.error = notExecutable(path);
        else
            lookup.error = Error::local(StdioTransport::tr("File “%1” does not exist.").arg(path),
                                        program.startsWith(u'~') ? notFoundHint(program) : QString());
        return lookup;
    }
    QString unusable;
    QStringList refused;
    const QStringList directories = lookup.searchPath.split(QDir::listSeparator());
    for (const QString &directory : directories) {
        // A relative entry, which an empty one is too, would run what lies in the working directory.
        if (!QDir::isAbsolutePath(directory)) {
            refused += u'“' + directory + u'”';
            continue;
        }
        lookup.path = QStandardPaths::findExecutable(program, {directory});
        if (!lookup.path.isEmpty())
            return lookup;
        const QString path = QDir::cleanPath(directory + u'/' + program);
        if (unusable.isEmpty() && QFileInfo::exists(path) && !QFileInfo(path).isDir())
            unusable = path;
    }
    lookup.error = !unusable.isEmpty() ? notExecutable(unusable)
                                       : Error::local(StdioTransport::tr("“%1” was not found in PATH.").arg(program),
                                                      notFoundHint(program));
    lookup.error.detail = "PATH: "_L1 + lookup.searchPath;
    if (!refused.isEmpty()) {
        lookup.error.detail +=
            u'\n' + StdioTransport::tr("Relative entries are never searched: %1").arg(refused.join(", "_L1));
    }
    return lookup;
}

LaunchPlan planLaunch(const StdioOptions &options)
{
    LaunchPlan plan;
    plan.directory = effectiveDirectory(options);
    const auto fail = [&](Error error) {
        plan.error = std::move(error);
        const QString about = launchDetail(plan, options);
        plan.error.detail = plan.error.detail.isEmpty() ? about : about + u'\n' + plan.error.detail;
        return plan;
    };
    if (holdsNul(options))
        return fail(Error::local(StdioTransport::tr("The command or its environment contains a NUL character.")));
    for (const auto &[name, value] : options.environment) {
        if (name.isEmpty() || name.contains(u'='))
            return fail(Error::local(StdioTransport::tr("“%1” is not a valid environment variable name.").arg(name)));
    }
    ProgramLookup lookup = findProgram(options);
    if (lookup.error)
        return fail(std::move(lookup.error));
    plan.program = lookup.path;
    const QFileInfo directory(plan.directory);
    if (!directory.exists())
        return fail(Error::local(StdioTransport::tr("The working directory “%1” does not exist.").arg(plan.directory)));
    if (!directory.isDir())
        return fail(
            Error::local(StdioTransport::tr("The working directory “%1” is not a directory.").arg(plan.directory)));

    plan.arguments = options.arguments;
    plan.environment = effectiveEnvironment(options);
    return plan;
}

Error launchError(const StdioOptions &options, const LaunchPlan &plan, const QString &reason)
{
    // On Unix it ends with the name of the call that failed, and the system's own words: "execve: Permission denied".
    const QString call = reason.section(u": "_s, -2, -2);
    const QString words = reason.section(u": "_s, -1);
    const auto isExec = [&](std::errc code) {
        return call.startsWith("exec"_L1) && words == qt_error_string(int(code));
    };
    QString message;
    QString hint;
    if (call == "chdir"_L1) {
        message = StdioTransport::tr("Cannot change to the working directory “%1”: %2.").arg(plan.directory, words);
    } else if (isExec(std::errc::no_such_file_or_directory)) {
        message = StdioTransport::tr("“%1” exists, but the interpreter in its first line does not.").arg(plan.program);
        hint = StdioTransport::tr("Check its “#!” line.");
    } else if (isExec(std::errc::executable_format_error)) {
        message = StdioTransport::tr("“%1” cannot be run on this system.").arg(plan.program);
        hint = StdioTransport::tr("A script needs a first line such as “#!/bin/sh”.");
    } else if (isExec(std::errc::argument_list_too_long)) {
        message = StdioTransport::tr("The command line and environment of “%1” are too long.").arg(plan.program);
    } else {
        message = StdioTransport::tr("“%1” could not be started: %2.").arg(plan.program, words);
    }
    return Error::of(Error::Kind::Local, message, launchDetail(plan, options), hint);
}

QString launchDetail(const LaunchPlan &plan, const StdioOptions &options)
{
    const QString program = plan.program.isEmpty() ? options.program : plan.program;
    return StdioTransport::tr("Command: %1\nWorking directory: %2")
        .arg(joinCommandLine(QStringList{program} + options.arguments), plan.directory);
}

}  // namespace sonde
