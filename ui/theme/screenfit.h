// Keeps dialogs within the screen, whatever its scale and the size of the font.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>

class QSize;
class QWidget;

namespace sonde::ui {

// One for all dialogs and windows beside the main one. A dialog that would be larger than the screen gets smaller, and
// one that cannot is scrolled.
class ScreenFit : public QObject {
    Q_OBJECT
public:
    explicit ScreenFit(QObject *parent);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    static void fit(QWidget *dialog);
    static void keepInside(QWidget *dialog, const QSize &before);
};

}  // namespace sonde::ui
