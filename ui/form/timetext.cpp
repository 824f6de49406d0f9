// SPDX-License-Identifier: Apache-2.0
#include "ui/form/timetext.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr qsizetype MaxTimeText = 100;  // characters of a date with a time; fractions may have many digits

QString offsetText(int seconds)
{
    if (seconds == 0)
        return u"Z"_s;
    const int minutes = qAbs(seconds) / 60;
    return QChar(seconds < 0 ? u'-' : u'+') + QTime(minutes / 60, minutes % 60).toString(u"HH:mm"_s);
}

}  // namespace

std::optional<TimeText::Kind> TimeText::kindOf(const QString &format)
{
    if (format == "date"_L1)
        return Kind::Date;
    if (format == "time"_L1)
        return Kind::Time;
    return format == "date-time"_L1 ? std::optional(Kind::DateTime) : std::nullopt;
}

TimeText TimeText::fromText(Kind kind, const QString &text)
{
    static const QRegularExpression dateForm(u"^\\s*(\\d{4}-\\d\\d-\\d\\d)(?!\\d)"_s);
    static const QRegularExpression timeForm(
        u"^([Tt ]?)(\\d\\d:\\d\\d)(:\\d\\d)?(\\.\\d+)?(?:\\s*([Zz]|[+-]\\d\\d:\\d\\d))?\\s*$"_s);
    TimeText found;
    found.separator = u'T';
    QString rest = text.left(MaxTimeText);
    if (kind != Kind::Time) {
        const QRegularExpressionMatch match = dateForm.match(rest);
        found.date = QDate::fromString(match.captured(1), Qt::ISODate);
        rest.remove(0, match.capturedLength());
    }
    const QRegularExpressionMatch match = timeForm.match(kind == Kind::Time ? rest.trimmed() : rest);
    if (kind == Kind::Date || !match.hasMatch() || text.size() > MaxTimeText)
        return found;
    if (match.captured(1) == "t"_L1)
        found.separator = u't';
    const QString seconds = match.captured(3).isEmpty() ? u":00"_s : match.captured(3);
    const bool isLeap = seconds == ":60"_L1;
    found.time = QTime::fromString(match.captured(2) + (isLeap ? u":59"_s : seconds), u"HH:mm:ss"_s);
    if (found.time.isValid())
        found.clock = match.captured(2) + seconds + match.captured(4);
    found.offset = match.captured(5);
    return found;
}

QDateTime TimeText::now() const
{
    QDateTime now = QDateTime::currentDateTime();
    if (offset.size() > 1) {
        const int minutes = offset.mid(1, 2).toInt() * 60 + offset.mid(4, 2).toInt();
        now = now.toOffsetFromUtc((offset.startsWith(u'-') ? -60 : 60) * minutes);
    } else if (!offset.isEmpty()) {
        now = now.toUTC();
    }
    now.setTime(QTime(now.time().hour(), now.time().minute(), now.time().second()));
    return now;
}

QString TimeText::picked(Kind kind, const QDate &newDate, const QTime &newTime) const
{
    const QString day = newDate.toString(Qt::ISODate);
    if (kind == Kind::Date)
        return day;
    const bool isSameTime = time.isValid() && newTime.toString(u"HH:mm:ss"_s) == time.toString(u"HH:mm:ss"_s);
    const QString hour = (isSameTime ? clock : newTime.toString(u"HH:mm:ss"_s)) +
                         (offset.isEmpty() ? localOffset(newDate, newTime) : offset);
    return kind == Kind::Time ? hour : day + separator + hour;
}

QString localOffset(const QDate &date, const QTime &time)
{
    return offsetText(QDateTime(date.isValid() ? date : QDate::currentDate(), time).offsetFromUtc());
}

}  // namespace sonde::ui
