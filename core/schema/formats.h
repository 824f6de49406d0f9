// The values of "format" and "contentMediaType".
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

// True also for a media type that is not known.
bool isOfMediaType(const QString &mediaType, const QByteArray &content);

}  // namespace sonde::schema
