// SPDX-License-Identifier: Apache-2.0
#include "app/gui/gotocontroller.h"

#include "app/gui/actions.h"
#include "app/gui/mainwindow.h"
#include "app/gui/settings.h"
#include "ui/dialogs/gotopalette.h"
#include "ui/result/outcometext.h"

#include <QFileInfo>
#include <QHash>
#include <QPushButton>
#include <QVariant>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::app {

namespace {

constexpr qsizetype MaxRecent = 20;
constexpr qsizetype MaxRecentKey = 1000;  // characters; a longer one is not remembered
constexpr qsizetype MaxSessions = 30;

}  // namespace

// A server or an open session, one of a server's entries, a recorded session, or an action.
struct GotoController::Target {
    QString key;   // the same at the next start
    int item = 0;  // its id: two servers can have the same name
    ui::OfferRef ref;
    QString session;  // its file
    QAction *action = nullptr;
};

GotoController::GotoController(Workspace *workspace, MainWindow *window, Settings *settings, QObject *parent)
    : QObject(parent),
      m_workspace(workspace),
      m_window(window),
      m_settings(settings),
      m_recent(settings->texts(setting::RecentTargets))
{}

ui::GotoEntry GotoController::entryFor(const Target &target, const QString &text, const QString &detail,
                                       const QString &iconName, const QString &title) const
{
    ui::GotoEntry entry{text, detail, iconName, QVariant::fromValue(target), title};
    entry.canRun = !target.ref.savedCall.isEmpty();
    entry.keys = entry.canRun    ? tr("Enter opens the saved call, Ctrl+Enter runs it.")
                 : target.action ? tr("Enter runs the command.")
                                 : tr("Press Enter to open.");
    const WorkspaceItem *current = m_workspace->current();
    entry.isCurrent = current && current->id == target.item;
    if (const qsizetype age = m_recent.indexOf(target.key); age >= 0)
        entry.recency = int(MaxRecent - age);
    return entry;
}

void GotoController::addItem(Entries &entries, const WorkspaceItem &item) const
{
    using Kind = ui::OfferRef::Kind;
    const QString server = item.spec.name;
    if (!item.isServer()) {
        entries.append(entryFor({u"session "_s + item.session->path(), item.id, {}, {}}, server,
                                tr("session · %1").arg(item.recordedText()), u"history"_s));
        return;
    }
    entries.append(entryFor({u"server "_s + server, item.id, {}, {}}, server, tr("server"), u"server"_s));
    if (!item.connection)
        return;
    QHash<QString, int> listed;  // of keys that are listed more than once
    const auto add = [&](const Entry &entry, const QString &kind, const QString &text, ui::OfferRef ref) {
        QString id = kind + u' ' + ref.key + u'\n' + server;
        if (!entry.findings.isEmpty())
            ref.number = listed[id]++;
        if (ref.number > 0)
            id += u'\n' + QString::number(ref.number);
        entries.append(
            entryFor({id, item.id, ref, {}}, text, server, kind, entry.title == entry.name ? QString() : entry.title));
    };
    const Catalog &catalog = *item.connection->catalog();
    for (const Tool &tool : catalog.tools())
        add(tool, u"tool"_s, tool.name, {Kind::Tool, tool.name});
    for (const Resource &resource : catalog.resources())
        add(resource, u"resource"_s, resource.name + u"  "_s + resource.uri, {Kind::Resource, resource.uri});
    for (const ResourceTemplate &entry : catalog.resourceTemplates())
        add(entry, u"template"_s, entry.name + u"  "_s + entry.uriTemplate, {Kind::Template, entry.uriTemplate});
    for (const Prompt &prompt : catalog.prompts())
        add(prompt, u"prompt"_s, prompt.name, {Kind::Prompt, prompt.name});
    const QList<ui::OfferedCall> calls = m_savedCallsFor ? m_savedCallsFor(*item.connection) : QList<ui::OfferedCall>();
    for (const ui::OfferedCall &call : calls) {
        if (call.problem.isEmpty())
            entries.append(entryFor(
                {u"saved call "_s + call.path + u'\n' + server, item.id, {Kind::Tool, call.tool, call.path}, {}},
                call.name, tr("saved call · %1").arg(server), u"bookmark"_s, call.tool));
    }
}

void GotoController::setSavedCalls(std::function<QList<ui::OfferedCall>(const Connection &)> callsFor)
{
    m_savedCallsFor = std::move(callsFor);
}

// Those that are not open here.
void GotoController::addSessions(Entries &entries) const
{
    QStringList open;
    for (const auto &item : m_workspace->items()) {
        if (const Session *session = item->shownSession())
            open.append(session->path());
    }
    const QList<SessionEntry> recent = m_workspace->library().recent(MaxSessions);
    for (const SessionEntry &session : recent) {
        if (!session.problem.isEmpty() || session.isOpenElsewhere || open.contains(session.path))
            continue;
        const QString name = session.serverName.isEmpty() ? QFileInfo(session.path).fileName() : session.serverName;
        entries.append(entryFor({u"session "_s + session.path, 0, {}, session.path}, name,
                                tr("recorded session · %1").arg(ui::dateTimeText(session.createdAt)), u"history"_s));
    }
}

void GotoController::addActions(Entries &entries) const
{
    const Actions &actions = *m_window->actions;
    const QList<QAction *> all = actions.all();
    for (QAction *action : all) {
        if (action == actions.goTo || action == actions.openMenu || !action->isEnabled())
            continue;
        const QString keys = action->shortcut().toString(QKeySequence::NativeText);
        entries.append(entryFor({u"action "_s + action->objectName(), 0, {}, {}, action}, Actions::nameOf(action), keys,
                                action->data().toString(),
                                action->isCheckable() && action->isChecked() ? tr("on") : QString()));
    }
}

void GotoController::open()
{
    Q_EMIT aboutToOpen();
    Entries entries;
    for (const auto &item : m_workspace->items())
        addItem(entries, *item);
    addSessions(entries);
    addActions(entries);
    auto *palette = new ui::GotoPalette(entries, m_window);
    connect(palette, &ui::GotoPalette::chosen, this,
            [this](const QVariant &chosen) { choose(chosen.value<Target>()); });
    connect(palette, &ui::GotoPalette::runChosen, this,
            [this](const QVariant &chosen) { run(chosen.value<Target>()); });
    const QPoint corner = m_window->goTo->mapToGlobal(QPoint(m_window->goTo->width() / 2 - palette->width() / 2, 0));
    palette->move(corner);
    palette->open();
}

void GotoController::choose(const Target &target)
{
    remember(target.key);
    if (target.action) {
        target.action->trigger();
        return;
    }
    if (!target.session.isEmpty()) {
        Q_EMIT sessionChosen(target.session);
        return;
    }
    WorkspaceItem *item = m_workspace->itemWithId(target.item);
    if (!item)
        return;
    if (target.ref.kind != ui::OfferRef::Kind::None && item->connection)
        Q_EMIT offerChosen(item->connection.get(), target.ref);
    else
        Q_EMIT serverChosen(item);
}

void GotoController::run(const Target &target)
{
    remember(target.key);
    const WorkspaceItem *item = m_workspace->itemWithId(target.item);
    if (item && item->connection)
        Q_EMIT runChosen(item->connection.get(), target.ref);
}

void GotoController::remember(const QString &key)
{
    if (key.size() > MaxRecentKey)
        return;
    m_recent.removeOne(key);
    m_recent.prepend(key);
    m_recent = m_recent.first(qMin(m_recent.size(), MaxRecent));
    m_settings->set(setting::RecentTargets, m_recent);
    m_settings->save();
}

}  // namespace sonde::app
