// Shows how often each tool of the session was called, with outcomes and durations.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/calls/callstatistics.h"

#include <QDialog>
#include <QTimer>
#include <memory>

class QPushButton;
class QSortFilterProxyModel;
class QStackedWidget;
class QTableView;

namespace sonde::ui {

class CallIndex;
class EmptyState;
class StatisticsModel;
class TextLabel;

// Not modal: follows the session of the timeline as it grows. Counts in slices, sorts on a worker.
class StatisticsWindow : public QDialog {
    Q_OBJECT
public:
    explicit StatisticsWindow(CallIndex *calls, QWidget *parent = nullptr);  // calls outlive it
    QString asText() const;  // the table as it is sorted, columns aligned

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    void layOut();
    void restart();
    void collect();
    void display(const QList<CallStatistics> &statistics);
    void fitColumns();
    void copy();

    CallIndex *m_calls;
    std::unique_ptr<CallStatisticsCollector> m_collector;
    int m_generation = 0;
    QTimer m_timer;
    StatisticsModel *m_model;
    QSortFilterProxyModel *m_sorted;
    TextLabel *m_summary;
    QStackedWidget *m_pages;
    QTableView *m_table;
    EmptyState *m_empty;
    QPushButton *m_copy;
};

}  // namespace sonde::ui
