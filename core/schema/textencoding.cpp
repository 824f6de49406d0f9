// SPDX-License-Identifier: Apache-2.0
#include "core/schema/textencoding.h"

#include "core/schema/texts.h"

#include <array>

using namespace Qt::StringLiterals;

namespace sonde::schema {

namespace {

constexpr qint8 NoDigit = -1;
using Digits = std::array<qint8, 128>;

constexpr Digits digitsOf(const char *alphabet, int bits)
{
    Digits digits{};
    digits.fill(NoDigit);
    for (int i = 0; i < 1 << bits; ++i) {
        const char c = alphabet[i];
        digits[size_t(c)] = qint8(i);
        if (bits < 6 && c >= 'A' && c <= 'Z')
            digits[size_t(c - 'A' + 'a')] = qint8(i);
    }
    return digits;
}

QString shownAt(QStringView text, qsizetype at)
{
    if (text.at(at).isHighSurrogate() && at + 1 < text.size())
        return text.sliced(at, 2).toString();
    const QChar c = text.at(at);
    return c.isPrint() && !c.isSurrogate() ? QString(c)
                                           : u"U+%1"_s.arg(int(c.unicode()), 4, 16, QLatin1Char('0')).toUpper();
}

}  // namespace

struct TextEncoding::Alphabet {
    enum class Padding { None, MayLack, Needed };
    constexpr Alphabet(const char *named, const char *all, int bitsOfEach, Padding padded)
        : name(named), characters(all), bits(bitsOfEach), padding(padded), digits(digitsOf(all, bitsOfEach))
    {}
    // The fewest characters that are whole bytes.
    constexpr int group() const { return bits == 4 ? 2 : bits == 5 ? 8 : 4; }
    constexpr bool skipsLineEnds() const { return bits == 6 && padding == Padding::Needed; }

    const char *name;
    const char *characters;
    int bits;  // of each character
    Padding padding;
    Digits digits;
};

std::optional<TextEncoding> TextEncoding::named(const QString &name)
{
    static constexpr Alphabet alphabets[] = {
        {"base64", "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", 6, Alphabet::Padding::Needed},
        {"base64url", "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", 6,
         Alphabet::Padding::MayLack},
        {"base32", "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 5, Alphabet::Padding::Needed},
        {"base32hex", "0123456789ABCDEFGHIJKLMNOPQRSTUV", 5, Alphabet::Padding::Needed},
        {"base16", "0123456789ABCDEF", 4, Alphabet::Padding::None},
        {"hex", "0123456789ABCDEF", 4, Alphabet::Padding::None},
    };
    for (const Alphabet &alphabet : alphabets) {
        if (name.compare(QLatin1String(alphabet.name), Qt::CaseInsensitive) == 0)
            return TextEncoding(&alphabet);
    }
    return std::nullopt;
}

QByteArray TextEncoding::encoded(const QByteArray &bytes) const
{
    const int bits = m_alphabet->bits;
    QByteArray text;
    text.reserve(bytes.size() * 8 / bits + m_alphabet->group());
    quint32 pending = 0;
    int count = 0;  // bits in pending
    for (const char byte : bytes) {
        pending = pending << 8 | uchar(byte);
        for (count += 8; count >= bits; count -= bits)
            text += m_alphabet->characters[pending >> (count - bits) & ((1U << bits) - 1)];
    }
    if (count > 0)
        text += m_alphabet->characters[pending << (bits - count) & ((1U << bits) - 1)];
    while (m_alphabet->padding == Alphabet::Padding::Needed && text.size() % m_alphabet->group() != 0)
        text += '=';
    return text;
}

// Bits behind the last byte are ignored, as the RFC allows.
TextEncoding::Decoded TextEncoding::decoded(QStringView text) const
{
    const int bits = m_alphabet->bits;
    Decoded decoded;
    decoded.bytes.reserve(text.size() * bits / 8);
    quint32 pending = 0;
    int count = 0;  // bits in pending
    qsizetype digits = 0;
    qsizetype padding = 0;
    for (qsizetype at = 0; at < text.size(); ++at) {
        const char16_t c = text.at(at).unicode();
        if (m_alphabet->skipsLineEnds() && (c == u'\n' || c == u'\r'))
            continue;
        if (c == u'=' && m_alphabet->padding != Alphabet::Padding::None) {
            ++padding;
            continue;
        }
        const qint8 digit = c < m_alphabet->digits.size() ? m_alphabet->digits[c] : NoDigit;
        if (digit == NoDigit) {
            decoded.problem = SchemaText::tr("character %1, “%2”, is not allowed").arg(at + 1).arg(shownAt(text, at));
            return decoded;
        }
        if (padding > 0) {
            decoded.problem = SchemaText::tr("character %1 is behind the padding").arg(at + 1);
            return decoded;
        }
        ++digits;
        pending = pending << bits | quint32(digit);
        count += bits;
        if (count >= 8) {
            count -= 8;
            decoded.bytes += char(pending >> count);
        }
    }
    const qsizetype needed = (m_alphabet->group() - digits % m_alphabet->group()) % m_alphabet->group();
    const bool mayLack = m_alphabet->padding != Alphabet::Padding::Needed && padding == 0;
    if (count >= bits)
        decoded.problem = SchemaText::tr("the last byte is incomplete");
    else if (padding != needed && !mayLack)
        decoded.problem = needed > 0 ? SchemaText::tr("it must end with “%1”").arg(QString(needed, u'='))
                                     : SchemaText::tr("it must not end with “=”");
    return decoded;
}

qint64 TextEncoding::bytesIn(qint64 characters) const
{
    return characters / m_alphabet->group() * m_alphabet->group() * m_alphabet->bits / 8;
}

}  // namespace sonde::schema
