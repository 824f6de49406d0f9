// Chooses the part of a record to show: segments if there is room, otherwise a menu.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QToolButton;

namespace sonde::ui {

class SegmentedControl;

class DetailSegments : public QWidget {
    Q_OBJECT
public:
    explicit DetailSegments(QWidget *parent = nullptr);

    int addSegment(const QString &text, const QString &accessibleName = {});
    void setSegmentText(int index, const QString &text);
    void setSegmentVisible(int index, bool visible);
    int current() const;
    void setCurrent(int index);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void currentChanged(int index);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void fit();
    void showMenu();
    QSize buttonSize() const;

    SegmentedControl *m_control;
    QToolButton *m_choice;
    int m_count = 0;
};

}  // namespace sonde::ui
