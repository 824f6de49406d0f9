// Where a cursor is in a JSON text that may be half typed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QStringList>

namespace sonde::ui {

struct JsonCaret {
    QStringList path;         // of the value at the cursor, or of the object whose member is named there
    bool isName = false;      // of a member
    bool isQuoted = false;    // within a string
    bool lacksComma = false;  // between the value before and this name
    bool hasColon = false;    // behind the name
    int from = 0;             // what is typed there: characters of the text, with the quotes
    int to = 0;
    QString typed;      // of that, what is before the cursor, without the quote
    QStringList names;  // of the members that the object has, without this one
};

// Reads the text up to the end of the object around the cursor. Its lines may end as those of a text box do, with
// U+2029.
JsonCaret jsonCaretAt(const QString &text, int at);

}  // namespace sonde::ui
