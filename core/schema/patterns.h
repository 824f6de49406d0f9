// The patterns of one schema: compiled once, and given up once.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/schema/ecmaregex.h"

#include <QHash>
#include <QMutex>

namespace sonde::schema {

// Usable from any thread. A pattern that took too long with one text is afterwards only tried briefly, so that it
// costs its time once and not at every key.
class Patterns {
public:
    struct Attempt {
        std::optional<bool> hit;  // nothing when it was given up, or the pattern cannot be used
        QString error;            // why the pattern cannot be used, or empty
        bool wasLong = false;     // more than the brief try
    };
    // mayTakeLong: false leaves it at the brief try.
    Attempt match(const QString &pattern, const QString &text, bool mayTakeLong);

private:
    struct Entry {
        EcmaRegex regex;
        bool isCostly = false;
    };
    QMutex m_mutex;
    QHash<QString, Entry> m_entries;
};

}  // namespace sonde::schema
