// Which name somebody meant who typed one that does not exist.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStringList>

namespace sonde::json {

// The name that differs least from the word: letters missing, added, wrong or swapped, about one in three at most, and
// upper and lower case do not count. The first of several; empty where none is that close.
QString closestName(const QString &word, const QStringList &names);

}  // namespace sonde::json
