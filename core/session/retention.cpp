// SPDX-License-Identifier: Apache-2.0
#include "core/session/retention.h"

#include <algorithm>

namespace sonde {

QList<SessionEntry> beyondRetention(const QList<SessionEntry> &entries, const RetentionRules &rules,
                                    const std::function<bool(const SessionEntry &)> &stays, const QDateTime &now)
{
    QList<SessionEntry> oldestFirst;
    qint64 bytes = 0;
    for (const SessionEntry &entry : entries) {
        if (!entry.problem.isEmpty())
            continue;
        oldestFirst.append(entry);
        bytes += entry.size;
    }
    std::stable_sort(oldestFirst.begin(), oldestFirst.end(), [](const SessionEntry &left, const SessionEntry &right) {
        return left.createdAt < right.createdAt;
    });
    qint64 count = oldestFirst.size();
    QList<SessionEntry> beyond;
    for (const SessionEntry &entry : std::as_const(oldestFirst)) {
        const bool isTooOld = rules.maxDays > 0 && entry.createdAt.daysTo(now) > rules.maxDays;
        const bool isTooMuch = rules.maxBytes > 0 && bytes > rules.maxBytes;
        const bool areTooMany = rules.maxSessions > 0 && count > rules.maxSessions;
        if ((!isTooOld && !isTooMuch && !areTooMany) || entry.isOpenElsewhere || stays(entry))
            continue;
        beyond.append(entry);
        bytes -= entry.size;
        --count;
    }
    return beyond;
}

}  // namespace sonde
