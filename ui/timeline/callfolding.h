// The list of rows that the view of calls shows: one for each call, and under an unfolded one its steps.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/session/operations.h"
#include "ui/timeline/rowlist.h"

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
    bool isStep(qsizetype row) const;  // shown under a call, rather than standing for one
    // The call's row, and its steps if it is unfolded.
    void append(Rows &rows, qsizetype operation) const;
    // The steps that come after that row of the same call.
    Rows stepsAfter(qsizetype row) const;

private:
    const Operations *m_operations = nullptr;
    bool m_all = false;
    QSet<quint32> m_exceptions;  // from m_all
};

}  // namespace sonde::ui
