// Bytes within a string, as "contentEncoding" or "format" of a schema name it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/shape/shape.h"

#include <QByteArray>
#include <optional>

namespace sonde::ui {

enum class ContentEncoding { None, Base64, Base64Url, Base16 };

// OpenAPI's "byte" and "binary" count as base64: JSON has no other way to carry a file.
ContentEncoding encodingOf(const Shape &shape);
QByteArray encoded(ContentEncoding encoding, const QByteArray &bytes);
// How many bytes a text has; nothing where it is not of that encoding. Any thread.
std::optional<qsizetype> decodedSize(ContentEncoding encoding, const QString &text);

}  // namespace sonde::ui
