// Keeps a widget of a scrolled page in sight while what is above it grows, until the user scrolls.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QPointer>
#include <QTimer>

class QScrollArea;
class QWidget;

namespace sonde::ui {

// The layout of a page is known only when all of it has been laid out, which may take several turns of the event loop:
// so it scrolls again after each change of a size, as long as this exists.
class KeptInSight : public QObject {
    Q_OBJECT
public:
    KeptInSight(QScrollArea *area, QWidget *widget);  // not owned

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void scroll();

    QScrollArea *const m_area;
    QPointer<QWidget> m_widget;  // null: not any more
    QTimer m_soon;
};

}  // namespace sonde::ui
