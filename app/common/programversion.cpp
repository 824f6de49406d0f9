// SPDX-License-Identifier: Apache-2.0
#include "app/common/programversion.h"

using namespace Qt::StringLiterals;

namespace sonde::app {

QString versionLine(const QString &program)
{
    const QString built = *commit ? u" (%1)"_s.arg(QLatin1StringView(commit)) : QString();
    return program + QStringLiteral(" " SONDE_VERSION) + built + u'\n';
}

}  // namespace sonde::app
