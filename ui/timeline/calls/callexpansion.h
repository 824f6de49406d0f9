// The list of rows that the view of calls shows: one for each call, and under an expanded one its steps.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/calls/operations.h"

#include <QSet>
#include <vector>

namespace sonde::ui {

// Which calls are expanded, and where the rows of a call are in a list that its owner keeps. The list is in the order
// of the operations, so that a binary search finds a place, however much is expanded.
class CallExpansion {
public:
    using Rows = std::vector<quint32>;
    struct Span {
        size_t first = 0;
        size_t count = 0;  // 0: not shown; it would come at first
    };

    void setOperations(const Operations *operations);  // not owned; collapses everything
    void setAll(bool expanded);
    void set(qsizetype operation, bool expanded);
    bool isExpanded(qsizetype operation) const;

    Span find(const Rows &rows, qsizetype operation) const;
    // Where exactly that row is shown; rows.size() when it is not.
    size_t placeOf(const Rows &rows, qsizetype row) const;
    bool isStep(qsizetype row) const;            // shown under a call, rather than standing for one
    bool showsSteps(qsizetype operation) const;  // it is expanded, and has some
    // The call's row, and its steps if it is expanded.
    void append(Rows &rows, qsizetype operation) const;
    // The steps that come after that row of the same call.
    Rows stepsAfter(qsizetype row) const;

private:
    void appendSteps(Rows &rows, qsizetype after) const;

    const Operations *m_operations = nullptr;
    bool m_all = false;
    QSet<quint32> m_exceptions;  // from m_all
};

// Expands or collapses all calls of a list in slices, into a new list that then replaces it.
class BulkExpansion {
public:
    BulkExpansion(const CallExpansion &expansion, bool expanded);
    // Somebody collapsed or expanded that call in the list meanwhile, and it stays so. Starts again.
    void set(qsizetype operation, bool expanded);
    // For about that long, on the same list each time. True when all of it has been looked at.
    bool advance(const CallExpansion::Rows &shown, const Operations &operations, qint64 budgetNs);
    const CallExpansion &expansion() const { return m_expansion; }
    CallExpansion::Rows takeRows() { return std::move(m_rows); }

private:
    CallExpansion m_expansion;
    CallExpansion::Rows m_rows;
    size_t m_next = 0;        // in the list
    qsizetype m_inside = -1;  // the row of a call after which its next step is looked for; -1: there is none
};

}  // namespace sonde::ui
