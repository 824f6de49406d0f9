// SPDX-License-Identifier: Apache-2.0
#include "app/gui/manual.h"

#include "app/gui/actions.h"
#include "app/gui/mainwindow.h"
#include "app/gui/settings.h"
#include "app/gui/waitingtab.h"
#include "ui/compare/comparepanel.h"
#include "ui/dialogs/approvaldialog.h"
#include "ui/dialogs/comparedialog.h"
#include "ui/dialogs/exportdialog.h"
#include "ui/dialogs/gotopalette.h"
#include "ui/dialogs/importcallsdialog.h"
#include "ui/dialogs/importdialog.h"
#include "ui/dialogs/manualwindow.h"
#include "ui/dialogs/networkdialog.h"
#include "ui/dialogs/preferencesdialog.h"
#include "ui/dialogs/replaydialog.h"
#include "ui/dialogs/retentiondialog.h"
#include "ui/dialogs/savecalldialog.h"
#include "ui/dialogs/senddialog.h"
#include "ui/dialogs/serverdialog.h"
#include "ui/dialogs/serverexportdialog.h"
#include "ui/dialogs/sessionsdialog.h"
#include "ui/dialogs/sessionsearchpage.h"
#include "ui/dialogs/shortcuteditor.h"
#include "ui/dialogs/signindialog.h"
#include "ui/dialogs/useindialog.h"
#include "ui/form/fieldfindbar.h"
#include "ui/form/jsoneditor.h"
#include "ui/form/tableeditor.h"
#include "ui/panels/approvalview.h"
#include "ui/panels/callhistory.h"
#include "ui/panels/callpanel.h"
#include "ui/panels/callquestion.h"
#include "ui/panels/openaddressdialog.h"
#include "ui/panels/resourcewatch.h"
#include "ui/panels/savedcallsbar.h"
#include "ui/panels/savedcallspanel.h"
#include "ui/panels/savedcallsstep.h"
#include "ui/panels/schemawindow.h"
#include "ui/panels/serverpanel.h"
#include "ui/panels/sessionpanel.h"
#include "ui/panels/sidebar.h"
#include "ui/panels/signinview.h"
#include "ui/panels/taskspanel.h"
#include "ui/panels/walkview.h"
#include "ui/panels/welcomepanel.h"
#include "ui/replay/ignorerulesdialog.h"
#include "ui/replay/replaypanel.h"
#include "ui/requests/requestpanel.h"
#include "ui/result/resultview.h"
#include "ui/timeline/calls/statisticswindow.h"
#include "ui/timeline/details/recorddetails.h"
#include "ui/timeline/filter/filterline.h"
#include "ui/timeline/timelinepanel.h"

#include <QApplication>
#include <QKeyEvent>
#include <QList>
#include <QTabWidget>

using namespace Qt::StringLiterals;

namespace sonde::app {

namespace {

struct ManualScreen {
    const QMetaObject *type;
    QLatin1StringView place;
};

// Of several that hold the focus the innermost counts.
const QList<ManualScreen> &manualScreens()
{
    static const QList<ManualScreen> screens{
        {&ui::WelcomePanel::staticMetaObject, "manual/first-steps.md"_L1},
        {&ui::WalkView::staticMetaObject, "manual/first-steps.md#guided-tour"_L1},
        {&ui::SideBar::staticMetaObject, "manual/servers.md"_L1},
        {&ui::ServerPanel::staticMetaObject, "manual/servers.md"_L1},
        {&ui::ServerDialog::staticMetaObject, "manual/servers.md#settings-of-a-server"_L1},
        {&ui::NetworkDialog::staticMetaObject, "manual/servers.md#settings-of-a-server"_L1},
        {&ui::ImportDialog::staticMetaObject, "manual/servers.md#servers-of-other-mcp-clients"_L1},
        {&ui::ServerExportDialog::staticMetaObject, "manual/servers.md#servers-of-other-mcp-clients"_L1},
        {&ui::SignInDialog::staticMetaObject, "manual/sign-in.md#sign-in"_L1},
        {&ui::SignInView::staticMetaObject, "manual/sign-in.md#sign-in"_L1},
        {&ui::ApprovalDialog::staticMetaObject, "manual/sign-in.md#approval"_L1},
        {&ui::ApprovalView::staticMetaObject, "manual/sign-in.md#approval"_L1},
        {&ui::CallQuestion::staticMetaObject, "manual/sign-in.md#tools-with-side-effects"_L1},
        {&ui::CallPanel::staticMetaObject, "manual/forms.md"_L1},
        {&ui::FieldFindBar::staticMetaObject, "manual/forms.md#find-field"_L1},
        {&ui::JsonEditor::staticMetaObject, "manual/forms.md#form-both-json"_L1},
        {&ui::SchemaWindow::staticMetaObject, "manual/forms.md#form-both-json"_L1},
        {&ui::TableEditor::staticMetaObject, "manual/forms.md#tables"_L1},
        {&ui::ResultView::staticMetaObject, "manual/results.md"_L1},
        {&ui::CallHistoryView::staticMetaObject, "manual/results.md#previous-calls"_L1},
        {&ui::ResourceWatch::staticMetaObject, "manual/results.md#subscriptions"_L1},
        {&ui::TasksPanel::staticMetaObject, "manual/results.md#tasks"_L1},
        {&ui::OpenAddressDialog::staticMetaObject, "manual/results.md#what-is-shown"_L1},
        {&ui::TimelinePanel::staticMetaObject, "manual/timeline.md"_L1},
        {&ui::FilterLine::staticMetaObject, "manual/timeline.md#filter"_L1},
        {&ui::RecordDetails::staticMetaObject, "manual/timeline.md#details"_L1},
        {&ui::StatisticsWindow::staticMetaObject, "manual/timeline.md#call-statistics"_L1},
        {&ui::RequestPanel::staticMetaObject, "manual/server-requests.md"_L1},
        {&ui::SendDialog::staticMetaObject, "manual/edited-messages.md"_L1},
        {&ui::SavedCallBar::staticMetaObject, "manual/saved-calls.md"_L1},
        {&ui::SavedCallsPanel::staticMetaObject, "manual/saved-calls.md#a-suite"_L1},
        {&ui::CallStepWindow::staticMetaObject, "manual/saved-calls.md#a-suite"_L1},
        {&ui::ImportCallsDialog::staticMetaObject, "manual/saved-calls.md#the-files"_L1},
        {&ui::SaveCallDialog::staticMetaObject, "manual/saved-calls.md#save"_L1},
        {&ui::UseInDialog::staticMetaObject, "manual/saved-calls.md#use-in"_L1},
        {&ui::SessionPanel::staticMetaObject, "manual/sessions.md"_L1},
        {&ui::SessionsDialog::staticMetaObject, "manual/sessions.md"_L1},
        {&ui::SessionSearchPage::staticMetaObject, "manual/sessions.md#search"_L1},
        {&ui::RetentionDialog::staticMetaObject, "manual/sessions.md#what-is-kept"_L1},
        {&ui::ExportDialog::staticMetaObject, "manual/sessions.md#export"_L1},
        {&ui::ReplayPanel::staticMetaObject, "manual/replay.md"_L1},
        {&ui::ReplayDialog::staticMetaObject, "manual/replay.md"_L1},
        {&ui::IgnoreRulesDialog::staticMetaObject, "manual/replay.md#rules"_L1},
        {&ui::ComparePanel::staticMetaObject, "manual/replay.md#comparison"_L1},
        {&ui::CompareDialog::staticMetaObject, "manual/replay.md#comparison"_L1},
        {&WaitingTab::staticMetaObject, "manual/window.md#tabs-and-what-comes-back"_L1},
        {&ui::GotoPalette::staticMetaObject, "manual/window.md#menus-and-go-to"_L1},
        {&ui::PreferencesDialog::staticMetaObject, "manual/window.md#preferences"_L1},
        {&ui::ShortcutEditor::staticMetaObject, "manual/window.md#keyboard-shortcuts"_L1},
    };
    return screens;
}

// Of the widget or the nearest around it in its window.
QString placeAround(const QWidget *widget)
{
    for (; widget; widget = widget->isWindow() ? nullptr : widget->parentWidget()) {
        for (const ManualScreen &screen : manualScreens()) {
            if (screen.type->cast(widget))
                return screen.place;
        }
    }
    return {};
}

}  // namespace

ManualController::ManualController(MainWindow *window, Settings *settings)
    : QObject(window), m_window(window), m_settings(settings)
{
    connect(window->actions->manual, &QAction::triggered, this, &ManualController::open);
    qApp->installEventFilter(this);
}

QString ManualController::placeOf(const QWidget *focus, const MainWindow &window)
{
    const QString place = placeAround(focus);
    if (!place.isEmpty() || (focus && focus->window() != &window))
        return place;
    return placeAround(window.hidesTabs() ? window.timeline : window.tabs->currentWidget());
}

QStringList ManualController::places()
{
    QStringList all;
    for (const ManualScreen &screen : manualScreens())
        all.append(screen.place);
    return all;
}

void ManualController::open()
{
    openFor(QApplication::focusWidget());
}

void ManualController::openFor(const QWidget *focus)
{
    const QString place = placeOf(focus, *m_window);
    QWidget *modal = QApplication::activeModalWidget();
    const auto *shown = m_window->findChild<ui::ManualWindow *>(QString(), Qt::FindDirectChildrenOnly);
    const bool isSamePlace = shown && !modal && place == m_place;  // what was read since then stays
    ui::ManualWindow *manual = manualFor(modal ? modal : m_window);
    if (!isSamePlace)
        manual->showPlace(place.isEmpty() ? m_settings->text(setting::ManualPage) : place);
    if (!modal)
        m_place = place;
    manual->show();
    manual->raise();
    manual->activateWindow();
}

// What belongs to another window is blocked by a modal dialog; what belongs to the dialog is not, and goes with it.
ui::ManualWindow *ManualController::manualFor(QWidget *parent)
{
    auto *manual = parent->findChild<ui::ManualWindow *>(QString(), Qt::FindDirectChildrenOnly);
    if (manual)
        return manual;
    manual = new ui::ManualWindow(u":/manual"_s, parent);
    connect(manual, &ui::ManualWindow::pageShown, this,
            [this](const QString &page) { m_settings->set(setting::ManualPage, page); });
    return manual;
}

// The keys of an action are only those of its window.
bool ManualController::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::KeyPress && watched->isWidgetType()) {
        const auto *key = static_cast<QKeyEvent *>(event);
        const auto *widget = static_cast<QWidget *>(watched);
        const QWidget *window = widget->window();
        const QKeySequence pressed(key->keyCombination());
        if (window != m_window && !qobject_cast<const ui::ManualWindow *>(window) &&
            m_window->actions->manual->shortcuts().contains(pressed)) {
            openFor(widget);
            return true;
        }
    }
    return QObject::eventFilter(watched, event);
}

}  // namespace sonde::app
