// Lists of strings in the JSON that Sonde stores.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/builder.h"

#include <QStringList>

namespace sonde::json {

void addTexts(Builder &builder, QStringView key, const QStringList &texts);
QStringList textsIn(const Value &list);  // what is no string counts as an empty one; no list is an empty list

}  // namespace sonde::json
