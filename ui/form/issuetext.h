// Where in a form a problem is, in words.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/shape/issuetext.h"

namespace sonde::ui {

class Draft;

using sonde::placeWords;
// The same of the value that the draft becomes.
QStringList placeWords(const Draft &draft);
// See FormIssue::path. Of a place that is not sent: that of the one around it.
QList<qsizetype> placePath(const Draft &draft);
QList<qsizetype> placePath(const json::Value &root, qsizetype offset);  // of the value that begins there
// The value there, or the innermost one around it.
json::Value valueAt(const json::Value &root, const QList<qsizetype> &path);

}  // namespace sonde::ui
