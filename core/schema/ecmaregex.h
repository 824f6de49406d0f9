// Regular expressions as JSON Schema has them (ECMA-262), run by PCRE.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QRegularExpression>
#include <QString>
#include <optional>

namespace sonde::schema {

class EcmaRegex {
public:
    static constexpr qsizetype MaxTextLength = 100'000;  // longer ones are given up at once
    enum class Effort {
        Brief,  // some 20 µs, enough for nearly all patterns and texts
        Long,   // some milliseconds
    };

    EcmaRegex() = default;
    explicit EcmaRegex(const QString &pattern);

    QString error() const { return m_error; }  // why the pattern cannot be used, or empty
    // Anywhere in the text. Nothing when the attempt was given up: PCRE counts what it does and stops.
    std::optional<bool> matches(const QString &text, Effort effort = Effort::Long) const;

private:
    QRegularExpression m_brief;
    QRegularExpression m_long;
    QString m_error;
};

// The same pattern in PCRE's language; error tells what ECMA-262 does not allow.
QString pcreFromEcma(const QString &pattern, QString *error);

}  // namespace sonde::schema
