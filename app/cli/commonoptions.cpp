// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commonoptions.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace sonde::cli {
namespace {

struct CommonOptionsText {
    Q_DECLARE_TR_FUNCTIONS(sonde::cli)
};

}  // namespace

QString CommonOptions::title()
{
    return CommonOptionsText::tr("Other options");
}

QList<app::Option> CommonOptions::rows()
{
    return {
        {u"--timeout SECONDS"_s, CommonOptionsText::tr("max time to wait for each response (60)"), &timeout},
        {u"--yes"_s,
         CommonOptionsText::tr("answer yes to what sonde-cli would ask: whether to start a saved server that was not "
                               "approved as it is now, and, at a terminal, whether to call a tool that says that it "
                               "may destroy something"),
         &isYes},
        {u"--json"_s, CommonOptionsText::tr("print one JSON object for scripts"), &output.isJson},
        {u"--verbose"_s, CommonOptionsText::tr("print the server's log messages to standard error"), &output.isVerbose},
    };
}

QString problemOfFolderOf(const QString &path)
{
    if (path.isEmpty() || QFileInfo(path).absoluteDir().exists())
        return {};
    return CommonOptionsText::tr("folder %1 does not exist").arg(QFileInfo(path).absolutePath());
}

}  // namespace sonde::cli
