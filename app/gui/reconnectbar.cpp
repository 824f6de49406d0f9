// SPDX-License-Identifier: Apache-2.0
#include "app/gui/reconnectbar.h"

#include "app/gui/workspace.h"
#include "core/protocol/visibletext.h"

#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::app {

namespace {

constexpr qsizetype MaxNamed = 4;

}  // namespace

ReconnectBar::ReconnectBar(QWidget *parent)
    : ClosableBanner(u"reconnect"_s, parent),
      m_all(new QPushButton(tr("Reconnect all"))),
      m_one(new QPushButton(tr("Reconnect")))
{
    m_all->setObjectName(u"reconnectAll"_s);
    m_one->setObjectName(u"reconnectOne"_s);
    addControl(m_one);
    addControl(m_all);
    connect(m_all, &QPushButton::clicked, this, [this] {
        const QList<int> servers = m_servers;
        for (const int server : servers)
            reconnect(server);
    });
    connect(m_one, &QPushButton::clicked, this, [this] {
        if (m_servers.size() == 1)
            reconnect(m_servers.first());
    });
    connect(this, &ReconnectBar::closeClicked, this, [this] {
        m_servers.clear();
        refresh();
    });
    // What has changed while it was open.
    connect(&m_menu, &QMenu::aboutToHide, this, &ReconnectBar::refresh, Qt::QueuedConnection);
}

void ReconnectBar::offer(Workspace *workspace, const QList<int> &servers)
{
    m_servers = servers;
    if (!m_workspace) {
        m_workspace = workspace;
        connect(workspace, &Workspace::itemChanged, this, &ReconnectBar::refresh);
        connect(workspace, &Workspace::listChanged, this, &ReconnectBar::refresh);
    }
    refresh();
}

void ReconnectBar::reconnect(int server)
{
    if (WorkspaceItem *item = m_workspace->itemWithId(server))
        Q_EMIT reconnectRequested(item);
}

// Never under the mouse.
void ReconnectBar::refresh()
{
    if (m_menu.isVisible())
        return;
    m_servers.removeIf([this](int server) {
        const WorkspaceItem *item = m_workspace->itemWithId(server);
        return !item || item->connection;
    });
    m_menu.clear();
    if (m_servers.isEmpty())
        return leave();
    show();
    QStringList names;
    for (const int server : std::as_const(m_servers)) {
        const QString name = visibleLine(m_workspace->itemWithId(server)->spec.name, 40);
        if (names.size() < MaxNamed)
            names.append(u'“' + name + u'”');
        // Queued: the entry goes with it.
        connect(
            m_menu.addAction(QString(name).replace(u'&', u"&&"_s)), &QAction::triggered, this,
            [this, server] { reconnect(server); }, Qt::QueuedConnection);
    }
    const qsizetype more = m_servers.size() - names.size();
    QString text = names.join(tr(", "));
    if (more > 0)
        text += tr(" and %1 more").arg(more);
    setContent(ui::Tone::Neutral,
               ui::counted(m_servers.size(), tr("1 server was connected last time"),
                           tr("%1 servers were connected last time")),
               text);
    m_all->setVisible(m_servers.size() > 1);
    m_one->setMenu(m_servers.size() > 1 ? &m_menu : nullptr);
}

}  // namespace sonde::app
