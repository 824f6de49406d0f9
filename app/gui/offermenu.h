// The context menu of a tool, resource, template or prompt in the tree.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/gui/workspace.h"
#include "ui/panels/offermodel.h"

#include <QObject>

namespace sonde::app {

class MainWindow;
class TabController;

// Of the current server. Does not own its arguments.
class OfferMenu : public QObject {
    Q_OBJECT
public:
    OfferMenu(Workspace *workspace, TabController *tabs, MainWindow *window, QObject *parent = nullptr);

private:
    void show(const ui::OfferRef &ref, const QPoint &place);
    void copyCommand(const Connection &connection, const ui::OfferRef &ref);
    QByteArray argumentsFor(const Connection &connection, const ui::OfferRef &ref, const json::Value &schema) const;

    Workspace *m_workspace;
    TabController *m_tabs;
    MainWindow *m_window;
};

}  // namespace sonde::app
