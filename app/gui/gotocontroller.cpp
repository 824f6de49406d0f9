// SPDX-License-Identifier: Apache-2.0
#include "app/gui/gotocontroller.h"

#include "app/gui/actions.h"
#include "app/gui/mainwindow.h"
#include "ui/dialogs/gotopalette.h"

#include <QPushButton>
#include <QVariant>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::app {

namespace {

// A target of the palette: a server, one of its entries, or an action.
struct GotoTarget {
    int item = 0;  // its id: two servers can have the same name
    ui::OfferRef ref;
    QAction *action = nullptr;
};

}  // namespace

GotoController::GotoController(Workspace *workspace, MainWindow *window, QObject *parent)
    : QObject(parent), m_workspace(workspace), m_window(window)
{}

void GotoController::open()
{
    QList<ui::GotoEntry> entries;
    for (const auto &item : m_workspace->items()) {
        if (!item->isServer())
            continue;
        const QString server = item->spec.name;
        entries.append({server, tr("server"), u"server"_s, QVariant::fromValue(GotoTarget{item->id, {}}), {}});
        if (!item->connection)
            continue;
        const Catalog &catalog = *item->connection->catalog();
        const auto add = [&entries, &server, &item](const Entry &entry, const QString &text, const QString &iconName,
                                                    ui::OfferRef ref) {
            entries.append({text, server, iconName, QVariant::fromValue(GotoTarget{item->id, std::move(ref)}),
                            entry.title == entry.name ? QString() : entry.title});
        };
        for (const Tool &tool : catalog.tools())
            add(tool, tool.name, u"tool"_s, {ui::OfferRef::Kind::Tool, tool.name});
        for (const Resource &resource : catalog.resources())
            add(resource, resource.name + u"  "_s + resource.uri, u"resource"_s,
                {ui::OfferRef::Kind::Resource, resource.uri});
        for (const ResourceTemplate &entry : catalog.resourceTemplates())
            add(entry, entry.name + u"  "_s + entry.uriTemplate, u"template"_s,
                {ui::OfferRef::Kind::Template, entry.uriTemplate});
        for (const Prompt &prompt : catalog.prompts())
            add(prompt, prompt.name, u"prompt"_s, {ui::OfferRef::Kind::Prompt, prompt.name});
    }
    for (QAction *action : m_window->actions->palette())
        entries.append({action->text(),
                        action->shortcut().toString(QKeySequence::NativeText),
                        action->data().toString(),
                        QVariant::fromValue(GotoTarget{0, {}, action}),
                        {}});
    auto *palette = new ui::GotoPalette(entries, m_window);
    connect(palette, &ui::GotoPalette::chosen, this, [this](const QVariant &chosen) {
        const auto target = chosen.value<GotoTarget>();
        if (target.action) {
            target.action->trigger();
            return;
        }
        WorkspaceItem *item = m_workspace->itemWithId(target.item);
        if (!item)
            return;
        if (target.ref.kind != ui::OfferRef::Kind::None && item->connection)
            Q_EMIT offerChosen(item->connection.get(), target.ref);
        else
            Q_EMIT serverChosen(item);
    });
    const QPoint corner = m_window->goTo->mapToGlobal(QPoint(m_window->goTo->width() / 2 - palette->width() / 2, 0));
    palette->move(corner);
    palette->open();
}

}  // namespace sonde::app
