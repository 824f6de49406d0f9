// Bytes as the text of a JSON string and back, exactly.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>

namespace sonde {

// Length of the well-formed UTF-8 sequence at `at` (Unicode 15, table 3-7), or 0.
int utf8Length(const char *at, const char *end);

// Appends the bytes, escaped, without quotes. False when they are not UTF-8: out is then as it was.
bool appendEscaped(QByteArray &out, QByteArrayView bytes);

// The opposite, into a buffer that is reused. False when the text is no content of a JSON string.
// isOwn: set to whether appendEscaped() would write the same, apart from the case of hexadecimal digits.
bool unescape(QByteArrayView text, QByteArray &out, bool *isOwn = nullptr);

}  // namespace sonde
