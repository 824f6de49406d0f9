// SPDX-License-Identifier: Apache-2.0
#include "app/gui/currentview.h"

#include "app/gui/mainwindow.h"
#include "core/connection/subscriptions.h"
#include "core/connection/toolmemory.h"
#include "core/protocol/visibletext.h"
#include "ui/panels/offertree.h"
#include "ui/panels/serverstatus.h"
#include "ui/panels/welcomepanel.h"
#include "ui/result/outcometext.h"
#include "ui/theme/widgets.h"

#include <QPointer>

using namespace Qt::StringLiterals;

namespace sonde::app {

namespace {

constexpr int StatusIntervalMs = 250;  // how often the status line may change

}  // namespace

CurrentView::CurrentView(Workspace *workspace, MainWindow *window, QObject *parent)
    : QObject(parent), m_workspace(workspace), m_window(window)
{
    m_statusTimer.setSingleShot(true);
    m_statusTimer.setInterval(StatusIntervalMs);
    connect(&m_statusTimer, &QTimer::timeout, this, &CurrentView::updateStatus);
    connect(m_workspace, &Workspace::currentChanged, this, &CurrentView::show);
    connect(m_workspace, &Workspace::removed, this, [this](const QList<const WorkspaceItem *> &items) {
        for (const WorkspaceItem *item : items)
            m_looks.remove(item->id);
    });
    m_window->timeline->setServers(m_workspace->profile().servers);
}

CurrentView::~CurrentView()
{
    m_window->timeline->setSession(nullptr, false);
    m_window->offers->setCatalog(nullptr);
}

void CurrentView::show()
{
    const WorkspaceItem *item = m_workspace->current();
    showOffers(item);
    changeLook(item);
    Session *session = m_workspace->shownSession();
    if (m_session && m_session != session)
        m_session->disconnect(this);
    if (session && m_session != session) {
        const auto soon = [this] {
            if (!m_statusTimer.isActive())
                m_statusTimer.start();
        };
        connect(session, &Session::appended, this, soon);
    }
    m_session = session;
    const Connection *connection = m_workspace->currentConnection();
    m_window->timeline->setSession(session, connection && connection->state() == Connection::State::Connected);
    m_window->timeline->setTitle(item ? item->spec.name : QString());
    m_window->setPageHeight(m_window->welcome,
                            session ? MainWindow::PageHeight::Shared : MainWindow::PageHeight::Whole);
    updateStatus();
}

ui::TimelineLook CurrentView::lookOf(const WorkspaceItem &item) const
{
    return item.id == m_shownItem ? m_window->timeline->look() : m_looks.value(item.id);
}

void CurrentView::setLook(const WorkspaceItem &item, const ui::TimelineLook &look)
{
    if (item.id == m_shownItem)
        m_window->timeline->setLook(look);
    else
        m_looks.insert(item.id, look);
}

// A filter for one server must not make another one look empty. The view is the same until it is changed there.
void CurrentView::changeLook(const WorkspaceItem *item)
{
    const int id = item ? item->id : 0;
    if (id == m_shownItem)
        return;
    const ui::TimelineLook former = m_window->timeline->look();
    if (m_shownItem != 0)
        m_looks.insert(m_shownItem, former);
    m_window->timeline->setLook(m_looks.value(id, {{}, former.view}));
    m_shownItem = id;
}

void CurrentView::showOffers(const WorkspaceItem *item)
{
    ui::OfferTree *offers = m_window->offers;
    Connection *connection = item ? item->connection.get() : nullptr;
    offers->model()->setCallableCheck([connection = QPointer<const Connection>(connection)](const Tool &tool) {
        return connection ? connection->whyNotCallable(tool) : QString();
    });
    if (m_toolMemory)
        m_toolMemory->disconnect(this);
    m_toolMemory = connection ? connection->toolMemory() : nullptr;
    const auto showChanged = [this, model = offers->model()] {
        model->setChangedTools(
            [memory = m_toolMemory](const QString &tool) { return memory && memory->isChanged(tool); });
    };
    showChanged();
    if (m_toolMemory)
        connect(m_toolMemory, &ToolMemory::changed, this, showChanged);
    ui::RecordedOffers *recorded = item ? item->offers.get() : nullptr;
    Catalog *catalog = connection ? connection->catalog() : recorded ? recorded->catalog() : nullptr;
    offers->setCatalog(catalog, item ? item->spec.name : QString());
    followLive(connection);
    if (recorded && !recorded->isRead())
        offers->setEmptyText(tr("Reading the session…"), {});
    else if (item && !item->isServer())
        offers->setEmptyText(tr("Nothing listed"),
                             tr("The session has no lists of tools, resources or prompts. Its messages are below."));
    else if (connection && connection->state() == Connection::State::Connecting)
        offers->setEmptyText(connection->statusText(), visibleLine(revealedText(connection->resolvedTarget())));
    else if (connection && connection->state() == Connection::State::Connected)
        offers->setEmptyText(tr("Nothing offered"), tr("The server declares no tools, resources or prompts."));
    else if (connection && connection->state() == Connection::State::Closing)
        offers->setEmptyText(connection->statusText(), {});
    else
        offers->setEmptyText(visibleLine(ui::statusOf(connection).sentence()),
                             !item || item->spec.startsProcess() ? tr("Press ▶ or Enter to start it.")
                                                                 : tr("Press ▶ or Enter to connect to it."));
}

void CurrentView::followLive(Connection *connection)
{
    Subscriptions *subscriptions = connection ? connection->subscriptions() : nullptr;
    if (m_subscriptions && m_subscriptions != subscriptions)
        m_subscriptions->disconnect(this);
    if (subscriptions && m_subscriptions != subscriptions)
        connect(subscriptions, &Subscriptions::changed, this,
                [this, subscriptions] { m_window->offers->model()->setLive(subscriptions->active()); });
    m_subscriptions = subscriptions;
    m_window->offers->model()->setLive(subscriptions ? subscriptions->active() : QStringList());
}

void CurrentView::updateStatus()
{
    const Session *session = m_workspace->shownSession();
    m_window->recording->setVisible(session != nullptr);
    m_window->counts->setVisible(session != nullptr);
    const Connection *connection = m_workspace->currentConnection();
    m_window->process->setVisible(connection && connection->processId() > 0);
    if (connection && connection->processId() > 0)
        m_window->process->setText(
            tr("%1: pid %2").arg(visibleLine(m_workspace->current()->spec.name, 40)).arg(connection->processId()));
    if (!session)
        return;
    const QString file = session->path().section(u'/', -1);
    const bool isRunning = connection && connection->state() != Connection::State::Disconnected;
    if (!session->isLive()) {
        m_window->recording->setTone(ui::Tone::NoResponse);
        m_window->recording->setText(tr("Session %1").arg(file));
    } else if (!isRunning && !file.isEmpty() && !session->error()) {
        m_window->recording->setTone(ui::Tone::NoResponse);
        m_window->recording->setText(tr("Session file: %1").arg(file));
    } else {
        const bool isInMemory = file.isEmpty() || session->error();
        const qint64 leftOut = session->leftOut().records();
        QString text = isInMemory ? tr("▲ Recording in memory only") : tr("● Recording to %1").arg(file);
        if (session->isFull())
            text = tr("▲ Recording calls only: limit of %1 reached").arg(ui::sizeText(session->limit()));
        if (leftOut > 0)
            text += tr(" · %1 not stored").arg(ui::counted(leftOut, tr("1 record"), tr("%1 records")));
        else if (session->recorded() >= session->limit() / 5 * 4)
            text += tr(" · %1 of %2").arg(ui::sizeText(session->recorded()), ui::sizeText(session->limit()));
        m_window->recording->setTone(isInMemory || session->isFull() ? ui::Tone::ToolError : ui::Tone::Ok);
        m_window->recording->setText(text);
    }
    m_window->recording->setToolTip(ui::plainToolTip(session->path()));
    m_window->counts->setText(tr("%1 · %2").arg(
        ui::counted(session->messageCount(), tr("1 message"), tr("%1 messages")), ui::sizeText(session->totalBytes())));
}

}  // namespace sonde::app
