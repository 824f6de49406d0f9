// SPDX-License-Identifier: Apache-2.0
#include "ui/json/bytestext.h"

#include "core/protocol/numbertext.h"
#include "ui/json/textlines.h"

#include <QCoreApplication>
#include <QStringDecoder>

namespace sonde::ui {

namespace {
constexpr int OffsetDigits = 8;
constexpr int GroupedBytes = 8;
}  // namespace

bool isValidUtf8(QByteArrayView bytes)
{
    for (qsizetype i = 0; i < bytes.size();) {
        if (uchar(bytes[i]) < 0x80) {
            ++i;
            continue;
        }
        const CodePoint point = codePointAt(bytes, i);
        if (!point.valid)
            return false;
        i += point.length;
    }
    return true;
}

QString decodedUtf8(QByteArrayView bytes)
{
    QStringDecoder decoder(QStringDecoder::Utf8,
                           QStringDecoder::Flag::ConvertInitialBom | QStringDecoder::Flag::Stateless);
    return decoder(bytes);
}

int hexColumns(int bytesPerLine)
{
    return OffsetDigits + 1 + 3 * bytesPerLine + (bytesPerLine > GroupedBytes ? 1 : 0) + 2 + bytesPerLine;
}

QByteArray hexDump(QByteArrayView bytes, int bytesPerLine, qsizetype maxBytes)
{
    static const char digits[] = "0123456789abcdef";
    const qsizetype shown = qMin(bytes.size(), maxBytes);
    QByteArray dump;
    dump.reserve((shown / bytesPerLine + 2) * (hexColumns(bytesPerLine) + 2));
    for (qsizetype line = 0; line < shown; line += bytesPerLine) {
        for (int shift = 4 * (OffsetDigits - 1); shift >= 0; shift -= 4)
            dump += digits[(line >> shift) & 0xf];
        dump += ' ';
        for (qsizetype i = 0; i < bytesPerLine; ++i) {
            dump += i == GroupedBytes ? "  " : " ";
            if (line + i < shown) {
                dump += digits[uchar(bytes[line + i]) >> 4];
                dump += digits[uchar(bytes[line + i]) & 0xf];
            } else {
                dump += "  ";
            }
        }
        dump += "  ";
        for (qsizetype i = line; i < qMin(line + bytesPerLine, shown); ++i)
            dump += bytes[i] >= 0x20 && bytes[i] < 0x7f ? bytes[i] : '.';
        dump += '\n';
    }
    if (shown < bytes.size())
        dump += counted(bytes.size() - shown, QCoreApplication::translate("sonde::ui::BytesText", "… 1 more byte"),
                        QCoreApplication::translate("sonde::ui::BytesText", "… %1 more bytes"))
                    .toUtf8();
    return dump;
}

}  // namespace sonde::ui
