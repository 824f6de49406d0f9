// SPDX-License-Identifier: Apache-2.0
#include "ui/form/contentencoding.h"

#include "core/schema/formats.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::ui {

ContentEncoding encodingOf(const Shape &shape)
{
    const QString encoding = shape.text(u"contentEncoding").toLower();
    const QString format = shape.text(u"format");
    const bool isBytes = format == "byte"_L1 || format == "binary"_L1;
    const QString name = !encoding.isEmpty() ? encoding : isBytes ? u"base64"_s : format;
    if (name == "base64"_L1)
        return ContentEncoding::Base64;
    if (name == "base64url"_L1)
        return ContentEncoding::Base64Url;
    return name == "base16"_L1 ? ContentEncoding::Base16 : ContentEncoding::None;
}

QByteArray encoded(ContentEncoding encoding, const QByteArray &bytes)
{
    switch (encoding) {
        case ContentEncoding::None:
            break;
        case ContentEncoding::Base64:
            return bytes.toBase64();
        case ContentEncoding::Base64Url:
            return bytes.toBase64(QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals);
        case ContentEncoding::Base16:
            return bytes.toHex().toUpper();
    }
    return bytes;
}

std::optional<qsizetype> decodedSize(ContentEncoding encoding, const QString &text)
{
    if (encoding == ContentEncoding::Base16) {
        const auto isDigit = [](QChar c) {
            return (c >= u'0' && c <= u'9') || (c >= u'A' && c <= u'F') || (c >= u'a' && c <= u'f');
        };
        const bool isHex = text.size() % 2 == 0 && std::all_of(text.begin(), text.end(), isDigit);
        return isHex ? std::optional(text.size() / 2) : std::nullopt;
    }
    const QString name = encoding == ContentEncoding::Base64Url ? u"base64url"_s : u"base64"_s;
    const std::optional<QByteArray> bytes = schema::decodedContent(name, text);
    return bytes ? std::optional(bytes->size()) : std::nullopt;
}

}  // namespace sonde::ui
