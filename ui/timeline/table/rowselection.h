// The session rows that are selected in the timeline.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <optional>
#include <utility>
#include <vector>

class QTableView;

namespace sonde::ui {

class TimelineModel;

// Reads a table that shows a TimelineModel. Row numbers are those of the session, in increasing order.
class RowSelection {
public:
    explicit RowSelection(const QTableView *table);  // outlives it

    qsizetype count() const;
    QList<qsizetype> rows() const;
    std::optional<std::pair<qsizetype, qsizetype>> two() const;  // exactly these
    // The records that rows stand for, see TimelineModel::recordsOf(): of the selected rows, or of all shown.
    std::vector<qsizetype> records() const;
    std::vector<qsizetype> allRecords() const;

private:
    void add(std::vector<qsizetype> *found, int first, int last) const;

    const QTableView *m_table;
    const TimelineModel *m_model;
};

}  // namespace sonde::ui
