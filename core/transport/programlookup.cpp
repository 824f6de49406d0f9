// SPDX-License-Identifier: Apache-2.0
#include "core/transport/programlookup.h"

#include "core/transport/commandline.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QMap>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

extern char **environ;

namespace sonde {

namespace {
using namespace Qt::StringLiterals;

constexpr auto FallbackPath = "/usr/local/bin:/usr/bin:/bin";

bool isBaseVariable(const QByteArray &name)
{
    static constexpr std::array names{"HOME", "LOGNAME", "PATH",     "SHELL", "TERM",
                                      "USER", "LANG",    "LANGUAGE", "TZ",    "TMPDIR"};
    return std::any_of(names.begin(), names.end(), [&](const char *base) { return name == base; }) ||
           name.startsWith("LC_") || name.startsWith("XDG_");
}

QMap<QByteArray, QByteArray> environmentMap(const StdioOptions &options)
{
    QMap<QByteArray, QByteArray> map;
    for (char **entry = environ; entry && *entry; ++entry) {
        const QByteArrayView text(*entry);
        const qsizetype equals = text.indexOf('=');
        if (equals <= 0)
            continue;
        const QByteArray name = text.first(equals).toByteArray();
        const QByteArray value = text.sliced(equals + 1).toByteArray();
        if (options.inheritEnvironment || (isBaseVariable(name) && !value.startsWith("()")))
            map.insert(name, value);
    }
    if (!map.contains("PATH"))
        map.insert("PATH", FallbackPath);
    for (const auto &[name, value] : options.environment)
        map.insert(QFile::encodeName(name), QFile::encodeName(value));
    return map;
}

Error localError(const QString &message, const QString &detail = {}, const QString &hint = {})
{
    return {Error::Kind::Local, 0, message, detail, hint, {}};
}

bool canRun(const QFileInfo &file)
{
    return file.isFile() && ::access(QFile::encodeName(file.filePath()).constData(), X_OK) == 0;
}

Error notExecutable(const QString &path)
{
    const QFileInfo file(path);
    if (file.isDir())
        return localError(StdioTransport::tr("“%1” is a directory, not a program.").arg(path));
    return localError(StdioTransport::tr("“%1” was found but is not executable.").arg(path), {},
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
    return StdioTransport::tr(
        "Write the program's full path, or add its directory to PATH in this server's "
        "environment.");
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

QList<QByteArray> effectiveEnvironment(const StdioOptions &options)
{
    const QMap<QByteArray, QByteArray> map = environmentMap(options);
    QList<QByteArray> entries;
    for (auto it = map.begin(); it != map.end(); ++it)
        entries += it.key() + '=' + it.value();
    return entries;
}

EnvironmentFacts environmentFacts(const StdioOptions &options)
{
    const QMap<QByteArray, QByteArray> map = environmentMap(options);
    const auto isSet = [&options](const QByteArray &name) {
        return std::any_of(options.environment.begin(), options.environment.end(),
                           [&name](const auto &entry) { return QFile::encodeName(entry.first) == name; });
    };
    EnvironmentFacts facts;
    for (auto it = map.begin(); it != map.end(); ++it) {
        if (isBaseVariable(it.key()) || isSet(it.key()))
            facts.variables.append({it.key(), it.value()});
        else
            facts.inherited.append(QFile::decodeName(it.key()));
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
    lookup.searchPath = QFile::decodeName(environmentMap(options).value("PATH"));
    const QString &program = options.program;
    if (program.isEmpty()) {
        lookup.error = localError(StdioTransport::tr("No program is given."));
        return lookup;
    }
    if (program.contains(u'/')) {
        const QString path = QDir::cleanPath(QDir(effectiveDirectory(options)).absoluteFilePath(program));
        if (canRun(QFileInfo(path)))
            lookup.path = path;
        else if (QFileInfo::exists(path))
            lookup.error = notExecutable(path);
        else
            lookup.error = localError(StdioTransport::tr("There is no file “%1”.").arg(path), {},
                                      program.startsWith(u'~') ? notFoundHint(program) : QString());
        return lookup;
    }
    QString unusable;
    QStringList refused;
    const QStringList directories = lookup.searchPath.split(u':');
    for (const QString &directory : directories) {
        // A relative entry, which an empty one is too, would run what lies in the working directory.
        if (!directory.startsWith(u'/')) {
            refused += u'“' + directory + u'”';
            continue;
        }
        const QString path = QDir::cleanPath(directory + u'/' + program);
        if (canRun(QFileInfo(path))) {
            lookup.path = path;
            return lookup;
        }
        if (unusable.isEmpty() && QFileInfo::exists(path) && !QFileInfo(path).isDir())
            unusable = path;
    }
    lookup.error = !unusable.isEmpty() ? notExecutable(unusable)
                                       : localError(StdioTransport::tr("“%1” was not found on this PATH.").arg(program),
                                                    {}, notFoundHint(program));
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
        return fail(localError(StdioTransport::tr("The command or its environment holds a NUL character.")));
    for (const auto &[name, value] : options.environment) {
        if (name.isEmpty() || name.contains(u'='))
            return fail(
                localError(StdioTransport::tr("“%1” cannot be the name of an environment variable.").arg(name)));
    }
    ProgramLookup lookup = findProgram(options);
    if (lookup.error)
        return fail(std::move(lookup.error));
    plan.program = lookup.path;
    const QFileInfo directory(plan.directory);
    if (!directory.exists())
        return fail(localError(StdioTransport::tr("The working directory “%1” does not exist.").arg(plan.directory)));
    if (!directory.isDir())
        return fail(
            localError(StdioTransport::tr("The working directory “%1” is not a directory.").arg(plan.directory)));

    plan.spawn.program = QFile::encodeName(plan.program);
    plan.spawn.directory = QFile::encodeName(plan.directory);
    plan.spawn.environment = effectiveEnvironment(options);
    plan.spawn.arguments += QFile::encodeName(options.program);
    for (const QString &argument : options.arguments)
        plan.spawn.arguments += QFile::encodeName(argument);
    return plan;
}

Error launchError(const StdioOptions &options, const LaunchPlan &plan, ChildProcess::Stage stage, int errorNumber)
{
    const QString reason = QString::fromLocal8Bit(std::strerror(errorNumber));
    QString message;
    QString hint;
    if (stage == ChildProcess::Stage::Directory) {
        message = StdioTransport::tr("The working directory “%1” cannot be entered: %2.").arg(plan.directory, reason);
    } else if (stage == ChildProcess::Stage::Fork) {
        message = StdioTransport::tr("No process could be started: %1.").arg(reason);
    } else if (errorNumber == ENOENT) {
        message = StdioTransport::tr("“%1” is there, but the interpreter it names in its first line is not.")
                      .arg(plan.program);
        hint = StdioTransport::tr("Look at its “#!” line.");
    } else if (errorNumber == ENOEXEC) {
        message = StdioTransport::tr("“%1” is not a program that this system can run.").arg(plan.program);
        hint = StdioTransport::tr("A script needs a first line such as “#!/bin/sh”.");
    } else if (errorNumber == E2BIG) {
        message = StdioTransport::tr("The command line and environment of “%1” are too long.").arg(plan.program);
    } else {
        message = StdioTransport::tr("“%1” could not be started: %2.").arg(plan.program, reason);
    }
    return localError(message, launchDetail(plan, options), hint);
}

QString launchDetail(const LaunchPlan &plan, const StdioOptions &options)
{
    const QString program = plan.program.isEmpty() ? options.program : plan.program;
    return StdioTransport::tr("Command: %1\nWorking directory: %2")
        .arg(joinCommandLine(QStringList{program} + options.arguments), plan.directory);
}

}  // namespace sonde
