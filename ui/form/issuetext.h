// Where a problem of the arguments is, and what it is, in words.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"
#include "core/json/pointer.h"

#include <QString>
#include <QStringList>

namespace sonde::ui {

class Draft;

// A place in words, one for each token: "objs", "item 40", "name". root: the value, which tells items from members.
QStringList placeWords(const json::Value &root, const json::Pointer &place);
QStringList placeWords(const Draft &draft);

// "“objs, item 40, name” is required"; only the message where there are no words.
QString issueText(const QStringList &words, const QString &message);

}  // namespace sonde::ui
