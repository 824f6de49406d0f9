// "Use in…": a value of a result becomes an argument of another call.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/panels/offermodel.h"

#include <QObject>

class QMenu;

namespace sonde {
class Connection;
namespace json {
class Value;
}
}  // namespace sonde

namespace sonde::ui {
class CallPanel;
}

namespace sonde::app {

class MainWindow;

// Does not own its arguments.
class UseController : public QObject {
    Q_OBJECT
public:
    explicit UseController(MainWindow *window, QObject *parent = nullptr);

    void follow(ui::CallPanel *panel);  // a tab that was opened

Q_SIGNALS:
    // To be shown; it becomes the current tab.
    void openRequested(sonde::Connection *connection, const sonde::ui::OfferRef &ref);

private:
    void ask(ui::CallPanel *source, const json::Value &value, const QString &pointer);

    MainWindow *m_window;
};

}  // namespace sonde::app
