// JSON with comments and trailing commas, as some hosts allow it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>

namespace sonde {

struct RelaxedJson {
    QByteArray text;                // with blanks in their place: every offset and line is what it was
    qsizetype firstRelaxedAt = -1;  // of the first of them; -1: there is none
};

RelaxedJson strictJson(const QByteArray &text);

}  // namespace sonde
