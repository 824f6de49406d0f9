// The meta-schemas of the two drafts, built in.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"

#include <QString>

namespace sonde::schema {

// By address without fragment; Missing for any other.
json::Value metaSchema(const QString &address);

}  // namespace sonde::schema
