// SPDX-License-Identifier: Apache-2.0
#include "app/gui/walkcontroller.h"

#include "app/gui/mainwindow.h"
#include "ui/timeline/timelinepanel.h"

#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::app {

using ui::OfferRef;
using Kind = ui::WalkStep::Kind;

WalkController::WalkController(Workspace *workspace, MainWindow *window, QObject *parent)
    : QObject(parent), m_workspace(workspace), m_window(window)
{
    connect(m_workspace, &Workspace::itemChanged, this, &WalkController::follow);
    connect(m_workspace->demo()->walk.get(), &ui::GuidedWalk::chosen, this, &WalkController::leadTo);
    connect(m_window->timeline, &ui::TimelinePanel::recordSelected, this, [this] { complete(Kind::LookAtMessage); });
    connect(m_window->timeline, &ui::TimelinePanel::filtered, this, [this] { complete(Kind::FilterTimeline); });
}

void WalkController::follow(const WorkspaceItem *item)
{
    const WorkspaceItem *demo = m_workspace->demo();
    if (item != demo || !demo->connection)
        return;
    demo->walk->follow(demo->shownSession());
    connect(demo->connection->catalog(), &Catalog::changed, this, &WalkController::openAwaited, Qt::UniqueConnection);
}

void WalkController::showWalk()
{
    WorkspaceItem *demo = m_workspace->demo();
    m_workspace->start(*demo);
    Q_EMIT pageRequested(demo);
}

void WalkController::open(const OfferRef &ref)
{
    WorkspaceItem *demo = m_workspace->demo();
    if (!demo->connection || demo->connection->state() != Connection::State::Connected)
        showWalk();
    else
        m_workspace->setCurrent(*demo);
    m_awaited = ref;
    openAwaited();
}

void WalkController::openAwaited()
{
    const WorkspaceItem *demo = m_workspace->demo();
    if (m_awaited.kind == OfferRef::Kind::None || !demo->connection)
        return;
    if (m_workspace->current() != demo) {  // the user has moved on
        m_awaited = {};
        return;
    }
    if (demo->connection->state() != Connection::State::Connected)
        return;
    const Catalog &catalog = *demo->connection->catalog();
    const bool isListed = m_awaited.kind == OfferRef::Kind::Tool ? catalog.tool(m_awaited.key) != nullptr
                                                                 : !catalog.resources().isEmpty();
    if (isListed)
        Q_EMIT offerChosen(demo->connection.get(), std::exchange(m_awaited, {}));
}

void WalkController::leadTo(Kind kind)
{
    using enum ui::WalkStep::Kind;
    switch (kind) {
        case CallTool:
        case FixArgument:
            return open({OfferRef::Kind::Tool, u"add"_s});
        case SeeToolError:
            return open({OfferRef::Kind::Tool, u"fail"_s});
        case RespondToServer:
            return open({OfferRef::Kind::Tool, u"ask-form"_s});
        case ReadResource:
            return open({OfferRef::Kind::Resource, u"demo://text/greeting"_s});
        case LookAtMessage:
        case FilterTimeline:
            m_workspace->setCurrent(*m_workspace->demo());
            m_window->showTimeline();
            if (kind == LookAtMessage)
                m_window->timeline->focusRows();
            else
                m_window->timeline->focusFilter();
            break;
        case ReplaySession:
            if (const Session *session = m_workspace->demo()->shownSession())
                Q_EMIT replayRequested(session->path());
            else
                showWalk();  // there is nothing to replay yet
            break;
    }
}

// Only what was done with the session of the demo server.
void WalkController::complete(Kind kind)
{
    const WorkspaceItem *demo = m_workspace->demo();
    if (demo->shownSession() && m_workspace->shownSession() == demo->shownSession())
        demo->walk->complete(kind);
}

void WalkController::onReplayed(const QString &recording)
{
    const WorkspaceItem *demo = m_workspace->demo();
    if (demo->shownSession() && demo->shownSession()->path() == recording)
        demo->walk->complete(Kind::ReplaySession);
}

}  // namespace sonde::app
