// The values of "format", "contentEncoding" and "contentMediaType".
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QString>
#include <optional>

namespace sonde::schema {

// Nothing for a format that is not known: then any text will do.
std::optional<bool> isOfFormat(const QString &format, const QString &text);
// A text of that format; empty for one that is not known.
QString exampleOfFormat(const QString &format);

// The bytes that a text of that encoding has; nothing when it is not of that encoding. One that is not known changes
// nothing.
std::optional<QByteArray> decodedContent(const QString &encoding, const QString &text);
// True also for a media type that is not known.
bool isOfMediaType(const QString &mediaType, const QByteArray &content);

}  // namespace sonde::schema
