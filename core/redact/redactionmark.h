// Where something was masked.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>

namespace sonde {

// A stretch of the stored text that stands for something that must not be stored.
struct RedactionMark {
    qsizetype offset = 0;
    qsizetype length = 0;
    QByteArray kind;       // lower-case letters, digits and '-'
    bool inFacts = false;  // the offset counts in `m` rather than in the payload
};

}  // namespace sonde
