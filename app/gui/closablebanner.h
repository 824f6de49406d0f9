// A banner of the whole window, which a person can close.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/theme/widgets.h"

namespace sonde::app {

// Hidden at first. `name` is the object name: the button that closes it is called "<name>Close".
class ClosableBanner : public ui::Banner {
    Q_OBJECT
public:
    void addControl(QWidget *control);  // left of the button that closes it

Q_SIGNALS:
    void closeClicked();
    void focusLeft();  // it had the focus, and is hidden

protected:
    ClosableBanner(const QString &name, QWidget *parent);
    // Qt would give the focus to the first thing in the window.
    void leave();

private:
    QToolButton *m_close;
};

}  // namespace sonde::app
