// SPDX-License-Identifier: Apache-2.0
#include "core/schema/patterns.h"

namespace sonde::schema {

Patterns::Attempt Patterns::match(const QString &pattern, const QString &text, bool mayTakeLong)
{
    const QMutexLocker lock(&m_mutex);
    auto it = m_entries.find(pattern);
    if (it == m_entries.end())
        it = m_entries.insert(pattern, {EcmaRegex(pattern), false});
    Attempt attempt;
    attempt.error = it->regex.error();
    if (!attempt.error.isEmpty())
        return attempt;
    attempt.hit = it->regex.matches(text, EcmaRegex::Effort::Brief);
    if (attempt.hit || it->isCostly || !mayTakeLong || text.size() > EcmaRegex::MaxTextLength)
        return attempt;
    attempt.wasLong = true;
    attempt.hit = it->regex.matches(text, EcmaRegex::Effort::Long);
    it->isCostly = !attempt.hit;
    return attempt;
}

}  // namespace sonde::schema
