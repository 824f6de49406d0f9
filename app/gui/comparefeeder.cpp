// SPDX-License-Identifier: Apache-2.0
#include "app/gui/comparefeeder.h"

#include "app/gui/comparecontroller.h"
#include "ui/compare/comparepanel.h"

#include <QFileInfo>
#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::app {

CompareFeeder::CompareFeeder(const Workspace *workspace, const std::array<Source, 2> &sources, ui::ComparePanel *panel)
    : QObject(panel), m_workspace(workspace), m_sources(sources), m_panel(panel)
{
    m_soon.setSingleShot(true);
    connect(&m_soon, &QTimer::timeout, this, &CompareFeeder::feed);
    connect(panel, &ui::ComparePanel::refreshRequested, this, &CompareFeeder::feed);
    connect(panel, &ui::ComparePanel::finished, this, &CompareFeeder::note);
    connect(panel, &ui::ComparePanel::swapRequested, this, [this] {
        std::swap(m_sources[0], m_sources[1]);
        feed();
    });
    connect(workspace, &Workspace::listChanged, this, &CompareFeeder::findServers);
    connect(workspace, &Workspace::itemChanged, this, &CompareFeeder::findServers);
    findServers();
    feed();
}

// They may be started, added again, renamed or removed meanwhile.
void CompareFeeder::findServers()
{
    for (Source &source : m_sources) {
        if (!source.isLive())
            continue;
        const WorkspaceItem *item = m_workspace->itemWithId(source.item);
        if (!item)
            item = source.state.place.in(*m_workspace);
        source.item = item ? item->id : 0;
        if (item)
            source.state = {Place::of(*item), item->spec.name};
        Connection *connection = item ? item->connection.get() : nullptr;
        if (!connection || connection == source.connection)
            continue;
        source.connection = connection;
        connect(connection, &Connection::stateChanged, this, &CompareFeeder::note, Qt::UniqueConnection);
        const Catalog *catalog = connection->catalog();
        connect(catalog, &Catalog::changed, &m_soon, qOverload<>(&QTimer::start), Qt::UniqueConnection);
        connect(catalog, &Catalog::loaded, &m_soon, qOverload<>(&QTimer::start), Qt::UniqueConnection);
    }
}

std::array<SideState, 2> CompareFeeder::sides() const
{
    return {m_sources[0].state, m_sources[1].state};
}

void CompareFeeder::feed()
{
    const bool isWaiting = std::any_of(m_sources.begin(), m_sources.end(), [](const Source &source) {
        return source.connection && source.connection->catalog()->isLoading();
    });
    if (isWaiting)  // it tells when it is there
        return note();
    const ui::CompareSide left = sideOf(m_sources[0]);
    m_panel->setSides(left, sideOf(m_sources[1]));
    note();
}

ui::CompareSide CompareFeeder::sideOf(Source &source) const
{
    ui::CompareSide side;
    side.name = source.state.name;
    side.isLive = source.isLive();
    if (!side.isLive && !source.state.place.session.isEmpty()) {
        side.path = source.state.place.session;
        if (!QFileInfo::exists(side.path))
            side.error = Error::local(CompareController::tr("There is no file %1 any more.").arg(side.path),
                                      CompareController::tr("Put it back and compare again, or choose another one."));
        return side;
    }
    if (source.isConnected())
        source.last = ServerSnapshot::of(*source.connection);
    if (source.session) {
        const Result<ServerSnapshot> snapshot = ServerSnapshot::of(*source.session);
        if (!snapshot)
            side.error = snapshot.error();
        else
            source.last = *snapshot;
    }
    side.snapshot = source.last;
    if (side.error || side.snapshot.handshake.exists())
        return side;
    if (!side.isLive)
        side.error = Error::local(CompareController::tr("The session was closed."));
    else if (source.item == 0)
        side.error = Error::local(CompareController::tr("The server is not in the list any more."),
                                  CompareController::tr("Add it again under this name, or compare with another one."));
    else
        side.error = Error::local(CompareController::tr("Not connected."),
                                  CompareController::tr("Connect to it, then compare again."));
    return side;
}

void CompareFeeder::note()
{
    for (size_t i = 0; i < m_sources.size(); ++i) {
        const Source &source = m_sources[i];
        QString text;
        if (source.isLive() && !source.isConnected() && source.last.handshake.exists())
            text = CompareController::tr("not connected; showing its last offering");
        else if (source.connection && source.connection->catalog()->isLoading())
            text = CompareController::tr("loading its offering…");
        m_panel->setNote(i == 0, text);
    }
}

}  // namespace sonde::app
