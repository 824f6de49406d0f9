// Shows where the keyboard is, around lists and texts that do not colour a frame of their own.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QPointer>

class QApplication;
class QWidget;

namespace sonde::ui {

// One for all windows. Shown in dialogs, and once the keyboard has been used to move in the main window; inputs,
// buttons and boxes are drawn with their focus by the Style.
class FocusRing : public QObject {
    Q_OBJECT
public:
    FocusRing(const QApplication *app, QObject *parent);
    ~FocusRing() override;

private:
    void onFocusChanged(QWidget *now);
    QPointer<QWidget> m_frame;  // a child of what it is around
};

}  // namespace sonde::ui
