// SPDX-License-Identifier: Apache-2.0
#include "app/gui/servercontroller.h"

#include "app/gui/confirm.h"
#include "app/gui/mainwindow.h"
#include "app/gui/namedialog.h"
#include "app/gui/warningbar.h"
#include "core/protocol/visibletext.h"
#include "core/server/hostconfig.h"
#include "ui/dialogs/networkdialog.h"
#include "ui/dialogs/serverdialog.h"
#include "ui/panels/serverlist.h"
#include "ui/panels/welcomepanel.h"
#include "ui/theme/keys.h"

#include <QDir>
#include <QFileDialog>
#include <QMenu>

using namespace Qt::StringLiterals;

namespace sonde::app {

namespace {

constexpr qsizetype MaxSessionsRead = 12;  // for the servers that were used last

}  // namespace

ServerController::ServerController(Workspace *workspace, SecretKeeper *secrets, MainWindow *window, QObject *parent)
    : QObject(parent), m_workspace(workspace), m_window(window), m_secrets(secrets)
{
    connect(m_workspace, &Workspace::listChanged, this, &ServerController::refreshList);
    connect(m_workspace, &Workspace::currentChanged, this, &ServerController::showCurrent);
    connect(m_workspace, &Workspace::signedOut, this, &ServerController::forgetSecrets);
    connect(m_window->welcome, &ui::WelcomePanel::serverRequested, this, &ServerController::connectServer);
    connect(m_window->welcome, &ui::WelcomePanel::shown, this, [this] {
        m_latest.clear();
        for (const SessionEntry &entry : m_workspace->library().recent(MaxSessionsRead))
            m_latest.append(entry.serverName);
        showOnWelcome();
    });
    ui::ServerListView *list = m_window->serverList;
    connect(list, &ui::ServerListView::startRequested, this, [this](const QModelIndex &index) {
        if (WorkspaceItem *item = m_workspace->itemAt(index.row()))
            m_workspace->start(*item);
    });
    connect(list, &ui::ServerListView::stopRequested, this, [this](const QModelIndex &index) {
        if (const WorkspaceItem *item = m_workspace->itemAt(index.row()); item && item->connection)
            item->connection->close();
    });
    connect(list, &ui::ServerListView::renameRequested, this, [this](const QModelIndex &index) {
        if (WorkspaceItem *item = m_workspace->itemAt(index.row()))
            rename(*item);
    });
    connect(list, &ui::ServerListView::removeRequested, this, [this](const QModelIndex &index) {
        if (WorkspaceItem *item = m_workspace->itemAt(index.row()))
            remove(*item);
    });
    connect(list, &QListView::customContextMenuRequested, this, &ServerController::showMenu);
    connect(list->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex &now) {
        if (WorkspaceItem *item = m_workspace->itemAt(now.row()); item && item != m_workspace->current())
            m_workspace->choose(*item);
    });
    // An item may be selected already while a different page is shown.
    connect(list, &QListView::clicked, this, [this](const QModelIndex &index) {
        if (WorkspaceItem *item = m_workspace->itemAt(index.row()))
            m_workspace->choose(*item);
    });
    connect(list, &QListView::doubleClicked, this, [this](const QModelIndex &index) {
        WorkspaceItem *item = m_workspace->itemAt(index.row());
        if (!item)
            return;
        if (!item->connection || item->connection->state() == Connection::State::Disconnected)
            m_workspace->start(*item);
        Q_EMIT pageRequested(item);
    });
    connect(list, &QListView::activated, this, [this](const QModelIndex &index) {
        if (WorkspaceItem *item = m_workspace->itemAt(index.row()))
            Q_EMIT pageRequested(item);
    });
}

void ServerController::refreshList()
{
    QList<ui::ServerItem> lines;
    for (const auto &item : m_workspace->items())
        lines.append(describe(*item));
    m_window->servers->setItems(lines);
    showCurrent();
    showOnWelcome();
}

// Those of the last sessions first.
void ServerController::showOnWelcome()
{
    QList<const WorkspaceItem *> servers;
    const auto add = [&servers](const WorkspaceItem *item) {
        if (item && item->isServer() && !item->isBuiltIn && !servers.contains(item))
            servers.append(item);
    };
    for (const QString &name : std::as_const(m_latest))
        add(m_workspace->serverNamed(name));
    for (const auto &item : m_workspace->items())
        add(item.get());
    QList<ui::ServerItem> lines;
    for (const WorkspaceItem *item : servers.first(qMin(servers.size(), ui::WelcomePanel::ServersShown)))
        lines.append(describe(*item));
    m_window->welcome->setServers(lines);
}

void ServerController::showCurrent()
{
    const int row = m_workspace->rowOf(m_workspace->current());
    if (row >= 0)
        m_window->serverList->setCurrentIndex(m_window->servers->index(row));
}

void ServerController::startDemo()
{
    WorkspaceItem *demo = m_workspace->demo();
    m_window->showTabs();
    m_workspace->start(*demo);
    Q_EMIT demoStarted(demo->connection.get());
}

void ServerController::connectServer(const QString &name)
{
    if (WorkspaceItem *item = m_workspace->serverNamed(name)) {
        m_window->showTabs();
        m_workspace->start(*item);
        return;
    }
    m_window->notice->say(tr("No server named “%1”").arg(name),
                          Error::local(tr("Add it with %1.").arg(ui::keyText(ui::keys::AddServer))));
}

void ServerController::connectTyped(const ServerSpec &spec)
{
    // The same command line or URL means the same server.
    const WorkspaceItem *item = m_workspace->serverLike(spec);
    if (!item)
        return addAndConnect({spec, secretPlaces(spec)});
    const auto start = [this, id = item->id] {
        if (WorkspaceItem *known = m_workspace->itemWithId(id))
            m_workspace->start(*known);
    };
    // The list has references where values were typed: these count from now on.
    m_secrets->replace(item->spec, valuesOfReferences(item->spec, spec), start);
}

void ServerController::addAndConnect(const Typed &typed)
{
    if (m_pending.contains(typed.spec))
        return;  // Enter was pressed twice
    m_pending.append(typed.spec);
    const auto showAgain = [this, typed] { showAddDialog(typed); };
    const auto add = [this, typed, showAgain](const ServerSpec &spec) {
        m_pending.removeOne(typed.spec);
        const Result<QString> name = m_workspace->add(spec);
        if (!name)
            return sayFailed(tr("The server could not be added"), name.error(), spec, typed, showAgain);
        ServerSpec added = spec;
        added.name = *name;
        m_workspace->approve(added);
        connectServer(*name);
    };
    m_secrets->keep({typed}, add, [this, typed, showAgain] {
        m_pending.removeOne(typed.spec);
        showAgain();
    });
}

// What was typed is shown again, and the keychain keeps none of it. kept: with references to it.
void ServerController::sayFailed(const QString &title, const Error &error, const ServerSpec &kept, const Typed &typed,
                                 const std::function<void()> &showAgain)
{
    m_window->notice->say(title, error);
    m_secrets->forget(kept, m_workspace->store().servers() + QList<ServerSpec>{typed.spec});
    QMetaObject::invokeMethod(this, showAgain, Qt::QueuedConnection);
}

void ServerController::connectLine(const QString &line, const QString &folder)
{
    Result<ServerSpec> read = ServerSpec::fromLine(line);
    if (!read) {
        m_window->notice->say(tr("Invalid command or URL"), read.error());
        return;
    }
    ServerSpec spec = std::move(read).value();
    if (spec.startsProcess() && folder != QDir::homePath())
        spec.workingDirectory = folder;
    connectTyped(spec);
}

void ServerController::askForServer()
{
    showAddDialog();
}

void ServerController::showAddDialog(const std::optional<Typed> &typed)
{
    QPointer<ui::ServerDialog> dialog = typed ? nullptr : m_draft.data();
    if (dialog)
        dialog->selectTyped();
    else
        dialog = new ui::ServerDialog(
            typed ? typed->spec : ServerSpec(), true,
            [this](const QString &name) { return m_workspace->nameProblem(name); }, m_window);
    dialog->setGeneralTimeouts(m_workspace->timeouts());
    if (typed)
        dialog->setSecrets(typed->places);
    const bool isAccepted = dialog->exec() == QDialog::Accepted;
    if (!dialog)
        return;  // with the window
    if (isAccepted || !dialog->isEdited()) {
        dialog->deleteLater();
        m_draft = m_draft == dialog ? nullptr : m_draft.data();
    } else {
        m_draft = dialog;
    }
    if (isAccepted)
        addAndConnect({dialog->spec(), dialog->secrets()});
}

void ServerController::edit(WorkspaceItem *item)
{
    if (item->isBuiltIn || !item->isServer())
        return;
    showEditDialog(ServerSpec(item->spec));  // the item may be gone when the dialog is
}

void ServerController::showEditDialog(const ServerSpec &before, const std::optional<Typed> &typed)
{
    const auto nameProblem = [this, &before](const QString &wish) {
        return wish == before.name ? QString() : m_workspace->nameProblem(wish);
    };
    ui::ServerDialog dialog(typed ? typed->spec : before, false, nameProblem, m_window);
    dialog.setGeneralTimeouts(m_workspace->timeouts());
    if (typed)
        dialog.setSecrets(typed->places);
    if (dialog.exec() != QDialog::Accepted)
        return;
    const Typed now{dialog.spec(), dialog.secrets()};
    const auto showAgain = [this, before, now] { showEditDialog(before, now); };
    const auto change = [this, before, now, showAgain](const ServerSpec &spec) {
        if (const Error error = m_workspace->change(before, spec))
            return sayFailed(tr("The server could not be changed"), error, spec, now, showAgain);
        m_workspace->approve(spec);
    };
    m_secrets->keep({now}, change, showAgain);
}

void ServerController::rename(WorkspaceItem &item)
{
    if (item.isBuiltIn || !item.isServer())
        return;
    const ServerSpec before = item.spec;  // the item may be gone when the dialog is
    ServerSpec renamed = before;
    QString problem;
    do {
        NameDialog dialog(tr("Rename server"), problem.isEmpty() ? tr("Name:") : tr("Name (%1):").arg(problem),
                          renamed.name, m_window);
        const bool isAccepted = dialog.exec() == QDialog::Accepted;
        renamed.name = dialog.textValue().trimmed();
        if (!isAccepted || renamed.name == before.name)
            return;
        problem = renamed.name.isEmpty() ? tr("it must not be empty") : m_workspace->nameProblem(renamed.name);
    } while (!problem.isEmpty());
    const bool wasApproved = m_workspace->isApproved(before);
    if (const Error error = m_workspace->change(before, renamed))
        return m_window->notice->say(tr("The server could not be changed"), error);
    if (wasApproved)
        m_workspace->approve(renamed);
}

void ServerController::duplicate(const WorkspaceItem &item)
{
    if (item.isBuiltIn || !item.isServer())
        return;
    const ServerSpec original = item.spec;
    const Result<QString> name = m_workspace->add(original);
    if (!name)
        return m_window->notice->say(tr("The server could not be added"), name.error());
    ServerSpec copy = original;
    copy.name = *name;
    if (m_workspace->isApproved(original))
        m_workspace->approve(copy);
    if (WorkspaceItem *added = m_workspace->serverNamed(*name))
        m_workspace->choose(*added);
    m_window->tell(
        tr("“%1” is a copy of “%2”. It was not started.").arg(visibleLine(*name, 80), visibleLine(original.name, 80)));
}

void ServerController::apply(WorkspaceItem *item, Remedy remedy, const QString &certificate)
{
    if (item->isBuiltIn || !item->isServer())
        return;
    if (remedy == Remedy::SignIn)
        return m_workspace->restart(*item);  // which asks, since nobody is signed in
    const ServerSpec before = item->spec;    // the item may be gone when a dialog is
    std::optional<ServerSpec> changed = withRemedy(before, remedy);
    if (remedy == Remedy::ChooseFolder) {
        changed = before;
        changed->workingDirectory = QFileDialog::getExistingDirectory(m_window, tr("Choose working directory"));
        if (changed->workingDirectory.isEmpty())
            return;
    }
    if (remedy == Remedy::EditNetwork) {
        changed = before;
        ui::NetworkDialog dialog(*changed, m_window);
        dialog.offerCertificate(certificate);
        if (dialog.exec() != QDialog::Accepted)
            return;
        changed->network = dialog.network();
    }
    if (!changed)
        return edit(item);
    // Who has agreed to the server as it was agrees to the remedy. What nobody has agreed to is shown first.
    const bool wasApproved = m_workspace->isApproved(before);
    if (const Error error = m_workspace->change(before, *changed))
        return m_window->notice->say(tr("The server could not be changed"), error);
    if (wasApproved)
        m_workspace->approve(*changed);
    if (WorkspaceItem *now = m_workspace->serverNamed(before.name))
        m_workspace->restart(*now);
}

// As long as the list could not be written, the file refers to them.
void ServerController::forgetSecrets(const ServerSpec &gone)
{
    const auto forget = [this, gone] { m_secrets->forget(gone, m_workspace->store().servers()); };
    if (m_workspace->store().isSaved())
        forget();
    else
        connect(&m_workspace->store(), &ServerStore::saved, this, forget, Qt::SingleShotConnection);
}

void ServerController::remove(WorkspaceItem &item)
{
    if (item.isBuiltIn)
        return;
    if (!item.isServer()) {
        m_workspace->closeSession(item);
        return;
    }
    const QString name = item.spec.name;
    const Losses losses = lossesOf(item);
    QStringList texts{tr("Remove “%1” from the list? Its recorded sessions are kept.").arg(visibleLine(name))};
    if (const QString cancelled = cancelledText(losses); !cancelled.isEmpty())
        texts << cancelled;
    if (losses.edited > 0)
        texts << ui::counted(losses.edited,
                             tr("1 tab with arguments that you entered closes too and cannot be reopened."),
                             tr("%1 tabs with arguments that you entered close too and cannot be reopened."));
    if (!confirm(m_window, tr("Remove server"), texts.join(u"\n\n"_s), tr("Remove"), tr("Cancel")))
        return;
    if (const Error error = m_workspace->remove(name))
        m_window->notice->say(tr("The server could not be removed"), error);
}

void ServerController::restart(WorkspaceItem &item)
{
    const int id = item.id;
    const bool isProcess = item.spec.startsProcess();
    const bool isReachable = item.connection && !item.connection->trouble();
    const QString cancelled = isReachable ? cancelledText(lossesOf(item)) : QString();
    if (!cancelled.isEmpty() && !confirm(m_window, isProcess ? tr("Restart server") : tr("Reconnect to server"),
                                         cancelled, isProcess ? tr("Restart") : tr("Reconnect"), tr("Keep running")))
        return;
    if (WorkspaceItem *now = m_workspace->itemWithId(id))
        m_workspace->restart(*now);
}

QString ServerController::cancelledText(const Losses &losses)
{
    if (losses.waiting > 0)
        return tr("%1 calls are running or waiting and will be cancelled.").arg(losses.calls());
    return losses.running == 0 ? QString()
                               : ui::counted(losses.running, tr("1 call is running and will be cancelled."),
                                             tr("%1 calls are running and will be cancelled."));
}

void ServerController::showMenu(const QPoint &position)
{
    const QModelIndex index = m_window->serverList->indexAt(position);
    const WorkspaceItem *item = m_workspace->itemAt(index.row());
    if (!item)
        return;
    QMenu menu;
    // The item may have moved or be gone when an action is chosen.
    const auto add = [this, &menu, id = item->id](const QString &text, auto action) {
        QAction *entry = menu.addAction(text);
        connect(entry, &QAction::triggered, this, [this, id, action] {
            if (WorkspaceItem *now = m_workspace->itemWithId(id))
                action(*now);
        });
        return entry;
    };
    const auto compare = [this](WorkspaceItem &now) { Q_EMIT compareRequested(&now); };
    const auto replay = [this](WorkspaceItem &now) { Q_EMIT replayRequested(now.shownSession()->path()); };
    if (!item->isServer()) {
        add(tr("Replay…"), replay);
        add(tr("Compare…"), compare);
        add(tr("Close session"), [this](WorkspaceItem &now) { remove(now); })->setShortcut(Qt::Key_Delete);
    } else {
        if (index.data(ui::ServerListModel::CanStartRole).toBool())
            add(tr("Start"), [this](WorkspaceItem &now) { m_workspace->start(now); });
        if (index.data(ui::ServerListModel::CanStopRole).toBool())
            add(tr("Stop"), [](WorkspaceItem &now) { now.connection->close(); });
        add(tr("Server info"), [this](WorkspaceItem &now) {
            m_workspace->setCurrent(now);
            Q_EMIT pageRequested(&now);
        });
        if (item->connection) {
            add(tr("Restart") + u'\t' + ui::keyText(ui::keys::Restart), [this](WorkspaceItem &now) { restart(now); });
            if (!item->connection->session()->path().isEmpty())
                add(tr("Replay…"), replay);
            add(tr("Compare…"), compare);
        }
        if (!item->isBuiltIn) {
            menu.addSeparator();
            add(tr("Edit…"), [this](WorkspaceItem &now) { edit(&now); });
            add(tr("Rename…"), [this](WorkspaceItem &now) { rename(now); })->setShortcut(Qt::Key_F2);
            add(tr("Duplicate"), [this](WorkspaceItem &now) { duplicate(now); });
            add(tr("Copy as mcpServers JSON"), [this](WorkspaceItem &now) { Q_EMIT copyRequested(&now); });
            add(tr("Export servers…"), [this](WorkspaceItem &now) { Q_EMIT exportRequested(&now); });
            add(tr("Remove…"), [this](WorkspaceItem &now) { remove(now); })->setShortcut(Qt::Key_Delete);
        }
    }
    menu.exec(m_window->serverList->viewport()->mapToGlobal(position));
}

}  // namespace sonde::app
