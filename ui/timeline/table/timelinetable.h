// The table of the timeline: follows the newest row until the user scrolls away; calls expand and have a waterfall.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/theme/rowtable.h"

#include <QHash>
#include <QTimer>
#include <utility>
#include <vector>

namespace sonde::ui {

class TimelineDelegate;
class TimelineModel;
class WaterfallHeader;

class TimelineTable : public RowTable {
    Q_OBJECT
public:
    // The scroll position and selection in rows of the session: it survives a rebuilt list and a look at another
    // session.
    struct Reading {
        qsizetype row = -1;                                     // that stays where it is; -1: there was none
        int top = 0;                                            // its place in the window, in pixels
        std::vector<std::pair<qsizetype, qsizetype>> selected;  // from, to
    };

    TimelineTable(TimelineModel *model, TimelineDelegate *delegate, QWidget *parent = nullptr);
    bool isFollowing() const { return m_following; }
    void setFollowing(bool following);
    Reading reading() const;
    bool resume(const Reading &reading);               // false: the row is not there, or not yet
    bool isInSight(const QModelIndex &index) const;    // wholly
    void setCurrentInPlace(const QModelIndex &index);  // without scrolling to it
    void fitColumns();  // hides what there is no room for, and what this view does not need

Q_SIGNALS:
    void followingChanged(bool following);
    void escapePressed();  // a shortcut would compete with that of the window

protected:
    void resizeEvent(QResizeEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void scrollContentsBy(int dx, int dy) override;
    void paintEvent(QPaintEvent *event) override;

private:
    bool isAtTail() const;
    void setColumnWidths();
    qsizetype digits() const;  // of the last row's number
    void widenNumbers();
    void fitOutcome(int room);  // room: for all but method and waterfall
    void connectModel();
    void toTail();
    void keepPlace(int first, int rows);
    void refreshScale();
    void refreshScaleOf(const QRect &painted);  // this much is being painted anyway
    bool toggle(const QModelIndex &place);
    void setExpanded(const QModelIndex &place, bool expanded);
    bool isOnArrow(const QPoint &position) const;

    TimelineModel *m_model;
    TimelineDelegate *m_delegate;
    WaterfallHeader *m_header;
    QTimer m_clock;  // what is open grows
    QHash<int, int> m_hiddenWidths;
    qsizetype m_digits = 0;  // that the numbers' column has room for
    Reading m_reading;       // while the model replaces its rows
    bool m_following = true;
    bool m_byPerson = false;
};

}  // namespace sonde::ui
