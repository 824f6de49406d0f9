// SPDX-License-Identifier: Apache-2.0
#include "app/gui/actions.h"

#include "ui/theme/keys.h"

#include <QActionGroup>
#include <QPushButton>

using namespace Qt::StringLiterals;

namespace sonde::app {

namespace keys = ui::keys;

Actions::Actions(QWidget *window)
    : QObject(window),
      addServer(make(u"addServer"_s, tr("&Add server…"), {keys::AddServer}, u"plus"_s)),
      importServers(make(u"importServers"_s, tr("&Import servers…"), {}, u"plus"_s)),
      importCalls(make(u"importCalls"_s, tr("Import &calls…"), {}, u"bookmark"_s)),
      exportServers(make(u"exportServers"_s, tr("&Export servers…"), {}, u"export"_s)),
      openSession(make(u"openSession"_s, tr("&Open session…"), {keys::OpenSession}, u"history"_s)),
      closeTab(make(u"closeTab"_s, tr("C&lose tab"), {keys::CloseTab}, u"close"_s)),
      reopenTab(make(u"reopenTab"_s, tr("&Reopen closed tab"), {keys::ReopenTab}, u"history"_s)),
      pinTab(make(u"pinTab"_s, tr("&Pin tab"), {}, u"pin"_s)),
      quit(make(u"quit"_s, tr("&Quit"), {keys::Quit}, u"quit"_s)),

      undo(makeEdit(u"undo"_s, tr("&Undo"), QKeySequence::Undo, u"undo"_s)),
      redo(makeEdit(u"redo"_s, tr("&Redo"), QKeySequence::Redo, u"redo"_s)),
      cut(makeEdit(u"cut"_s, tr("Cu&t"), QKeySequence::Cut, u"cut"_s)),
      copy(makeEdit(u"copy"_s, tr("&Copy"), QKeySequence::Copy, u"copy"_s)),
      copyArguments(make(u"copyArguments"_s, tr("Copy arguments as &JSON"), {}, u"copy"_s)),
      copyCommand(make(u"copyCommand"_s, tr("Copy call as &sonde-cli command"), {}, u"copy"_s)),
      paste(makeEdit(u"paste"_s, tr("&Paste"), QKeySequence::Paste, u"paste"_s)),
      selectAll(makeEdit(u"selectAll"_s, tr("Select &all"), QKeySequence::SelectAll, u"select"_s)),
      find(make(u"find"_s, tr("&Find…"), {keys::Find}, u"search"_s)),
      filterOffers(make(u"filterOffers"_s, tr("Fi&lter tools, resources and prompts"), {}, u"search"_s)),
      filterTimeline(make(u"filterTimeline"_s, tr("Filter the ti&meline"), {keys::FilterTimeline}, u"search"_s)),
      preferences(make(u"preferences"_s, tr("Pr&eferences…"), {keys::Preferences}, u"preferences"_s)),

      goTo(make(u"goTo"_s, tr("&Go to…"), {keys::GoTo}, u"search"_s)),
      nextTab(make(u"nextTab"_s, tr("&Next tab"), {keys::NextTab}, u"next"_s)),
      previousTab(make(u"previousTab"_s, tr("&Previous tab"), {keys::PreviousTab}, u"previous"_s)),
      maximiseTimeline(
          make(u"maximiseTimeline"_s, tr("&Maximise the timeline"), {keys::MaximiseTimeline}, u"maximise"_s)),
      themeSystem(make(u"themeSystem"_s, tr("Match &system"), {}, u"contrast"_s)),
      themeLight(make(u"themeLight"_s, tr("&Light theme"), {}, u"sun"_s)),
      themeDark(make(u"themeDark"_s, tr("&Dark theme"), {}, u"moon"_s)),
      themeHighContrast(make(u"themeHighContrast"_s, tr("&High contrast theme"), {}, u"contrast"_s)),
      themes(new QActionGroup(this)),
      showMenuBar(make(u"showMenuBar"_s, tr("Show menu &bar"), {keys::MenuBar}, u"menu"_s)),
      openMenu(make(u"openMenu"_s, tr("&Open the menu"), {keys::OpenMenu}, u"menu"_s)),

      restart(make(u"restart"_s, tr("&Restart server"), {keys::Restart}, u"restart"_s)),
      stop(make(u"stop"_s, tr("S&top server"), {}, u"stop"_s)),
      serverInfo(make(u"serverInfo"_s, tr("Server &info"), {}, u"info"_s)),
      refreshLists(make(u"refreshLists"_s, tr("Refresh &lists of tools, resources and prompts"), {}, u"restart"_s)),
      ping(make(u"ping"_s, tr("&Ping server"), {}, u"send"_s)),
      showTasks(make(u"showTasks"_s, tr("Tas&ks"), {}, u"tasks"_s)),
      runSavedCalls(make(u"runSavedCalls"_s, tr("Run &all saved calls"), {}, u"play"_s)),
      editServer(make(u"editServer"_s, tr("&Edit server…"), {}, u"edit"_s)),
      renameServer(make(u"renameServer"_s, tr("Re&name server…"), {}, u"edit"_s)),
      duplicateServer(make(u"duplicateServer"_s, tr("&Duplicate server"), {}, u"copy"_s)),
      copyServer(make(u"copyServer"_s, tr("&Copy server as mcpServers JSON"), {}, u"copy"_s)),
      removeServer(make(u"removeServer"_s, tr("Re&move server…"), {}, u"trash"_s)),

      replay(make(u"replay"_s, tr("&Replay…"), {keys::Replay}, u"play"_s)),
      compare(make(u"compare"_s, tr("&Compare…"), {keys::Compare}, u"compare"_s)),
      statistics(make(u"statistics"_s, tr("Call &statistics"), {keys::Statistics}, u"statistics"_s)),
      exportSession(make(u"exportSession"_s, tr("E&xport session…"), {keys::Export}, u"export"_s)),
      sessionLimit(make(u"sessionLimit"_s, tr("Session size &limit…"), {}, u"history"_s)),
      closeSession(make(u"closeSession"_s, tr("Cl&ose session"), {}, u"close"_s)),

      call(make(u"call"_s, tr("&Call"), {Qt::CTRL | Qt::Key_Enter, Qt::CTRL | Qt::Key_Return}, u"play"_s)),
      cancelCall(make(u"cancelCall"_s, tr("Ca&ncel call"), {Qt::Key_Escape}, u"stop"_s)),
      olderCall(make(u"olderCall"_s, tr("&Older call"), {keys::OlderCall}, u"up"_s)),
      newerCall(make(u"newerCall"_s, tr("Ne&wer call"), {keys::NewerCall}, u"down"_s)),
      goToRequest(make(u"goToRequest"_s, tr("&Respond to the server request"), {keys::GoToRequest}, u"prompt"_s)),

      manual(make(u"manual"_s, tr("&Manual"), {keys::Manual}, u"info"_s)),
      shortcuts(make(u"shortcuts"_s, tr("&Keyboard shortcuts…"), {}, u"keyboard"_s)),
      about(make(u"about"_s, tr("&About Sonde"), {}, u"info"_s))
{
    addServer->setIconText(tr("Server"));
    addServer->setToolTip(tr("Add server"));
    openSession->setToolTip(tr("Recorded sessions"));
    goTo->setIconText(tr("Go to tool, resource, prompt, server…"));
    goTo->setToolTip(tr("Go to tool, resource, prompt, server or command"));
    replay->setIconText(tr("Replay ▸"));
    replay->setToolTip(tr("Repeat the calls of a recorded session and compare"));
    compare->setIconText(tr("Compare"));
    compare->setToolTip(tr("Compare two servers or sessions"));
    cancelCall->setEnabled(false);
    for (QAction *action :
         {pinTab, maximiseTimeline, showMenuBar, themeSystem, themeLight, themeDark, themeHighContrast})
        action->setCheckable(true);
    for (QAction *action : {themeSystem, themeLight, themeDark, themeHighContrast})
        themes->addAction(action);
    for (QAction *action : all())
        window->addAction(action);
}

QAction *Actions::make(const QString &name, const QString &text, const QList<QKeySequence> &keys,
                       const QString &iconName)
{
    auto *action = new QAction(text, this);
    action->setObjectName(name + u"Action"_s);
    action->setIconText(ui::withoutMnemonic(text));
    action->setShortcuts(keys);
    action->setData(iconName);
    // On macOS Qt would move some to another menu because of their texts.
    action->setMenuRole(QAction::NoRole);
    return action;
}

QAction *Actions::makeEdit(const QString &name, const QString &text, QKeySequence::StandardKey keys,
                           const QString &iconName)
{
    QAction *action = make(name, text, {QKeySequence(keys)}, iconName);
    action->setShortcutContext(Qt::WidgetShortcut);  // shown, but left to the widget with the focus
    return action;
}

bool Actions::hasFixedKeys(const QAction *action)
{
    return action->shortcutContext() == Qt::WidgetShortcut;
}

QString Actions::nameOf(const QAction *action)
{
    return ui::withoutMnemonic(action->text());
}

void Actions::show(QAction *action, QPushButton *button)
{
    const auto update = [action, button] {
        const QString keys = action->shortcut().toString(QKeySequence::NativeText);
        button->setText(action->iconText());
        button->setToolTip(keys.isEmpty() ? action->toolTip() : tr("%1 (%2)").arg(action->toolTip(), keys));
        button->setEnabled(action->isEnabled());
        button->update();
    };
    update();
    connect(action, &QAction::changed, button, update);
    connect(button, &QPushButton::clicked, action, &QAction::trigger);
}

QList<QAction *> Actions::menu(Menu menu) const
{
    switch (menu) {
        case Menu::File:
            return {addServer,     importServers, exportServers, nullptr,   importCalls, nullptr, openSession,
                    exportSession, nullptr,       closeTab,      reopenTab, pinTab,      nullptr, quit};
        case Menu::Edit:
            return {undo,          redo,        nullptr, cut,  copy,         paste,          selectAll, nullptr,
                    copyArguments, copyCommand, nullptr, find, filterOffers, filterTimeline, nullptr,   preferences};
        case Menu::View:
            return {goTo,        nextTab,    previousTab, nullptr,           maximiseTimeline, nullptr,
                    themeSystem, themeLight, themeDark,   themeHighContrast, showMenuBar,      openMenu};
        case Menu::Server:
            return {restart, stop,          nullptr, serverInfo, showTasks,    refreshLists,    ping,
                    nullptr, runSavedCalls, nullptr, editServer, renameServer, duplicateServer, copyServer,
                    nullptr, removeServer};
        case Menu::Session:
            return {replay, compare, statistics, nullptr, sessionLimit, nullptr, closeSession};
        case Menu::Tools:
            return {call, cancelCall, nullptr, olderCall, newerCall, nullptr, goToRequest};
        case Menu::Help:
            return {manual, shortcuts, nullptr, about};
    }
    return {};
}

QList<QAction *> Actions::all() const
{
    QList<QAction *> actions;
    for (int i = 0; i < MenuCount; ++i) {
        for (QAction *action : menu(Menu(i))) {
            if (action)
                actions.append(action);
        }
    }
    return actions;
}

}  // namespace sonde::app
