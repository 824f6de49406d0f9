// Actions of the timeline about calls: expanding, showing one call only, statistics.
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
    static constexpr int CallsSegment = 0;  // of the views

    CallTools(TimelineModel *model, SegmentedControl *views, QWidget *panel);
    QToolButton *statisticsButton() const { return m_statistics; }
    QWidget *onlyCallLine() const;

    void addActions(QMenu *menu, const QModelIndex &place);
    // Limits the timeline to the call of that row of the session; -1: all calls, in the previous view.
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
