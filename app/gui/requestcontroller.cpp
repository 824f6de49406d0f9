// SPDX-License-Identifier: Apache-2.0
#include "app/gui/requestcontroller.h"

#include "app/gui/mainwindow.h"
#include "core/client/responsecheck.h"
#include "core/json/builder.h"
#include "core/protocol/methods.h"
#include "core/protocol/revision.h"
#include "core/protocol/visibletext.h"
#include "ui/requests/requestpanel.h"
#include "ui/theme/widgets.h"

#include <QApplication>
#include <QMenu>
#include <QToolButton>

#include <algorithm>
#include <optional>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::app {

RequestController::RequestController(Workspace *workspace, MainWindow *window, QObject *parent)
    : QObject(parent), m_workspace(workspace), m_window(window), m_menu(new QMenu(window->automatic))
{
    m_window->automatic->setMenu(m_menu);
    connect(m_workspace, &Workspace::itemChanged, this, [this](const WorkspaceItem *item) {
        if (item->connection)
            respondFor(item->connection.get());
    });
    // A changed description arrives with the list.
    connect(m_workspace, &Workspace::listChanged, this, [this] {
        for (const auto &item : m_workspace->items()) {
            if (item->connection)
                onSpecChanged(item->connection.get());
        }
    });
    ui::RequestPanel *panel = m_window->requests;
    connect(panel, &ui::RequestPanel::changed, this, [this, panel] {
        m_window->requestChip->setText(ui::counted(panel->openCount(), tr("1 request"), tr("%1 requests")));
        m_window->requestChip->setAccessibleName(m_window->requestChip->text());
        m_window->showRequests(!panel->isEmpty());
        if (panel->openCount() == 0)
            m_notification.close();
    });
    connect(panel, &ui::RequestPanel::foldRequested, this, [this] {
        m_window->foldRequests(true);
        Q_EMIT focusLeft();
    });
    connect(panel, &ui::RequestPanel::sightRequested, this, [this] { m_window->foldRequests(false); });
    connect(m_window->requestChip, &QToolButton::clicked, this, &RequestController::goToRequest);
    connect(panel, &ui::RequestPanel::focusLeft, this, &RequestController::focusLeft);
    connect(panel, &ui::RequestPanel::ruleRequested, this,
            [this, panel](QObject *object, const QByteArray &key, const QByteArray &result, bool alsoWaiting) {
                const QPointer<Connection> connection(qobject_cast<Connection *>(object));
                if (!connection)
                    return;
                const QString server = connection->spec().name;
                const int sent = alsoWaiting ? panel->respondAlike(connection, key, result) : 0;
                m_rules.append({connection, key, result, server, sent});
                updateRules();
            });
    connect(m_workspace, &Workspace::removed, this, [this, panel](const QList<const WorkspaceItem *> &items) {
        for (const WorkspaceItem *item : items) {
            if (!item->connection)
                continue;
            panel->forget(item->connection.get());
            forgetRules(item->connection.get());
        }
    });
    connect(&m_origins, &RequestOrigins::found, panel, &ui::RequestPanel::setCall);
    connect(&m_notification, &DesktopNotification::clicked, this, [this] {
        m_window->raise();
        m_window->activateWindow();
    });
    connect(qApp, &QGuiApplication::applicationStateChanged, this, [this](Qt::ApplicationState state) {
        if (state != Qt::ApplicationActive)
            return;
        m_hasNotified = false;
        m_notification.close();
    });
}

RequestController::~RequestController()
{
    m_notification.close();
}

void RequestController::respondFor(Connection *connection)
{
    if (m_roots.contains(connection))
        return;
    for (const InputRequest::Kind kind :
         {InputRequest::Kind::Elicitation, InputRequest::Kind::Sampling, InputRequest::Kind::Roots})
        connection->setResponder(kind, this,
                                 [this, connection](InputRequest *request) { onRequest(connection, request); });
    m_roots.insert(connection, connection->spec().roots);
    connect(connection, &QObject::destroyed, this, [this](const QObject *gone) { m_roots.remove(gone); });
    connect(connection, &Connection::notified, this, [this, connection](const Message &notification) {
        if (notification.method() == methods::ElicitationComplete)
            m_window->requests->complete(connection, notification.params()[u"elicitationId"].string());
    });
    connect(connection, &Connection::stateChanged, this, [this, connection] {
        if (connection->state() == Connection::State::Disconnected || connection->state() == Connection::State::Closing)
            forgetRules(connection);
    });
}

void RequestController::setRules(const QList<Rule> &rules)
{
    m_rules = rules;
    updateRules();
}

void RequestController::forgetRules(const Connection *connection)
{
    m_rules.removeIf([connection](const Rule &rule) { return !rule.connection || rule.connection == connection; });
    updateRules();
}

void RequestController::onRequest(Connection *connection, InputRequest *request)
{
    if (request->kind() == InputRequest::Kind::Roots) {
        respondWithRoots(connection, request);
        return;
    }
    const QByteArray key = ui::ruleKeyOf(*request);
    const auto rule = std::find_if(m_rules.begin(), m_rules.end(), [&](const Rule &each) {
        return !key.isEmpty() && each.connection == connection && each.key == key;
    });
    // A response that this request does not allow is for the person to change.
    if (rule != m_rules.end() && problemOfResponse(*request, json::parse(rule->result)).isEmpty()) {
        ++rule->used;
        const QByteArray result = rule->result;
        updateRules();
        (void)request->respond(result);  // if it cannot be sent, the connection is gone, and says so
        return;
    }
    const QString server = connection->spec().name;
    m_window->requests->add(request, connection, {server, {}});
    m_origins.find(connection, request);
    notify(server);
}

// To have entered them is the consent. Spec: client/roots.
void RequestController::respondWithRoots(Connection *connection, InputRequest *request)
{
    json::Builder builder;
    builder.beginObject().key(u"roots").beginArray();
    for (const auto &[uri, name] : connection->spec().roots) {
        builder.beginObject().member(u"uri", uri);
        if (!name.isEmpty())
            builder.member(u"name", name);
        builder.endObject();
    }
    (void)request->respond(builder.endArray().endObject().take());
}

// A server that knows the handshake is told at once; later revisions have no such notification.
void RequestController::onSpecChanged(Connection *connection)
{
    const auto known = m_roots.find(connection);
    if (known == m_roots.end() || *known == connection->spec().roots)
        return;
    *known = connection->spec().roots;
    const std::optional<Revision> revision = revisionFromString(connection->serverInfo().protocolVersion);
    const bool isStateful = revision && statefulRevisions().contains(*revision);
    if (isStateful && connection->state() == Connection::State::Connected &&
        json::parse(connection->clientCapabilities())[u"roots"].exists())
        (void)connection->notify(methods::RootsChanged);
}

void RequestController::notify(const QString &server)
{
    if (QGuiApplication::applicationState() == Qt::ApplicationActive || std::exchange(m_hasNotified, true))
        return;
    QApplication::alert(m_window);
    if (!m_notifies)
        return;
    // Not what it asks: others may read it on this screen.
    m_notification.show(tr("%1 is waiting for you").arg(visibleLine(server, 60)),
                        tr("The server sent a request. Its call continues when you respond."));
}

void RequestController::goToRequest()
{
    if (m_window->requests->isEmpty())
        return;
    m_window->showTabs();
    m_window->requests->focusCurrent();
}

void RequestController::updateRules()
{
    m_menu->clear();
    for (const Rule &rule : std::as_const(m_rules)) {
        const QString what = QString::fromUtf8(rule.key).section(u' ', 0, 0);
        const QString text = tr("Stop responding to %1 of %2 (%3)")
                                 .arg(what, visibleLine(rule.server, 60).replace(u'&', u"&&"_s),
                                      ui::counted(rule.used, tr("sent 1 more time"), tr("sent %1 more times")));
        connect(
            m_menu->addAction(text), &QAction::triggered, this, [this, connection = rule.connection, key = rule.key] {
                m_rules.removeIf([&](const Rule &each) { return each.connection == connection && each.key == key; });
                updateRules();
            });
    }
    m_window->automatic->setVisible(!m_rules.isEmpty());
    m_window->automatic->setText(
        ui::counted(m_rules.size(), tr("1 automatic response ▾"), tr("%1 automatic responses ▾")));
    m_window->automatic->setAccessibleName(m_window->automatic->text());
}

}  // namespace sonde::app
