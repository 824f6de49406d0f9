// The rows of the timeline, following the newest until somebody scrolls away.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QHash>
#include <QTableView>

namespace sonde::ui {

class TimelineDelegate;
class TimelineModel;

class TimelineTable : public QTableView {
    Q_OBJECT
public:
    TimelineTable(TimelineModel *model, TimelineDelegate *delegate, QWidget *parent = nullptr);
    bool isFollowing() const { return m_following; }
    void setFollowing(bool following);

Q_SIGNALS:
    void followingChanged(bool following);

protected:
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void setColumnWidths();
    void hideWhatDoesNotFit();
    void toTail();
    QHash<int, int> m_hiddenWidths;
    bool m_following = true;
    bool m_byPerson = false;
};

}  // namespace sonde::ui
