// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commonoptions.h"

#include "app/cli/texts.h"
#include "core/connection/connection.h"

#include <QDir>
#include <QFileInfo>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::cli {

QString CommonOptions::title()
{
    return CliText::tr("Common options");
}

QString CommonOptions::topic()
{
    return u"common-options"_s;
}

void CommonOptions::setTimeouts(ConnectionOptions *options, const ServerTimeouts &own) const
{
    options->take(own);
    if (!timeout)
        return;
    options->take({.request = timeout, .connection = timeout});
    // It must not end a call before the time that is given for one response.
    if (options->callOptions.maxTotal.count() > 0)
        options->callOptions.maxTotal = std::max(options->callOptions.maxTotal, *timeout);
}

QList<app::Option> CommonOptions::rows()
{
    return {
        {u"--json"_s, CliText::tr("print one JSON object for scripts"), &output.isJson},
        {u"--timeout SECONDS"_s,
         CliText::tr("maximum time to wait for each response (default: that in the settings of a saved server, or 60)"),
         &timeout},
        {u"--verbose"_s, CliText::tr("print the server's log messages on standard error"), &output.isVerbose},
        {u"--yes"_s,
         CliText::tr("answer yes to all questions: start a saved server that is new or has changed, and call a tool "
                     "that is annotated as destructive"),
         &isYes},
    };
}

app::Option CommonOptions::strictRow()
{
    return {u"--strict"_s,
            CliText::tr("findings fail the command (exit code 1); arguments that do not match what the server declares "
                        "are not sent (4)"),
            &output.isStrict};
}

QString problemOfFolderOf(const QString &path)
{
    if (path.isEmpty() || QFileInfo(path).absoluteDir().exists())
        return {};
    return CliText::tr("folder %1 does not exist").arg(QFileInfo(path).absolutePath());
}

}  // namespace sonde::cli
