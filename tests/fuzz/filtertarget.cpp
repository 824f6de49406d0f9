// SPDX-License-Identifier: Apache-2.0
#include "core/filter/filtercompletion.h"
#include "core/filter/filtermatcher.h"
#include "tests/fuzz/targets.h"
#include "tests/support/sessionscript.h"

#include <vector>

namespace sonde::fuzz {

namespace {

const Session &everySortOfRow()
{
    static Session session;
    if (session.size() == 0)
        test::playEverything(session, true);
    return session;
}

}  // namespace

void filter(QByteArrayView bytes)
{
    const QString text = QString::fromUtf8(bytes);
    const Session &rows = everySortOfRow();
    const Filter::Parsed parsed = Filter::parse(text);
    for (const qsizetype cursor : {text.size(), text.size() / 2}) {
        const FilterCompletion completion = completeFilter(text, cursor, &rows);
        expect(completion.offset >= 0 && completion.length >= 0 && completion.offset + completion.length <= cursor);
    }
    if (parsed.problem) {
        expect(parsed.filter.matchesAll() && !parsed.problem->reason.isEmpty());
        expect(parsed.problem->offset >= 0 && parsed.problem->length >= 0);
        expect(parsed.problem->offset + parsed.problem->length <= text.size());
        return;
    }
    // The same filter in parentheses, denied twice and asked backwards says the same. Where the parentheses make it too
    // deep or too long there is nothing to compare.
    const Filter::Parsed wrapped = Filter::parse(QStringLiteral("not (not (") + text + QStringLiteral("\n))"));
    FilterMatcher matcher(parsed.filter, &rows);
    std::vector<bool> verdicts;
    for (qsizetype row = 0; row < rows.size(); ++row)
        verdicts.push_back(matcher.matches(row));
    if (wrapped.problem)
        return;
    FilterMatcher other(wrapped.filter, &rows);
    for (qsizetype row = rows.size() - 1; row >= 0; --row)
        expect(other.matches(row) == verdicts[size_t(row)]);
}

}  // namespace sonde::fuzz
