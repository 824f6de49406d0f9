// Chooses one of a few views: segments if there is room, otherwise a button with a menu.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QToolButton;

namespace sonde::ui {

class SegmentedControl;

class FittingSegments : public QWidget {
    Q_OBJECT
public:
    // The segments get this name, the button and its menu names that begin with it.
    FittingSegments(const QString &objectName, const QString &accessibleName, QWidget *parent = nullptr);

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
    void showEvent(QShowEvent *event) override;

private:
    void fit();
    void showMenu();
    QSize buttonSize() const;

    SegmentedControl *m_control;
    QToolButton *m_choice;
    int m_count = 0;
};

}  // namespace sonde::ui
