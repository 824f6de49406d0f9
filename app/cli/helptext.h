// What sonde-cli --help prints.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStringList>

namespace sonde::cli {

QString helpText();
QStringList revisionNames();  // the newest first

}  // namespace sonde::cli
