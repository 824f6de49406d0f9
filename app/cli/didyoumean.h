// What to try instead of a name that does not exist.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/error.h"

#include <QStringList>

namespace sonde::cli {

// "Did you mean 'echo'?", safe to show; empty where no name is close to the word.
QString didYouMean(const QString &word, const QStringList &names);
// The same for a path that names nothing: among the entries of its folder.
QString didYouMeanFile(const QString &path);
// The text or the hint with a suggestion, on a line of its own. An empty one changes nothing.
QString withSuggestion(const QString &text, const QString &suggestion);
Error withSuggestion(Error error, const QString &suggestion);

}  // namespace sonde::cli
