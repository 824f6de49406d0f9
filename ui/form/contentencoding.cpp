// SPDX-License-Identifier: Apache-2.0
#include "ui/form/contentencoding.h"

using namespace Qt::StringLiterals;

namespace sonde::ui {

std::optional<schema::TextEncoding> encodingOf(const Shape &shape)
{
    const QString encoding = shape.text(u"contentEncoding");
    const QString format = shape.text(u"format");
    const bool isBytes = format == "byte"_L1 || format == "binary"_L1;
    return schema::TextEncoding::named(!encoding.isEmpty() ? encoding : isBytes ? u"base64"_s : format);
}

}  // namespace sonde::ui
