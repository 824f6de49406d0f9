// What the timeline offers about calls beside its rows: expanding, one call alone, statistics.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/timeline/table/timelinemodel.h"

class QMenu;
class QToolButton;

namespace sonde::ui {

class OnlyCallLine;
class SegmentedControl;
class StatisticsWindow;

class CallTools : public QObject {
    Q_OBJECT
public:
    // views: has the view of calls as its first segment.
    CallTools(TimelineModel *model, SegmentedControl *views, QWidget *panel);
    QToolButton *statisticsButton() const { return m_statistics; }
    QWidget *onlyCallLine() const;

    void addActions(QMenu *menu, const QModelIndex &place);
    // Reduces the timeline to the call of that row of the session; -1: all of them, in the view as before.
    void showOnlyCallOf(qsizetype row);
    void forget();  // another session: the model shows all of it
    void showStatistics();

private:
    TimelineModel *m_model;
    SegmentedControl *m_views;
    QWidget *m_panel;
    OnlyCallLine *m_line;
    QToolButton *m_statistics;
    StatisticsWindow *m_window = nullptr;
    int m_viewBefore = 0;
};

}  // namespace sonde::ui
