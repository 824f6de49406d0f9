// Finding words in bytes without decoding them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArrayView>

namespace sonde::ui {

// The first occurrence at or after from, or -1. The needle is given in lower case; ASCII letters match either case.
qsizetype indexOfFolded(QByteArrayView text, QByteArrayView caseInsensitiveMatcher, qsizetype from = 0);

// The next occurrence from a place on, or before it, around the end. Case matters once the needle has a capital.
qsizetype findText(QByteArrayView text, QByteArrayView needle, qsizetype from, bool forward);

}  // namespace sonde::ui
