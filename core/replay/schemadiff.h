// Whether a schema that changed still takes, or still promises, what it did.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/diff.h"

namespace sonde {

enum class Impact : quint8 {
    None,      // words only: titles, descriptions, examples
    Harmless,  // what conformed to the old one conforms to the new one
    Unknown,   // could be either: the keyword is not understood here
    Breaking
};

// Input: the client sends such values, so that a schema which takes less breaks. Output: the server sends them, so
// that one which promises less breaks.
enum class SchemaRole { Input, Output };

struct SchemaChange {
    json::Difference difference;  // its pointer leads into the schema
    Impact impact = Impact::Unknown;
};

// Compares what is written: a schema that says the same in other words is reported with Unknown, not proved equal.
QList<SchemaChange> compareSchemas(const json::Value &left, const json::Value &right, SchemaRole role);

}  // namespace sonde
