// From what a person typed to what the kernel is asked to run: program, environment, directory.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/process/stdiotransport.h"

#include <QProcessEnvironment>

namespace sonde {

// What the child gets. Without inheritEnvironment the base list is HOME, LOGNAME, PATH, SHELL, TERM,
// USER (the official SDKs' list), LANG, LANGUAGE, LC_*, TZ, TMPDIR and XDG_*: what a program needs to find its files
// and speak the person's language. DISPLAY, WAYLAND_DISPLAY, DBUS_SESSION_BUS_ADDRESS, SSH_AUTH_SOCK, proxies and
// everything that may be a secret stay out. Values that start with "()" are exported shell functions: left out too.
QProcessEnvironment effectiveEnvironment(const StdioOptions &options);
// The same for the record. Values of what comes from the person's own session are nobody's business but theirs.
struct EnvironmentFacts {
    QList<std::pair<QByteArray, QByteArray>> variables;  // the base list and what was set for this server
    QStringList inherited;                               // names of all others
};
EnvironmentFacts environmentFacts(const StdioOptions &options);
QString effectiveDirectory(const StdioOptions &options);

struct LaunchPlan {
    QString program;  // absolute
    QStringList arguments;
    QString directory;
    QProcessEnvironment environment;
    Error error;  // set: nothing can be started
};
LaunchPlan planLaunch(const StdioOptions &options);

// Why the kernel refused to run a program that was found, in words. reason: QProcess::errorString().
Error launchError(const StdioOptions &options, const LaunchPlan &plan, const QString &reason);

// "Command" and "Working directory" lines that go with every failure to start.
QString launchDetail(const LaunchPlan &plan, const StdioOptions &options);

}  // namespace sonde
