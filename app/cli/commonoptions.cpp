// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commonoptions.h"

#include "app/cli/texts.h"

#include <QDir>
#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace sonde::cli {
QString CommonOptions::title()
{
    return CliText::tr("Other options");
}

QList<app::Option> CommonOptions::rows()
{
    return {
        {u"--timeout SECONDS"_s, CliText::tr("max time to wait for each response (60)"), &timeout},
        {u"--yes"_s,
         CliText::tr("answer yes to what sonde-cli would ask: whether to start a saved server that was not "
                     "approved as it is now, and, at a terminal, whether to call a tool that says that it "
                     "may destroy something"),
         &isYes},
        {u"--json"_s, CliText::tr("print one JSON object for scripts"), &output.isJson},
        {u"--verbose"_s, CliText::tr("print the server's log messages to standard error"), &output.isVerbose},
    };
}

QString problemOfFolderOf(const QString &path)
{
    if (path.isEmpty() || QFileInfo(path).absoluteDir().exists())
        return {};
    return CliText::tr("folder %1 does not exist").arg(QFileInfo(path).absolutePath());
}

}  // namespace sonde::cli
