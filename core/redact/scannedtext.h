// A text that is scanned for secrets: where its parts end, what was found in it, and how much more may be read of it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/scan.h"
#include "core/redact/secretforms.h"
#include "core/redact/secretmarks.h"
#include "core/redact/secretscanner.h"

#include <array>
#include <optional>

namespace sonde {

inline constexpr qsizetype MinTextValueLength = 8;  // behind a name in a text, where most of what follows is prose

inline bool isBlank(char c)
{
    return c == ' ' || c == '\t';
}

inline bool isNameCharacter(char c)
{
    return isLetterOrDigit(c) || c == '_' || c == '-' || c == '.';
}

inline bool isOf(char c, QByteArrayView others)
{
    return isLetterOrDigit(c) || others.contains(c);
}

inline bool endsValue(char c)
{
    return uchar(c) <= ' ' || QByteArrayView("\"'`\\<>").contains(c);
}

class ScannedText : public QByteArrayView {
public:
    using Stretch = SecretScanner::Stretch;

    ScannedText(QByteArrayView text, const SecretScanner::Visit &visit)
        : QByteArrayView(text), m_visit(visit), m_budget(4 * text.size() + 65536)
    {}

    bool isAt(qsizetype at, char c) const { return at >= 0 && at < size() && (*this)[at] == c; }
    bool isMarkAt(qsizetype at) const { return markLength(*this, at) > 0; }
    QByteArray slice(qsizetype start, qsizetype end) const { return sliced(start, end - start).toByteArray(); }
    qsizetype skipSpace(qsizetype at) const { return json::skipSpace(begin() + at, this->end()) - begin(); }
    // Just after it. start: of the opening quote.
    qsizetype closingQuote(qsizetype start) const { return json::endOfString(begin() + start, this->end()) - begin(); }

    // Where the characters of a kind end among which that place is. However often it is asked for, each is read once.
    template <typename Is>
    qsizetype endOfAll(Stretch &known, qsizetype at, const Is &is) const
    {
        if (at >= known.start && at < known.end)
            return known.end;
        qsizetype last = at;
        while (last < size() && is((*this)[last]))
            ++last;
        known = {at, last};
        return last;
    }
    // Of letters, digits and those others.
    qsizetype endOfRun(qsizetype at, QByteArrayView others)
    {
        Runs &runs = m_runs ? *m_runs : m_runs.emplace();
        size_t kind = 0;
        while (kind + 1 < runs.size() && !runs[kind].others.isNull() && runs[kind].others != others)
            ++kind;
        runs[kind].others = others;
        return endOfAll(runs[kind].known, at, [others](char c) { return isOf(c, others); });
    }
    qsizetype endOfValue(qsizetype at)
    {
        return endOfAll(m_value, at, [](char c) { return !endsValue(c); });
    }

    // Counts what is read more than once. False when that was too much: then more is masked rather than less.
    bool mayRead(qsizetype length)
    {
        m_budget -= length;
        return m_budget >= 0;
    }
    bool isMadeUp(qsizetype start, qsizetype end)
    {
        return !mayRead(end - start) || looksMadeUp(sliced(start, end - start));
    }

    void report(qsizetype start, qsizetype end, const QByteArray &value, const QByteArray &kind,
                SecretMatch::Found found = SecretMatch::Found::ByName, bool isNumber = false) const
    {
        if (!value.isEmpty() && !isMark(value))
            m_visit({start, end, value, kind, found, isNumber});
    }
    // False: it lies within what was found already, and too much does for each to be told.
    bool mayReport(qsizetype start, qsizetype end)
    {
        if (start >= m_reported.start && end <= m_reported.end)
            return mayRead(end - start);
        m_reported = {start, end};
        return true;
    }

private:
    struct Run {
        QByteArrayView others;
        Stretch known;
    };

    const SecretScanner::Visit &m_visit;
    qsizetype m_budget;
    Stretch m_reported;                // a token or value that was found, and may have others in it
    using Runs = std::array<Run, 12>;  // more than there are kinds
    std::optional<Runs> m_runs;        // most texts need none
    Stretch m_value;
};

}  // namespace sonde
