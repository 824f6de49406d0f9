// SPDX-License-Identifier: Apache-2.0
#include "app/gui/endprogram.h"

#include <QApplication>
#include <QPointer>
#include <QWidget>

namespace sonde::app {

void endProgram()
{
    // A text that is being edited is taken when its dialog is hidden, while all of it is still there.
    const QWidgetList all = QApplication::topLevelWidgets();
    const QList<QPointer<QWidget>> windows(all.begin(), all.end());
    for (const QPointer<QWidget> &window : windows) {
        if (window)
            window->hide();
    }
    QCoreApplication::exit();
}

}  // namespace sonde::app
