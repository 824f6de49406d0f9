// Moves a row of a list with the mouse.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QPoint>
#include <QPointer>
#include <QTimer>
#include <QWidget>
#include <memory>

namespace sonde::ui {

class FieldColumn;

// One drag: shows where the row would go, and scrolls at the edges of the form. Nothing moves before it is dropped.
class RowDrag : public QObject {
    Q_OBJECT
public:
    RowDrag(FieldColumn *rows, const QWidget *row);
    ~RowDrag() override;
    void moveTo(const QPoint &global);
    qsizetype target() const { return m_target; }  // its place among the rows then; where it is: nothing to do

private:
    void scroll();
    FieldColumn *m_rows;
    const QWidget *m_row;
    QPointer<QWidget> m_line;
    QPoint m_at;  // global
    qsizetype m_target;
    QTimer m_scroll;
};

// What a row is dragged by. Alt+Up and Alt+Down in the row do the same.
class DragHandle : public QWidget {
    Q_OBJECT
public:
    DragHandle(FieldColumn *rows, QWidget *row);

Q_SIGNALS:
    void dropped(qsizetype to);

protected:
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    void end();
    FieldColumn *m_rows;
    QWidget *m_row;
    QPoint m_pressedAt;
    bool m_isPressed = false;
    std::unique_ptr<RowDrag> m_drag;
};

}  // namespace sonde::ui
