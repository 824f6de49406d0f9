// SPDX-License-Identifier: Apache-2.0
#include "core/transport/exitwords.h"

#include <QCoreApplication>

#include <string.h>

namespace sonde {

using namespace Qt::StringLiterals;

QString signalName(int number)
{
    const char *abbreviation = ::sigabbrev_np(number);
    return abbreviation ? "SIG"_L1 + QLatin1String(abbreviation) : QString::number(number);
}

QString exitCodeHint(int code)
{
    if (code == 127)
        return QCoreApplication::translate("sonde::StdioTransport",
                                           "Code 127 usually means that a command inside a script was not found.");
    if (code == 126)
        return QCoreApplication::translate(
            "sonde::StdioTransport", "Code 126 usually means that a command inside a script could not be executed.");
    return {};
}

}  // namespace sonde
