// SPDX-License-Identifier: Apache-2.0
#include "app/gui/importcontroller.h"

#include "app/gui/mainwindow.h"
#include "app/gui/notice.h"
#include "core/hosts/hostfiles.h"
#include "core/hosts/serverexport.h"
#include "core/protocol/visibletext.h"
#include "core/protocol/worker.h"
#include "ui/dialogs/importdialog.h"
#include "ui/dialogs/serverexportdialog.h"
#include "ui/panels/welcomepanel.h"

#include <QClipboard>
#include <QDropEvent>
#include <QGuiApplication>
#include <QMimeData>

using namespace Qt::StringLiterals;

namespace sonde::app {

ImportController::ImportController(Workspace *workspace, SecretKeeper *secrets, MainWindow *window, QObject *parent)
    : QObject(parent), m_workspace(workspace), m_secrets(secrets), m_window(window)
{
    m_window->setAcceptDrops(true);
    m_window->installEventFilter(this);
}

void ImportController::look()
{
    if (m_looking)
        return;
    m_looking = runOnWorker(
        this, [] { return findHostConfigs(HostFolders::ofUser()); },
        [this](const std::optional<QList<HostConfig>> &found) {
            m_looking = nullptr;
            m_found = found.value_or(QList<HostConfig>());
            m_window->welcome->setFound(m_found);
        });
}

QList<ServerSpec> ImportController::servers() const
{
    return m_workspace->store().servers();
}

void ImportController::ask(const QStringList &files, const QString &text)
{
    ui::ImportDialog dialog(servers(), m_found, m_window);
    for (const QString &path : files)
        dialog.addFile(path);
    if (!text.isEmpty())
        dialog.addText(text);
    if (dialog.exec() == QDialog::Accepted)
        add(dialog.chosen());
}

void ImportController::add(const QList<HostServer> &chosen)
{
    const auto addOne = [this](const ServerSpec &spec) {
        if (const Result<QString> name = m_workspace->add(spec); !name)
            m_window->notice->say(tr("“%1” could not be imported").arg(visibleLine(spec.name, 80)), name.error());
    };
    // One question for all, should the keychain not take the secrets; the others need not wait for that.
    QList<SecretKeeper::Secrets> withSecrets;
    for (const HostServer &server : chosen) {
        if (server.secrets.isEmpty())
            addOne(server.spec);
        else
            withSecrets.append({server.spec, server.secrets});
    }
    m_secrets->keep(withSecrets, addOne);
}

void ImportController::copy(const WorkspaceItem &item)
{
    QGuiApplication::clipboard()->setText(QString::fromUtf8(toMcpServers({item.spec}, SecretValues::Placeholders)));
}

void ImportController::exportServers(const QString &name)
{
    ui::ServerExportDialog(servers(), name, m_workspace->secrets(), m_window).exec();
}

// A file that is dropped onto the window is shown first, whatever it is.
bool ImportController::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() != QEvent::DragEnter && event->type() != QEvent::Drop)
        return QObject::eventFilter(watched, event);
    auto *drop = static_cast<QDropEvent *>(event);
    const QStringList files = ui::ImportDialog::droppedFiles(drop->mimeData());
    if (files.isEmpty())
        return QObject::eventFilter(watched, event);
    drop->acceptProposedAction();
    if (event->type() == QEvent::DragEnter)
        return true;
    if (files.size() == 1 && files.first().endsWith(u".mcpsession"_s))
        m_workspace->openSessionFile(files.first());
    else  // the program that dropped it waits until this returns
        QMetaObject::invokeMethod(
            this, [this, files] { ask(files); }, Qt::QueuedConnection);
    return true;
}

}  // namespace sonde::app
