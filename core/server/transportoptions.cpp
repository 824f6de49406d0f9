// SPDX-License-Identifier: Apache-2.0
#include "core/server/transportoptions.h"

#include "core/transport/process/loginshell.h"

#include <QDir>

namespace sonde {

StdioOptions stdioOptions(const ServerSpec &spec)
{
    StdioOptions options;
    options.program = spec.command;
    options.arguments = spec.arguments;
    options.workingDirectory = spec.workingDirectory;
    if (spec.workingDirectory == u'~' || spec.workingDirectory.startsWith(u"~/"))
        options.workingDirectory = QDir::homePath() + spec.workingDirectory.mid(1);
    options.environment = spec.environment;
    options.inheritEnvironment = spec.inheritEnvironment;
    if (spec.loginShellPath)
        options.loginShellPath = LoginShell::known().path;
    return options;
}

HttpOptions httpOptions(const ServerSpec &spec)
{
    HttpOptions options;
    options.url = spec.url;
    for (const auto &[name, value] : spec.headers)
        options.headers.append({name.trimmed().toLatin1(), value.trimmed().toLatin1()});
    options.network = spec.network;
    return options;
}

}  // namespace sonde
