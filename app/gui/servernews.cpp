// SPDX-License-Identifier: Apache-2.0
#include "app/gui/servernews.h"

#include "app/gui/workspace.h"
#include "core/connection/connection.h"
#include "core/protocol/visibletext.h"
#include "ui/panels/serverstatus.h"
#include "ui/theme/announce.h"

#include <QWidget>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::app {

ServerNews::ServerNews(const Workspace *workspace, QWidget *window)
    : QObject(window), m_workspace(workspace), m_window(window), m_told(states())
{
    connect(workspace, &Workspace::listChanged, this, &ServerNews::tell);
}

QHash<int, QString> ServerNews::states() const
{
    using State = Connection::State;
    QHash<int, QString> result;
    for (const auto &item : m_workspace->items()) {
        const Connection *connection = item->connection.get();
        if (!item->isServer() || !connection)
            continue;
        const bool isSettled = connection->state() == State::Connected || connection->state() == State::Disconnected;
        result.insert(item->id, isSettled ? ui::statusOf(connection).text : m_told.value(item->id));
    }
    return result;
}

void ServerNews::tell()
{
    const QHash<int, QString> former = std::exchange(m_told, states());
    for (const auto &item : m_workspace->items()) {
        const QString now = m_told.value(item->id);
        // One that was just made has not started yet.
        if (former.contains(item->id) && !now.isEmpty() && now != former.value(item->id))
            ui::announce(m_window, visibleLine(item->spec.name) + u": "_s + now);
    }
}

}  // namespace sonde::app
