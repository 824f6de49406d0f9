// The scripts with which shells complete command lines of sonde-cli. Each asks this program again at each key.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStringList>

namespace sonde::cli {

QStringList shellNames();
QString completionScript(const QString &shell);  // one of these

}  // namespace sonde::cli
