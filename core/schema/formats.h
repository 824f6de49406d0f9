// The values of "format".
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <optional>

namespace sonde::schema {

// Nothing for a format that is not known: then any text will do.
std::optional<bool> isOfFormat(const QString &format, const QString &text);

}  // namespace sonde::schema
