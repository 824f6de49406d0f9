// What a filter could go on with.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/session/session.h"

#include <QStringList>

namespace sonde {

struct FilterCompletion {
    // The part of the text that a candidate takes the place of.
    qsizetype offset = 0;
    qsizetype length = 0;
    QStringList candidates;  // whole, quoted where they have to be; the likeliest first
};

// Fields, pointers into recent messages, operators, values and conjunctions that fit what stands before the cursor.
// session: where names and places are taken from; null for none.
FilterCompletion completeFilter(const QString &text, qsizetype cursor, const Session *session);

}  // namespace sonde
