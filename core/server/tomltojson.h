// TOML as JSON, so that both are read in one way.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/error.h"

#include <QHash>

namespace sonde {

struct TextPlace {
    int line = 0;  // from 1
    int column = 0;
};

struct TomlText {
    QByteArray json;                   // members in the order of the text; dates and times as strings
    QHash<QString, TextPlace> places;  // of the tables within that one
};

// table: whose members' places are wanted. An Error has line and column in `code` and `bodyCode`.
Result<TomlText> tomlToJson(const QByteArray &text, const QString &table);

}  // namespace sonde
