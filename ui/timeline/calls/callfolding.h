// The list of rows that the view of calls shows: one for each call, and under an unfolded one its steps.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/operations/operations.h"
#include "ui/timeline/table/rowlist.h"

#include <QSet>
#include <vector>

namespace sonde::ui {

// Says where the rows of a call lie in such a list, and which ones there should be; the list is its owner's. It is in
// the order of the operations, so that a place is found by halving, however much is unfolded.
class CallFolding {
public:
    using Rows = std::vector<quint32>;
    struct Span {
        size_t first = 0;
        size_t count = 0;  // 0: not shown; it would come at first
    };

    void setOperations(const Operations *operations);  // not owned; folds everything
    void setAll(bool unfolded);
    void set(qsizetype operation, bool unfolded);
    bool isUnfolded(qsizetype operation) const;

    Span find(const RowList &rows, qsizetype operation) const;
    // Where exactly that row is shown; rows.size() when it is not.
    size_t placeOf(const RowList &rows, qsizetype row) const;
    bool isStep(qsizetype row) const;            // shown under a call, rather than standing for one
    bool showsSteps(qsizetype operation) const;  // it is unfolded, and has some
    // The call's row, and its steps if it is unfolded.
    void append(Rows &rows, qsizetype operation) const;
    // The steps that come after that row of the same call.
    Rows stepsAfter(qsizetype row) const;

private:
    void appendSteps(Rows &rows, qsizetype after) const;

    const Operations *m_operations = nullptr;
    bool m_all = false;
    QSet<quint32> m_exceptions;  // from m_all
};

// Folds or unfolds all calls of a list, into another list that is to take its place.
class Refolding {
public:
    Refolding(const CallFolding &folding, bool unfolded);
    // The list was changed: that call was folded or unfolded in it, and is to stay so. Begins anew.
    void set(qsizetype operation, bool unfolded);
    // For about that long; the list is to be the same each time. True when all of it has been looked at.
    bool advance(const RowList &shown, const Operations &operations, qint64 budgetNs);
    const CallFolding &folding() const { return m_folding; }
    RowList takeRows() { return std::move(m_rows); }

private:
    CallFolding m_folding;
    RowList m_rows;
    size_t m_next = 0;        // in the list
    qsizetype m_inside = -1;  // the row of a call after which its next step is looked for; -1: there is none
};

}  // namespace sonde::ui
