// Bytes as something a person can read.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QString>

namespace sonde::ui {

bool isValidUtf8(QByteArrayView bytes);
// Decoded without dropping a byte order mark; what is no UTF-8 becomes U+FFFD.
QString decodedUtf8(QByteArrayView bytes);
// "00000010  48 65 6c 6c 6f …  Hello", sixteen bytes a line; what is beyond maxBytes is named in a last line.
QByteArray hexDump(QByteArrayView bytes, qsizetype maxBytes = qsizetype(1) << 20);

}  // namespace sonde::ui
