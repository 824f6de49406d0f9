// SPDX-License-Identifier: Apache-2.0
#include "app/gui/manual.h"

#include "app/gui/mainwindow.h"
#include "ui/dialogs/manualwindow.h"
#include "ui/panels/callpanel.h"
#include "ui/panels/serverpanel.h"
#include "ui/panels/sessionpanel.h"
#include "ui/replay/replaypanel.h"
#include "ui/requests/requestpanel.h"
#include "ui/timeline/timelinepanel.h"

#include <QApplication>
#include <QTabWidget>

using namespace Qt::StringLiterals;

namespace sonde::app {

namespace {

QString pageFor(const MainWindow &window)
{
    const QWidget *focus = QApplication::focusWidget();
    const QWidget *tab = window.tabs->currentWidget();
    if (window.timeline->isAncestorOf(focus) || window.hidesTabs())
        return u"filter-language"_s;
    if (window.requests->isAncestorOf(focus))
        return u"server-requests"_s;
    if (qobject_cast<const ui::CallPanel *>(tab))
        return u"forms"_s;
    if (qobject_cast<const ui::ServerPanel *>(tab))
        return u"servers"_s;
    if (qobject_cast<const ui::ReplayPanel *>(tab) || qobject_cast<const ui::SessionPanel *>(tab))
        return u"replay"_s;
    return u"tour"_s;
}

}  // namespace

void showManual(MainWindow *window)
{
    const QString page = pageFor(*window);
    auto *manual = window->findChild<ui::ManualWindow *>();
    if (!manual)
        manual = new ui::ManualWindow(u":/manual"_s, window);
    manual->showPage(page);
    manual->show();
    manual->raise();
    manual->activateWindow();
}

}  // namespace sonde::app
