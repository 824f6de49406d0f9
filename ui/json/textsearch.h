// Finding words in bytes without decoding them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArrayView>

namespace sonde::ui {

// The next eventCode at or after a place, or the last one before it; wraps around. Case matters once the needle has a
// capital ASCII letter. -1: none.
qsizetype findText(QByteArrayView text, QByteArrayView needle, qsizetype from, bool forward);

}  // namespace sonde::ui
