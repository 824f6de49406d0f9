// A date, a time or both, as RFC 3339 writes them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDate>
#include <QDateTime>
#include <QString>
#include <QTime>

#include <optional>

namespace sonde::ui {

// What a text that may be incomplete says: "2026-11-27 9:00" has a date and no time.
struct TimeText {
    enum class Kind { Date, Time, DateTime };

    QDate date;       // invalid: none
    QTime time;       // in whole seconds, a leap second as the one before it; invalid: none
    QString clock;    // the time as it was typed, with seconds and fractions
    QString offset;   // as it was typed; empty: none
    QChar separator;  // "T", or "t" where that was typed

    // Of a "format"; none: it is not about time.
    static std::optional<Kind> kindOf(const QString &format);
    static TimeText fromText(Kind kind, const QString &text);
    QDateTime now() const;  // at that offset, in whole seconds
    // What was typed stays where it is not another date or time: fractions, a leap second, the offset. Without an
    // offset, that of this computer at that time is added.
    QString picked(Kind kind, const QDate &newDate, const QTime &newTime) const;
};

QString localOffset(const QDate &date, const QTime &time);  // of this computer: "Z", "+01:00"

}  // namespace sonde::ui
