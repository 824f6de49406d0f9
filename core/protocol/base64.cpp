// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/base64.h"

#include "core/protocol/texts.h"

#include <array>

namespace sonde {

namespace {

constexpr quint8 NoDigit = 255;

constexpr std::array<quint8, 256> makeDigits()
{
    std::array<quint8, 256> digits{};
    digits.fill(NoDigit);
    constexpr char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (quint8 i = 0; i < 64; ++i)
        digits[uchar(alphabet[i])] = i;
    // The alphabet of URLs is read too, and pointed out.
    digits[uchar('-')] = 62;
    digits[uchar('_')] = 63;
    return digits;
}

QString nameOf(uchar c)
{
    if (c > 0x20 && c < 0x7F)
        return ProtocolText::tr("'%1'").arg(QLatin1Char(char(c)));
    return ProtocolText::tr("byte 0x%1").arg(c, 2, 16, QLatin1Char('0'));
}

// The string's inside; without a copy when nothing in it is escaped.
QByteArray textOf(const json::Value &string)
{
    const QByteArrayView slice = string.slice();
    const bool plain = slice.size() >= 2 && slice.startsWith('"') && slice.endsWith('"') && !slice.contains('\\');
    return plain ? QByteArray::fromRawData(slice.data() + 1, slice.size() - 2) : string.string().toUtf8();
}

}  // namespace

// RFC 4648 section 4, and what is known of the ways around it: everything that can be decoded is, and the first thing
// that is wrong is said.
Decoded decodeBase64(const json::Value &string)
{
    static constexpr std::array<quint8, 256> digits = makeDigits();
    if (!string.isString())
        return {
            {},
            string.exists() ? ProtocolText::tr("The data is not a string.") : ProtocolText::tr("The data is missing.")};

    const QByteArray text = textOf(string);
    Decoded decoded;
    decoded.bytes.reserve(text.size() / 4 * 3 + 3);
    const auto complain = [&decoded](const QString &problem) {
        if (decoded.problem.isEmpty())
            decoded.problem = problem;
    };

    quint32 bits = 0;
    int count = 0;  // digits in bits
    qsizetype padding = 0;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const uchar c = uchar(text[i]);
        if (c == '=') {
            ++padding;
            continue;
        }
        const quint8 digit = digits[c];
        if (digit == NoDigit) {
            complain(ProtocolText::tr("Character %1 (%2) is not valid base64.").arg(i + 1).arg(nameOf(c)));
            continue;
        }
        if (c == '-' || c == '_')
            complain(
                ProtocolText::tr("Character %1 (%2) belongs to the base64url alphabet.").arg(i + 1).arg(nameOf(c)));
        if (padding > 0)
            complain(ProtocolText::tr("Data after the padding, at character %1.").arg(i + 1));
        bits = bits << 6 | digit;
        if (++count == 4) {
            const char bytes[] = {char(bits >> 16), char(bits >> 8), char(bits)};
            decoded.bytes.append(bytes, 3);
            bits = 0;
            count = 0;
        }
    }
    if (count == 1)
        complain(ProtocolText::tr("The data ends in the middle of a byte; it may be truncated."));
    else if (count == 0 ? padding != 0 : padding != 4 - count)
        complain(ProtocolText::tr("Incorrect '=' padding."));
    if (count >= 2)
        decoded.bytes.append(char(bits >> (count == 2 ? 4 : 10)));
    if (count == 3)
        decoded.bytes.append(char(bits >> 2));
    if ((count == 2 && (bits & 0xF) != 0) || (count == 3 && (bits & 0x3) != 0))
        complain(ProtocolText::tr("The last character has unused bits that are not zero."));
    return decoded;
}

}  // namespace sonde
