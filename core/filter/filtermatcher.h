// Decides which rows of a session match a filter.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/filter/filter.h"
#include "core/filter/filterfields.h"
#include "core/filter/filterrow.h"

#include <QHash>
#include <vector>

namespace sonde {

// For one filter and one session, which outlives it. Rows may be asked for in any order; one after the other is
// fastest, since their lines come from the file in blocks. What can be told from the list in memory is told without
// reading, and words are searched where they are in the line. Keeps what it learns about names, so it is worth
// keeping itself.
class FilterMatcher {
public:
    FilterMatcher(Filter filter, const Session *session);

    const Filter &filter() const { return m_filter; }
    bool matches(qsizetype row);

private:
    // What a word or a comparison says of the names in the session's table, by their number; found out once.
    enum class Verdict : quint8 { Unknown, Yes, No };
    using Verdicts = std::vector<Verdict>;
    template <typename Judge>
    bool judged(int place, quint32 name, Judge judge);

    bool holdsFor(const FilterNode &node);
    bool hasWord(const FilterNode &node);
    bool lineHolds(int place, const CaseInsensitiveMatcher &word);
    bool compare(const FilterNode &node);
    bool compareName(const FilterNode &node, quint32 name);
    bool compareText(const FilterNode &node, const QString &text);
    bool compareNumber(const FilterNode &node, qint64 number);  // negative: there is none
    bool compareTime(const FilterNode &node);
    bool compareId(const FilterNode &node);
    static bool compareJson(const FilterNode &node, QByteArrayView value);  // empty: there is none
    QByteArrayView valueAt(const FilterNode &node);
    quint32 target(FilterField field);
    qint64 status();
    QString problems();
    QString revision();

    // What belongs to the method, by its number.
    struct MethodFacts {
        bool isKnown = false;
        bool isInitialize = false;
        bool isTool = false;
        bool isPrompt = false;
        bool isResource = false;
    };
    const MethodFacts &methodFacts(quint32 method);

    // From which row on a connection speaks which revision.
    struct Settled {
        qsizetype row = 0;
        QString revision;
    };

    Filter m_filter;
    const Session *m_session;
    FilterRow m_row;
    FilterRow m_other;  // a response's request, and what settles revisions
    std::vector<Verdicts> m_verdicts;
    std::vector<SessionLines::Search> m_searches;  // by the places that the filter numbers
    SessionLines::Search m_escapes;
    std::vector<MethodFacts> m_methods;
    QHash<quint16, std::vector<Settled>> m_settled;  // by connection, in the order of the rows
    qsizetype m_settledUntil = 0;
};

}  // namespace sonde
