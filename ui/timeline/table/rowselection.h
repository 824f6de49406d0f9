// Which rows of the session are selected in the timeline.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <optional>
#include <utility>
#include <vector>

class QTableView;

namespace sonde::ui {

class TimelineModel;

// Looks at a table that shows a TimelineModel. Row numbers are those of the session, rising.
class RowSelection {
public:
    explicit RowSelection(const QTableView *table);  // outlives it

    qsizetype count() const;
    QList<qsizetype> rows() const;
    std::optional<std::pair<qsizetype, qsizetype>> two() const;  // exactly these
    // What the rows stand for, as TimelineModel::recordsOf() says it; of the selected ones, or of all that are shown.
    std::vector<qsizetype> records() const;
    std::vector<qsizetype> allRecords() const;

private:
    void add(std::vector<qsizetype> *found, int first, int last) const;

    const QTableView *m_table;
    const TimelineModel *m_model;
};

}  // namespace sonde::ui
