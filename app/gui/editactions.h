// Undo, copy, find and the like, for the widget with the focus.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QKeySequence>
#include <QObject>
#include <QPointer>

class QWidget;

namespace sonde::app {

class Actions;

// A menu or the palette takes the focus, or the attention, from the widget that is meant: the one that had the focus in
// the window last. It gets the key of the action, so that an action does what its key does. Does not own its arguments.
class EditActions : public QObject {
    Q_OBJECT
public:
    EditActions(Actions *actions, QWidget *window, QObject *parent = nullptr);

    void update();  // which of them can do something now

private:
    const QWidget *target() const;  // null: it is not visible
    void press(QKeySequence::StandardKey keys);
    void find();  // in the widget, or among what the server offers
    Actions *m_actions;
    QWidget *m_window;
    QPointer<QWidget> m_target;
};

}  // namespace sonde::app
