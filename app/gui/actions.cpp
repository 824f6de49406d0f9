// SPDX-License-Identifier: Apache-2.0
#include "app/gui/actions.h"

#include "ui/theme/keys.h"

#include <QPushButton>

using namespace Qt::StringLiterals;

namespace sonde::app {

namespace keys = ui::keys;

Actions::Actions(QWidget *window)
    : QObject(window),
      goTo(make(u"goTo"_s, tr("Go to tool, resource, prompt, server…"), {keys::GoTo})),
      addServer(make(u"addServer"_s, tr("Add server…"), {keys::AddServer}, u"plus"_s)),
      openSession(make(u"openSession"_s, tr("Open session…"), {keys::OpenSession}, u"history"_s)),
      replay(make(u"replay"_s, tr("Replay…"), {keys::Replay}, u"play"_s)),
      compare(make(u"compare"_s, tr("Compare…"), {keys::Compare}, u"compare"_s)),
      importServers(make(u"importServers"_s, tr("Import servers…"), {}, u"plus"_s)),
      exportServers(make(u"exportServers"_s, tr("Export servers…"), {}, u"export"_s)),
      goToRequest(make(u"goToRequest"_s, tr("Respond to the server request"), {keys::GoToRequest}, u"prompt"_s)),
      sessionLimit(make(u"sessionLimit"_s, tr("Session size limit…"), {}, u"history"_s)),
      statistics(make(u"statistics"_s, tr("Call statistics"), {keys::Statistics}, u"statistics"_s)),
      exportSession(make(u"exportSession"_s, tr("Export session…"), {keys::Export})),
      filterOffers(make(u"filterOffers"_s, tr("Filter tools, resources and prompts"), {keys::FilterOffers})),
      filterTimeline(make(u"filterTimeline"_s, tr("Filter the timeline"), {keys::FilterTimeline})),
      maximiseTimeline(make(u"maximiseTimeline"_s, tr("Maximise the timeline"), {keys::MaximiseTimeline})),
      restart(make(u"restart"_s, tr("Restart server"), {keys::Restart})),
      closeTab(make(u"closeTab"_s, tr("Close tab"), {keys::CloseTab})),
      quit(make(u"quit"_s, tr("Quit"), {keys::Quit})),
      nextTab(make(u"nextTab"_s, tr("Next tab"), {keys::NextTab})),
      previousTab(make(u"previousTab"_s, tr("Previous tab"), {keys::PreviousTab})),
      call(make(u"call"_s, tr("Call"), {Qt::CTRL | Qt::Key_Return, Qt::CTRL | Qt::Key_Enter})),
      olderCall(make(u"olderCall"_s, tr("Older call"), {keys::OlderCall})),
      newerCall(make(u"newerCall"_s, tr("Newer call"), {keys::NewerCall})),
      cancelCall(make(u"cancelCall"_s, tr("Cancel call"), {Qt::Key_Escape}))
{
    addServer->setIconText(tr("Server"));
    addServer->setToolTip(tr("Add server"));
    openSession->setToolTip(tr("Recorded sessions"));
    replay->setIconText(tr("Replay ▸"));
    replay->setToolTip(tr("Repeat the calls of a recorded session and compare"));
    compare->setIconText(tr("Compare"));
    compare->setToolTip(tr("Compare two servers or sessions"));
    cancelCall->setEnabled(false);
    for (QAction *action : findChildren<QAction *>())
        window->addAction(action);
}

QAction *Actions::make(const QString &name, const QString &text, const QList<QKeySequence> &keys,
                       const QString &iconName)
{
    auto *action = new QAction(text, this);
    action->setObjectName(name + u"Action"_s);
    action->setIconText(text);
    action->setShortcuts(keys);
    action->setData(iconName);
    return action;
}

void Actions::show(QAction *action, QPushButton *button)
{
    const QString keys = action->shortcut().toString(QKeySequence::NativeText);
    button->setText(action->iconText());
    button->setToolTip(keys.isEmpty() ? action->toolTip() : tr("%1 (%2)").arg(action->toolTip(), keys));
    connect(button, &QPushButton::clicked, action, &QAction::trigger);
    connect(action, &QAction::enabledChanged, button, &QPushButton::setEnabled);
}

QList<QAction *> Actions::palette() const
{
    return {replay, compare, importServers, exportServers, goToRequest, sessionLimit, statistics};
}

}  // namespace sonde::app
