// What a person can reach at this moment.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QPoint>
#include <QPointer>
#include <QString>

class QWidget;

namespace sonde::monkey {

namespace screen {

// An open menu or list; else the dialog that waits; else every window that is shown.
QList<QWidget *> windows();

// "QPushButton#addServer@0": class, object name, and which of those that are shown in its window.
QString nameOf(const QWidget *widget);
QWidget *named(const QString &name);  // in a window that can be reached; null: there is none

// The widget that a click at this place (0 to 1) of the target reaches, and the position in it. Null: another window's
// or widget's area lies over it, or it is scrolled out of sight.
struct Hit {
    QPointer<QWidget> widget;
    QPoint position;
};
Hit hit(QWidget *target, QPointF place);

// What a person can point at; the window itself included.
QList<QWidget *> reachable(QWidget *window);

// Where keys go: null where no window is active.
QWidget *focus();
// Without a window manager nobody activates a window again when the one in front of it is gone.
void activateFrontWindow();

}  // namespace screen

}  // namespace sonde::monkey
