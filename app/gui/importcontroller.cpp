// SPDX-License-Identifier: Apache-2.0
#include "app/gui/importcontroller.h"

#include "app/gui/mainwindow.h"
#include "app/gui/warningbar.h"
#include "core/files/filelimits.h"
#include "core/files/readfile.h"
#include "core/protocol/visibletext.h"
#include "core/protocol/worker.h"
#include "core/savedcalls/callimport.h"
#include "core/server/hostfiles.h"
#include "core/server/serverexport.h"
#include "ui/dialogs/importdialog.h"
#include "ui/dialogs/serverexportdialog.h"
#include "ui/panels/welcomepanel.h"

#include <QClipboard>
#include <QDropEvent>
#include <QGuiApplication>
#include <QMimeData>
#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::app {

namespace {

constexpr qsizetype MaxNamed = 5;

}  // namespace

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
    // Other clients may have been configured since the start page was shown.
    runOnWorker(
        &dialog, [] { return findHostConfigs(HostFolders::ofUser()); },
        [this, &dialog](const std::optional<QList<HostConfig>> &found) {
            if (!found)
                return;
            m_found = *found;
            m_window->welcome->setFound(m_found);
            dialog.setFound(m_found);
        });
    for (const QString &path : files)
        dialog.addFile(path);
    if (!text.isEmpty())
        dialog.addText(text);
    if (dialog.exec() == QDialog::Accepted)
        add(dialog.chosen());
}

// What becomes of one import, which may wait for an answer about the keychain.
struct ImportController::Import {
    qsizetype total = 0;
    QStringList imported;
    QStringList leftOut;
    Error reason;  // of the last one that was left out
};

void ImportController::add(const QList<HostServer> &chosen)
{
    const auto import = std::make_shared<Import>();
    const auto addOne = [this, import](const ServerSpec &spec) {
        if (const Result<QString> name = m_workspace->add(spec)) {
            import->imported.append(*name);
        } else {
            import->leftOut.append(spec.name);
            import->reason = name.error();
        }
        report(*import);
    };
    // One question for all, should the keychain not take the secrets; the others need not wait for that.
    QList<SecretKeeper::Secrets> withSecrets;
    QList<ServerSpec> others;
    for (const HostServer &server : chosen) {
        if (const ServerSpec *known = inList(server))
            fillIn(*known, server);
        else if (server.secrets.isEmpty())
            others.append(server.spec);
        else
            withSecrets.append({server.spec, server.secrets});
    }
    import->total = withSecrets.size() + others.size();
    for (const ServerSpec &spec : std::as_const(others))
        addOne(spec);
    const auto giveUp = [this, import, withSecrets] {
        for (const SecretKeeper::Secrets &server : withSecrets)
            import->leftOut.append(server.spec.name);
        import->reason = withSecrets.size() == 1
                             ? Error::local(tr("Its secrets were not saved."), tr("Import it again to retry."))
                             : Error::local(tr("Their secrets were not saved."), tr("Import them again to retry."));
        report(*import);
    };
    m_secrets->keep(withSecrets, addOne, giveUp);
}

// Nothing is said where all are in the list now.
void ImportController::report(const Import &import)
{
    if (import.leftOut.isEmpty() || import.imported.size() + import.leftOut.size() < import.total)
        return;
    const auto named = [](const QStringList &names) {
        return tr("“%1”").arg(visibleLine(names.mid(0, MaxNamed).join(tr("”, “")), 200)) +
               (names.size() > MaxNamed ? tr(" and %1 more").arg(names.size() - MaxNamed) : QString());
    };
    const QString count = tr("%1 of %2 imported").arg(import.imported.size()).arg(import.total);
    Error reason = import.reason;
    reason.message = tr("Left out: %1. %2").arg(named(import.leftOut), reason.message);
    m_window->notice->say(import.imported.isEmpty() ? count : count + u": "_s + named(import.imported), reason);
}

// The same server, from an earlier import, say, that found the keychain locked. Null: there is none.
const ServerSpec *ImportController::inList(const HostServer &server) const
{
    const ServerSpec *other = m_workspace->store().server(server.spec.name);
    return other && isSameServer(*other, server.spec) ? other : nullptr;
}

void ImportController::fillIn(const ServerSpec &known, const HostServer &server)
{
    const QString name = visibleLine(known.name, 80);
    m_secrets->fillIn(known, valuesOfReferences(known, server.spec), [this, name](qsizetype missing) {
        m_window->tell(missing > 0 ? tr("Added the missing secrets of “%1”.").arg(name)
                                   : tr("“%1” is already in the list, with its secrets.").arg(name));
    });
}

void ImportController::copy(const WorkspaceItem &item)
{
    QGuiApplication::clipboard()->setText(QString::fromUtf8(toMcpServers({item.spec}, SecretValues::Placeholders)));
}

void ImportController::exportServers(const QString &name)
{
    ui::ServerExportDialog(servers(), name, m_workspace->profile().secrets, m_window).exec();
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
    const bool areSessions =
        std::all_of(files.begin(), files.end(), [](const QString &file) { return file.endsWith(u".mcpsession"_s); });
    if (areSessions) {
        for (const QString &file : files)
            m_workspace->openSessionFile(file);
        return true;
    }
    // The program that dropped it waits until this returns.
    QMetaObject::invokeMethod(
        this, [this, files] { onDropped(files); }, Qt::QueuedConnection);
    return true;
}

// The first file decides what they are; what is neither is shown as a list of servers, which says so.
void ImportController::onDropped(const QStringList &files)
{
    runOnWorker(
        this,
        [path = files.first()] {
            const Result<QByteArray> text = readFile(path, filelimits::CommandLineInput);
            return text && importCalls(*text, path);
        },
        [this, files](std::optional<bool> areCalls) {
            if (areCalls.value_or(false))
                Q_EMIT callsDropped(files);
            else
                ask(files);
        });
}

}  // namespace sonde::app
