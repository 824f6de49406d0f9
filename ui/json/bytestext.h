// Bytes as readable text.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QString>

namespace sonde::ui {

bool isValidUtf8(QByteArrayView bytes);
// Decodes without dropping a byte order mark; invalid UTF-8 becomes U+FFFD.
QString decodedUtf8(QByteArrayView bytes);
// "00000010  48 65 6c 6c 6f …  Hello"; a last line says how many bytes are beyond maxBytes.
QByteArray hexDump(QByteArrayView bytes, int bytesPerLine = 16, qsizetype maxBytes = qsizetype(1) << 20);
int hexColumns(int bytesPerLine);  // of a line of it

}  // namespace sonde::ui
