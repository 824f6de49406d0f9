// Where a problem of a value is, and what it is, in words.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"
#include "core/json/pointer.h"

#include <QString>
#include <QStringList>

namespace sonde {

// "item 40", by an index that begins with 0.
QString itemWord(qsizetype index);
// A place in words, one for each token: "objs", "item 40", "name". root: the value, which tells items from members.
QStringList placeWords(const json::Value &root, const json::Pointer &place);
// "objs, item 40, name". What is too long begins later: "…, name"; the last word is always there.
QString placeText(const QStringList &words, qsizetype maxLength);
// "“objs, item 40, name” is required"; only the message where there are no words.
QString issueText(const QStringList &words, const QString &message);

}  // namespace sonde
