// SPDX-License-Identifier: Apache-2.0
#include "app/gui/offermenu.h"

#include "app/gui/mainwindow.h"
#include "app/gui/tabcontroller.h"
#include "app/gui/warningbar.h"
#include "core/calls/exchange.h"
#include "core/connection/clicommand.h"
#include "core/protocol/visibletext.h"
#include "core/shape/example.h"
#include "ui/json/copyactions.h"
#include "ui/panels/callpanel.h"
#include "ui/panels/offertree.h"
#include "ui/timeline/timelinepanel.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>
#include <QPointer>
#include <QTabWidget>

using namespace Qt::StringLiterals;

namespace sonde::app {

namespace {

using Kind = ui::OfferRef::Kind;

// A comparison of the filter language.
QString filterFor(const ui::OfferRef &ref)
{
    const QString field = ref.kind == Kind::Tool ? u"tool"_s : ref.kind == Kind::Prompt ? u"prompt"_s : u"uri"_s;
    QString value = ref.key;
    value.replace(u'\\', u"\\\\"_s).replace(u'"', u"\\\""_s);
    return field + u" == \""_s + value + u'"';
}

}  // namespace

OfferMenu::OfferMenu(Workspace *workspace, TabController *tabs, MainWindow *window, QObject *parent)
    : QObject(parent), m_workspace(workspace), m_tabs(tabs), m_window(window)
{
    connect(window->offers, &ui::OfferTree::menuRequested, this, &OfferMenu::show);
}

void OfferMenu::show(const ui::OfferRef &ref, const QPoint &place)
{
    const QPointer<Connection> connection = m_workspace->currentConnection();
    if (!connection)
        return;
    QMenu menu;
    menu.setObjectName(u"offerMenu"_s);
    // The server may be gone when an entry is chosen.
    const auto add = [this, &menu, connection](const QString &text, auto act) {
        connect(menu.addAction(text), &QAction::triggered, this, [connection, act] {
            if (connection)
                act(connection.data());
        });
    };
    const bool hasName = ref.kind == Kind::Tool || ref.kind == Kind::Prompt;
    add(tr("Open"), [this, ref](Connection *now) { m_tabs->open(now, ref)->focusForm(); });
    add(tr("Open in another tab"), [this, ref](Connection *now) { m_tabs->openAnother(now, ref)->focusForm(); });
    menu.addSeparator();
    add(hasName                      ? tr("Copy name")
        : ref.kind == Kind::Resource ? tr("Copy URI")
                                     : tr("Copy URI template"),
        [ref](const Connection *) { QGuiApplication::clipboard()->setText(ref.key); });
    if (ref.kind == Kind::Tool)
        add(tr("Copy input schema"),
            [ref](const Connection *now) { ui::copyJsonValue(ui::subjectFor(ref, *now).inputSchema); });
    if (ref.kind != Kind::Template)
        add(tr("Copy as sonde-cli command"), [this, ref](const Connection *now) { copyCommand(*now, ref); });
    menu.addSeparator();
    if (ref.kind != Kind::Template)
        add(tr("Filter the timeline for it"), [this, ref](const Connection *) {
            m_window->showTimeline();
            m_window->timeline->setFilter(filterFor(ref));
        });
    menu.exec(place);
}

void OfferMenu::copyCommand(const Connection &connection, const ui::OfferRef &ref)
{
    const ui::CallSubject subject = ui::subjectFor(ref, connection);
    const Result<ui::PreparedCall> prepared =
        ui::prepareCall(subject, argumentsFor(connection, ref, subject.inputSchema));
    if (!prepared) {
        m_window->notice->say(tr("The command could not be made"), prepared.error());
        return;
    }
    const Session &session = *connection.session();
    const qsizetype last = session.size() - 1;
    const QStringList server = runningServerWords(session, last, connection.options().profile.servers.get(),
                                                  openingRequestFactsOf(session, last));
    QGuiApplication::clipboard()->setText(cliCommand(server, prepared->method, prepared->params));
    m_window->tell(tr("Copied a command for %1.").arg(visibleLine(subject.name, 80)));
}

// Those that are filled in, or an example of them.
QByteArray OfferMenu::argumentsFor(const Connection &connection, const ui::OfferRef &ref,
                                   const json::Value &schema) const
{
    for (int i = 0; i < m_window->tabs->count(); ++i) {
        const auto *panel = qobject_cast<const ui::CallPanel *>(m_window->tabs->widget(i));
        if (panel && panel->connection() == &connection && panel->ref() == ref)
            return panel->arguments();
    }
    const ShapeReader reader(schema);
    return exampleOf(reader, reader.read(schema));
}

}  // namespace sonde::app
