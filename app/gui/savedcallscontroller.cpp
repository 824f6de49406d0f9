// SPDX-License-Identifier: Apache-2.0
#include "app/gui/savedcallscontroller.h"

#include "app/gui/confirm.h"
#include "app/gui/mainwindow.h"
#include "app/gui/namedialog.h"
#include "app/gui/settings.h"
#include "app/gui/warningbar.h"
#include "core/connection/toolmemory.h"
#include "core/protocol/numbertext.h"
#include "core/protocol/visibletext.h"
#include "core/protocol/worker.h"
#include "core/savedcalls/callimport.h"
#include "ui/dialogs/importcallsdialog.h"
#include "ui/dialogs/savecalldialog.h"
#include "ui/panels/callpanel.h"
#include "ui/panels/offertree.h"
#include "ui/panels/savedcallspanel.h"
#include "ui/theme/opener.h"

#include <QCursor>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QSet>
#include <QStandardPaths>
#include <QTabWidget>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::app {

namespace {

constexpr QLatin1StringView FoldersAction("folders");
constexpr QLatin1StringView AddFolderAction("add");
constexpr QLatin1StringView ImportAction("import");
constexpr QLatin1StringView RunAction("run ");  // and the folder
constexpr qsizetype MaxNamedTools = 8;
constexpr qsizetype MaxNamedFiles = 8;

QString folderName(const QString &folder)
{
    return visibleLine(folder.section(u'/', -1), 40);
}

// As after a rule for one of several differences.
bool isLeftDifferent(const CallSuite &suite, const SavedCall &call)
{
    return std::ranges::any_of(suite.steps(), [&call](const CallStep &step) {
        return step.call.path == call.path && step.status == CallStep::Status::Failed;
    });
}

}  // namespace

SavedCallsController::SavedCallsController(Workspace *workspace, MainWindow *window, Settings *settings,
                                           QObject *parent)
    : QObject(parent), m_workspace(workspace), m_window(window), m_settings(settings)
{
    ui::OfferTree *offers = m_window->offers;
    connect(&m_folders, &CallFolders::changed, this, &SavedCallsController::onFilesChanged);
    connect(m_workspace, &Workspace::currentChanged, this, &SavedCallsController::followCurrent);
    connect(m_workspace, &Workspace::removed, this, &SavedCallsController::onRemoved);
    connect(m_workspace, &Workspace::serverRenamed, this, &SavedCallsController::onServerRenamed);
    connect(offers, &ui::OfferTree::actionActivated, this, &SavedCallsController::onActionActivated);
    connect(offers, &ui::OfferTree::savedCallMenuRequested, this, &SavedCallsController::showMenu);
    connect(offers, &ui::OfferTree::savedCallRenameRequested, this, &SavedCallsController::rename);
    connect(offers, &ui::OfferTree::savedCallDeleteRequested, this, &SavedCallsController::remove);
    connect(offers, &ui::OfferTree::savedCallRefused, this, [this](const QString &problem) {
        m_window->notice->say(tr("The saved call cannot be opened"), Error::local(problem));
    });
    m_folders.setFolders(m_settings->texts(setting::SavedCallFolders));
    showInTree();
}

void SavedCallsController::setFolders(const QStringList &folders)
{
    m_folders.setFolders(folders);
    m_settings->set(setting::SavedCallFolders, m_folders.folders());
    m_settings->save();
    showInTree();
}

QList<ui::OfferedCall> SavedCallsController::callsFor(const Connection &connection) const
{
    const Catalog &catalog = *connection.catalog();
    const bool isListed = catalog.status(Catalog::List::Tools).state == Catalog::State::Ready;
    const QString server = m_workspace->keptName(connection);
    QList<ui::OfferedCall> calls;
    for (const CallFile &file : m_folders.files()) {
        if (!file.call.server.isEmpty() && file.call.server != server)
            continue;
        ui::OfferedCall call;
        call.path = file.path;
        call.name = file.problem ? QFileInfo(file.path).fileName() : file.call.name;
        call.title = call.name;
        call.value = file.call.source;
        call.tool = file.call.tool;
        if (file.problem)
            call.problem = file.problem.message;
        else if (isListed && !catalog.tool(file.call.tool))
            call.problem = tr("This server has no tool “%1”.").arg(visibleLine(file.call.tool, 80));
        calls.append(call);
    }
    return calls;
}

QList<ui::OfferAction> SavedCallsController::actionsFor(const QList<ui::OfferedCall> &calls) const
{
    const QString use =
        tr("A saved call is a small JSON file: a call of a tool, and what is expected of its response. "
           "Keep them in a folder beside the source of your server.");
    const QString import = tr("From a collection of Postman, Insomnia or Hoppscotch, or from MCP Inspector");
    QList<ui::OfferAction> actions;
    if (m_folders.folders().isEmpty())
        return {{{}, tr("Calls that you save appear here."), {}, use, false},
                {AddFolderAction, tr("Choose folder…"), {}, use, true},
                {ImportAction, tr("Import calls…"), {}, import, true}};
    if (calls.isEmpty()) {
        actions.append({{}, tr("No saved calls for this server."), {}, use, false});
        actions.append({ImportAction, tr("Import calls…"), {}, import, true});
    }
    QStringList runnable;
    for (const ui::OfferedCall &call : calls) {
        const QString folder = QFileInfo(call.path).path();
        if (call.problem.isEmpty() && !runnable.contains(folder))
            runnable.append(folder);
    }
    for (const QString &folder : std::as_const(runnable))
        actions.append({RunAction + folder,
                        runnable.size() == 1 ? tr("Run all") : tr("Run all in %1").arg(folderName(folder)),
                        {},
                        tr("Run the saved calls of %1 one after the other and compare").arg(visibleLine(folder)),
                        true});
    actions.append({FoldersAction, tr("Folders…"), {}, m_folders.problems().join(u'\n'), true});
    return actions;
}

void SavedCallsController::showInTree()
{
    const Connection *connection = m_workspace->currentConnection();
    const QList<ui::OfferedCall> calls = connection ? callsFor(*connection) : QList<ui::OfferedCall>();
    m_window->offers->model()->setSavedCalls(calls, actionsFor(calls), m_folders.problems().join(u'\n'));
}

void SavedCallsController::followCurrent()
{
    Connection *connection = m_workspace->currentConnection();
    Catalog *catalog = connection ? connection->catalog() : nullptr;
    if (m_catalog && m_catalog != catalog)
        m_catalog->disconnect(this);
    if (catalog && m_catalog != catalog)
        connect(catalog, &Catalog::changed, this, &SavedCallsController::showInTree);
    m_catalog = catalog;
    showInTree();
}

void SavedCallsController::onFilesChanged()
{
    showInTree();
    const QList<ui::CallPanel *> panels = m_window->tabs->findChildren<ui::CallPanel *>();
    for (ui::CallPanel *panel : panels) {
        if (!panel->ref().savedCall.isEmpty())
            follow(panel);
    }
}

QList<ui::CallPanel *> SavedCallsController::tabsOf(const QString &path) const
{
    QList<ui::CallPanel *> panels = m_window->tabs->findChildren<ui::CallPanel *>();
    panels.removeIf([&path](const ui::CallPanel *panel) { return panel->ref().savedCall != path; });
    return panels;
}

void SavedCallsController::follow(ui::CallPanel *panel)
{
    const QString path = panel->ref().savedCall;
    if (path.isEmpty())
        return;
    const CallFile *file = m_folders.file(path);
    if (file && file->problem)
        panel->setSavedCall(file->problem);
    else if (file)
        panel->setSavedCall(file->call);
    else
        panel->setSavedCall(SavedCall::load(path));
}

void SavedCallsController::save(const ui::NewSavedCall &made, const QString &server)
{
    ui::NewSavedCall named = made;
    named.call.server = server;
    auto *dialog = new ui::SaveCallDialog(named, m_folders.folders(), m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        const SavedCall call = dialog->call();
        if (const Error error = call.save(call.path)) {
            m_window->notice->say(tr("The call was not saved"), error);
            return;
        }
        m_window->tell(tr("Saved to %1").arg(visibleLine(QDir::toNativeSeparators(call.path))));
        follow(dialog->folder());
    });
    dialog->open();
}

void SavedCallsController::importCalls(const QStringList &files)
{
    auto *dialog = new ui::ImportCallsDialog(m_folders.folders(), m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    for (const QString &file : files)
        dialog->addFile(file);
    connect(dialog, &QDialog::accepted, this,
            [this, dialog] { saveImportedCalls(dialog->chosen(), dialog->folder()); });
    dialog->open();
}

// On a worker: each of them is a file, and there may be thousands.
void SavedCallsController::saveImportedCalls(const QList<SavedCall> &chosen, const QString &folder)
{
    runOnWorker(
        this, [chosen, folder] { return saveImported(chosen, folder); },
        [this, folder, wanted = chosen.size()](const std::optional<SavedImport> &import) {
            const auto &[saved, problem] = import.value_or(SavedImport());
            if (saved.size() < wanted)
                m_window->notice->say(tr("%1 of %2 calls imported").arg(saved.size()).arg(wanted), problem);
            else
                m_window->tell(counted(saved.size(), tr("Imported 1 call to %2"), tr("Imported %1 calls to %2"))
                                   .arg(visibleLine(QDir::toNativeSeparators(folder))));
            if (!saved.isEmpty())
                follow(folder);
        });
}

// Something was written there.
void SavedCallsController::follow(const QString &folder)
{
    if (m_folders.folders().contains(folder))
        m_folders.refresh();
    else
        setFolders(m_folders.folders() + QStringList{folder});
}

void SavedCallsController::saveRecorded(qsizetype row)
{
    const Session *session = m_workspace->shownSession();
    if (!session || row < 0 || row >= session->size())
        return;
    const qsizetype partner = session->partnerOf(row);
    const bool isRequest = session->at(row).messageKind == Message::Kind::Request;
    const Message request = isRequest ? session->message(row) : partner < 0 ? Message() : session->message(partner);
    const Message response = !isRequest ? session->message(row) : partner < 0 ? Message() : session->message(partner);
    const Connection *connection = m_workspace->currentConnection();
    if (const std::optional<ui::NewSavedCall> made = ui::savedCallOf(request, response))
        save(*made, connection ? m_workspace->keptName(*connection) : QString());
}

void SavedCallsController::addFolder()
{
    auto *dialog = new QFileDialog(m_window, tr("Folder of saved calls"));
    dialog->setObjectName(u"savedCallFolderDialog"_s);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    dialog->setDirectory(m_folders.folders().isEmpty()
                             ? QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation)
                             : m_folders.folders().constLast());
    connect(dialog, &QFileDialog::fileSelected, this,
            [this](const QString &path) { setFolders(m_folders.folders() + QStringList{QDir::cleanPath(path)}); });
    dialog->open();
}

void SavedCallsController::onActionActivated(const QString &id)
{
    const ui::OfferTree *offers = m_window->offers;
    if (id == AddFolderAction)
        addFolder();
    else if (id == ImportAction)
        importCalls();
    else if (id == FoldersAction)
        showFolderMenu(offers->underMouse() ? QCursor::pos() : offers->mapToGlobal(offers->rect().center()));
    else if (id.startsWith(RunAction))
        runFolder(id.sliced(RunAction.size()));
}

void SavedCallsController::showMenu(const ui::OfferRef &ref, const QPoint &place)
{
    const QString path = ref.savedCall;
    if (path.isEmpty())
        return showFolderMenu(place);
    auto *menu = new QMenu(m_window);
    menu->setObjectName(u"savedCallMenu"_s);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    Connection *connection = m_workspace->currentConnection();
    const bool fits = connection && connection->catalog()->tool(ref.key);
    menu->addAction(tr("Open"), this,
                    [this, ref, guard = QPointer(connection)] {
                        if (guard)
                            Q_EMIT openRequested(guard, ref);
                    })
        ->setEnabled(fits);
    menu->addAction(tr("Run"), this, [this, path] { run(path); })->setEnabled(fits);
    menu->addSeparator();
    menu->addAction(tr("Rename…"), this, [this, path] { rename(path); })->setShortcut(Qt::Key_F2);
    menu->addAction(tr("Delete…"), this, [this, path] { remove(path); })->setShortcut(Qt::Key_Delete);
    menu->addAction(tr("Show in file manager"), this, [path] { (void)ui::openFolder(QFileInfo(path).path()); });
    menu->popup(place);
}

void SavedCallsController::showFolderMenu(const QPoint &place)
{
    auto *menu = new QMenu(m_window);
    menu->setObjectName(u"savedCallFoldersMenu"_s);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (const QString &folder : m_folders.folders()) {
        QMenu *one = menu->addMenu(visibleLine(QDir::toNativeSeparators(folder), 60).replace(u'&', u"&&"_s));
        one->addAction(tr("Run all"), this, [this, folder] { runFolder(folder); });
        one->addAction(tr("Show in file manager"), this, [folder] { (void)ui::openFolder(folder); });
        one->addAction(tr("Remove from list"), this, [this, folder] {
            QStringList left = m_folders.folders();
            left.removeOne(folder);
            setFolders(left);
        });
    }
    menu->addSeparator();
    menu->addAction(tr("Choose folder…"), this, &SavedCallsController::addFolder);
    menu->addAction(tr("Import calls…"), this, [this] { importCalls(); });
    menu->popup(place);
}

// The files that name the server name it as before.
void SavedCallsController::onServerRenamed(const QString &from, const QString &to)
{
    QStringList paths;
    for (const CallFile &file : m_folders.files()) {
        if (!file.problem && file.call.server == from)
            paths.append(file.path);
    }
    changeFiles(paths, [from, to](SavedCall &call) {
        const bool isOfServer = call.server == from;
        call.server = isOfServer ? to : call.server;
        return isOfServer;
    });
    const QList<ui::SavedCallsPanel *> panels = m_window->tabs->findChildren<ui::SavedCallsPanel *>();
    for (ui::SavedCallsPanel *panel : panels) {
        if (!panel->connection() || panel->connection()->spec().name != to)
            continue;
        panel->setServer(to);
        m_window->namePage(panel, panel->title(), panel->source());
    }
}

// On a worker: there may be hundreds of them.
void SavedCallsController::changeFiles(const QStringList &paths, const std::function<bool(SavedCall &)> &change)
{
    if (paths.isEmpty())
        return;
    runOnWorker(
        this, [paths, change] { return changeCalls(paths, change); },
        [this](const std::optional<UnwrittenCalls> &done) {
            const UnwrittenCalls unwritten = done.value_or(UnwrittenCalls());
            const QStringList &names = unwritten.names;
            const qsizetype more = names.size() - MaxNamedFiles;
            QString list = visibleLine(names.first(qMin(names.size(), MaxNamedFiles)).join(u", "_s));
            if (more > 0)
                list = tr("%1 and %2 more").arg(list).arg(more);
            if (!names.isEmpty())
                m_window->notice->say(
                    names.size() == 1 ? tr("%1 was not changed").arg(list) : tr("Not changed: %1").arg(list),
                    unwritten.why);
            m_folders.refresh();
        });
}

void SavedCallsController::rename(const QString &path)
{
    const CallFile *file = m_folders.file(path);
    if (!file || file->problem)
        return;
    auto *dialog = new NameDialog(tr("Rename saved call"), tr("Name:"), file->call.name, m_window);
    dialog->setObjectName(u"savedCallRename"_s);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QInputDialog::textValueSelected, this,
            [this, path](const QString &name) { moveTo(path, name.trimmed()); });
    dialog->open();
}

void SavedCallsController::moveTo(const QString &path, const QString &name)
{
    const auto refuse = [this](const Error &why) { m_window->notice->say(tr("The saved call was not renamed"), why); };
    if (const QString wrong = problemOfCallName(name); !wrong.isEmpty())
        return refuse(Error::local(wrong));
    const Result<SavedCall> file = SavedCall::load(path);
    if (!file)
        return refuse(file.error());
    SavedCall call = *file;
    const QString former = call.name;
    call.name = name;
    call.path = QFileInfo(path).dir().filePath(name + SavedCall::fileEnding());
    if (call.path != path && QFileInfo::exists(call.path))
        return refuse(Error::local(tr("%1 exists already.").arg(call.fileName())));
    if (const Error error = call.save(call.path))
        return refuse(error);
    if (call.path != path && !QFile::remove(path))
        refuse(Error::local(tr("%1 could not be removed.").arg(path)));
    const QList<ui::CallPanel *> panels = tabsOf(path);
    for (ui::CallPanel *panel : panels)
        panel->setSavedCall(SavedCall::load(call.path));
    m_folders.refresh();
    renameReferences(call.path, former, name);
}

// In the other calls of the folder, which use its result.
void SavedCallsController::renameReferences(const QString &path, const QString &from, const QString &to)
{
    const auto refersTo = [](const SavedCall &call, const QString &name) {
        const QList<Placeholder> placeholders = placeholdersOf(call);
        return std::ranges::any_of(placeholders, [&name](const Placeholder &each) {
            return each.kind == Placeholder::Kind::Result && each.name == name;
        });
    };
    QStringList users;
    const QList<CallFile> files = m_folders.filesIn(QFileInfo(path).path());
    for (const CallFile &file : files) {
        if (from != to && file.path != path && !file.problem && refersTo(file.call, from))
            users.append(file.path);
    }
    changeFiles(users, [from, to](SavedCall &call) {
        const QByteArray renamed = withResultsRenamed(call.arguments, from, to);
        const bool isOther = renamed != call.arguments.bytes();
        call.arguments = json::parse(renamed);
        return isOther;
    });
}

void SavedCallsController::remove(const QString &path)
{
    const QString name = QFileInfo(path).fileName();
    if (!app::confirm(m_window, tr("Delete saved call"), tr("Delete the file %1?").arg(visibleLine(path)), tr("Delete"),
                      tr("Keep")))
        return;
    if (!QFile::remove(path))
        m_window->notice->say(tr("The saved call was not deleted"),
                              Error::local(tr("%1 could not be removed.").arg(name)));
    m_folders.refresh();
}

void SavedCallsController::run(const QString &path)
{
    Connection *connection = m_workspace->currentConnection();
    const CallFile *file = m_folders.file(path);
    if (connection && file && !file->problem)
        Q_EMIT runRequested(connection, {ui::OfferRef::Kind::Tool, file->call.tool, path});
}

// leftOut: why others that are there are none of them.
QList<SavedCall> SavedCallsController::callsOf(const QString &folder, const Connection &connection,
                                               QStringList *leftOut) const
{
    QList<SavedCall> calls;
    const QList<ui::OfferedCall> fitting = callsFor(connection);
    for (const ui::OfferedCall &each : fitting) {
        const CallFile *file = m_folders.file(each.path);
        if (!file || QFileInfo(each.path).path() != folder)
            continue;
        if (each.problem.isEmpty())
            calls.append(file->call);
        else if (leftOut)
            leftOut->append(u"%1: %2"_s.arg(visibleLine(each.name, 80), visibleLine(each.problem)));
    }
    return calls;
}

void SavedCallsController::runFolder(const QString &folder)
{
    if (Connection *connection = m_workspace->currentConnection())
        runOn(connection, folder, callsOf(folder, *connection));
    else
        m_window->notice->say(tr("The saved calls were not run"), Error::local(tr("No server is started.")));
}

void SavedCallsController::runOn(Connection *connection, const QString &folder, const QList<SavedCall> &calls)
{
    const auto refuse = [this](const Error &why) { m_window->notice->say(tr("The saved calls were not run"), why); };
    if (connection->state() != Connection::State::Connected)
        return offerStart(connection);
    if (calls.isEmpty())
        return refuse(Error::local(tr("%1 has no saved calls for this server.").arg(visibleLine(folder))));
    const QString howToOrder =
        tr("The calls of a folder run in the order of their file names. "
           "Add that call, or rename one of the two.");
    if (const Error problem = problemOfSuite(calls, howToOrder))
        return refuse(problem);
    confirm(connection, calls, [this, connection, folder, calls] {
        ui::SavedCallsPanel *panel = panelFor(connection, folder, calls);
        m_window->bringForward(panel);
        panel->setFocus();
        panel->run(calls);
        QStringList leftOut;
        callsOf(folder, *connection, &leftOut);
        if (!leftOut.isEmpty())
            panel->noteLeftOut(
                counted(leftOut.size(), tr("1 saved call was skipped"), tr("%1 saved calls were skipped")),
                leftOut.join(u'\n'));
    });
}

// Until it is connected.
void SavedCallsController::offerStart(Connection *connection)
{
    WarningBar *notice = m_window->notice;
    notice->say(tr("The saved calls were not run"),
                Error::local(tr("“%1” is not connected.").arg(visibleLine(connection->spec().name, 60)),
                             tr("Start it first.")));
    notice->offer(tr("Start server"), connection, [connection] {
        if (connection->state() == Connection::State::Disconnected)
            connection->restart();
    });
    connect(connection, &Connection::stateChanged, notice, [notice, connection] {
        if (connection->state() == Connection::State::Connected)
            notice->withdraw(connection);
    });
}

void SavedCallsController::repeat(const QObject *about)
{
    for (const auto &item : m_workspace->items()) {
        Connection *connection = item->connection.get();
        if (connection && connection == about && connection->state() != Connection::State::Connected)
            offerStart(connection);
    }
}

void SavedCallsController::runCurrent()
{
    const Connection *connection = m_workspace->currentConnection();
    if (!connection)
        return runFolder({});
    const QList<ui::OfferAction> actions = actionsFor(callsFor(*connection));
    QStringList folders;
    for (const ui::OfferAction &action : actions) {
        if (action.id.startsWith(RunAction))
            folders.append(action.id.sliced(RunAction.size()));
    }
    const auto *suite = qobject_cast<const ui::SavedCallsPanel *>(m_window->tabs->currentWidget());
    const auto *call = qobject_cast<const ui::CallPanel *>(m_window->tabs->currentWidget());
    const QString current = suite ? suite->source() : call ? QFileInfo(call->ref().savedCall).path() : QString();
    if (folders.contains(current) || folders.size() == 1)
        return runFolder(folders.contains(current) ? current : folders.first());
    if (folders.isEmpty())
        return m_window->notice->say(tr("The saved calls were not run"),
                                     Error::local(tr("No saved calls for this server.")));
    auto *menu = new QMenu(m_window);
    menu->setObjectName(u"runFolderMenu"_s);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (const QString &folder : std::as_const(folders))
        menu->addAction(tr("Run all in %1").arg(folderName(folder)).replace(u'&', u"&&"_s), this,
                        [this, folder] { runFolder(folder); });
    menu->popup(m_window->offers->mapToGlobal(m_window->offers->rect().center()));
}

// Once for all of them: a suite that stops to ask is none.
void SavedCallsController::confirm(Connection *connection, const QList<SavedCall> &calls,
                                   const std::function<void()> &run)
{
    QList<Tool> asked;
    QStringList names;
    for (const SavedCall &call : calls) {
        const Tool *tool = connection->catalog()->tool(call.tool);
        if (!tool || !connection->toolMemory()->asks(*tool) || names.contains(visibleLine(tool->name, 60)))
            continue;
        asked.append(*tool);
        names.append(visibleLine(tool->name, 60));
    }
    if (asked.isEmpty())
        return run();
    const qsizetype more = names.size() - MaxNamedTools;
    QString list = names.first(qMin(names.size(), MaxNamedTools)).join(u", "_s);
    if (more > 0)
        list = tr("%1 and %2 more").arg(list).arg(more);
    auto *box = new QMessageBox(QMessageBox::Warning, tr("Run saved calls?"),
                                tr("These saved calls use tools that may be destructive: %1.").arg(list),
                                QMessageBox::Cancel, m_window);
    box->setObjectName(u"confirmSavedCalls"_s);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setTextFormat(Qt::PlainText);
    QPushButton *yes = box->addButton(tr("Run all"), QMessageBox::AcceptRole);
    box->setDefaultButton(QMessageBox::Cancel);
    connect(connection, &QObject::destroyed, box, &QWidget::close);
    connect(box, &QMessageBox::buttonClicked, connection, [yes, run, connection, asked](QAbstractButton *clicked) {
        if (clicked != yes)
            return;
        for (const Tool &tool : asked)
            connection->toolMemory()->allowForSession(tool);
        run();
    });
    box->open();
}

ui::SavedCallsPanel *SavedCallsController::panelFor(Connection *connection, const QString &folder,
                                                    const QList<SavedCall> &calls)
{
    const QList<ui::SavedCallsPanel *> open = m_window->tabs->findChildren<ui::SavedCallsPanel *>();
    for (ui::SavedCallsPanel *each : open) {
        if (each->source() == folder && each->connection() == connection && !each->isRunning())
            return each;
    }
    ui::SavedCallsPanel *panel = makePanel(connection, connection->spec().name, folder, calls);
    addPanel(panel);
    return panel;
}

ui::SavedCallsPanel *SavedCallsController::makePanel(Connection *connection, const QString &server,
                                                     const QString &folder, const QList<SavedCall> &calls)
{
    auto *panel = new ui::SavedCallsPanel(folder, server, calls, connection);
    connect(panel, &ui::SavedCallsPanel::runRequested, this, [this, panel] { runAgain(panel, {}); });
    connect(panel, &ui::SavedCallsPanel::runOnlyRequested, this,
            [this, panel](const QList<SavedCall> &only) { runAgain(panel, only); });
    connect(panel, &ui::SavedCallsPanel::callChanged, this,
            [this, panel](const SavedCall &call) { writeExpectation(panel, call); });
    connect(panel, &ui::SavedCallsPanel::openRequested, this, [this, panel](const SavedCall &call) {
        if (panel->connection())
            Q_EMIT openRequested(panel->connection(), {ui::OfferRef::Kind::Tool, call.tool, call.path});
    });
    return panel;
}

void SavedCallsController::addPanel(ui::SavedCallsPanel *panel)
{
    m_window->addPage(panel, panel->title(), panel->source(), MainWindow::PageHeight::Whole);
}

bool SavedCallsController::store(const QWidget *page, TabState *tab, TabContents *contents) const
{
    const auto *panel = qobject_cast<const ui::SavedCallsPanel *>(page);
    if (!panel)
        return false;
    const WorkspaceItem *item = m_workspace->itemOf(panel->connection());
    tab->kind = TabState::Kind::SavedCalls;
    tab->place = item ? Place::of(*item) : Place{panel->server(), false, {}};
    tab->folder = panel->source();
    if (contents && !panel->isRunning())
        contents->suite = panel->sharedSuite();
    return true;
}

QWidget *SavedCallsController::restore(const TabState &tab, const TabContents *contents)
{
    if (tab.kind != TabState::Kind::SavedCalls || !contents)
        return nullptr;
    const WorkspaceItem *item = tab.place.in(*m_workspace);
    Connection *connection = item ? item->connection.get() : nullptr;
    if (!connection && !contents->suite)
        return nullptr;
    ui::SavedCallsPanel *panel =
        contents->suite ? makePanel(connection, tab.place.server, tab.folder, {}) : makeNotRun(tab, connection);
    if (contents->suite)
        panel->showSuite(contents->suite);
    addPanel(panel);
    return panel;
}

ui::SavedCallsPanel *SavedCallsController::makeNotRun(const TabState &tab, Connection *connection)
{
    const QString server = connection->spec().name;
    ui::SavedCallsPanel *panel = makePanel(connection, server, tab.folder, callsOf(tab.folder, *connection));
    panel->sayNotRun();
    return panel;
}

// As their files are now. Of those that are run alone, with what they need of others.
void SavedCallsController::runAgain(ui::SavedCallsPanel *panel, const QList<SavedCall> &only)
{
    if (!panel->connection()) {
        panel->say(ui::Tone::ToolError, tr("Not run"), tr("The server is not in the list any more."));
        return;
    }
    QList<SavedCall> calls = callsOf(panel->source(), *panel->connection());
    if (!only.isEmpty()) {
        QSet<QString> wanted;
        for (const SavedCall &call : only)
            wanted.insert(call.name);
        for (auto call = calls.crbegin(); call != calls.crend(); ++call) {
            if (!wanted.contains(call->name))
                continue;
            const QList<Placeholder> placeholders = placeholdersOf(*call);
            for (const Placeholder &each : placeholders) {
                if (each.kind == Placeholder::Kind::Result)
                    wanted.insert(each.name);
            }
        }
        calls.removeIf([&wanted](const SavedCall &call) { return !wanted.contains(call.name); });
    }
    runOn(panel->connection(), panel->source(), calls);
}

// What else has changed in the file meanwhile stays.
void SavedCallsController::writeExpectation(ui::SavedCallsPanel *panel, const SavedCall &call)
{
    const Result<SavedCall> now = SavedCall::load(call.path);
    Error error = now ? Error() : now.error();
    if (now) {
        SavedCall changed = *now;
        changed.expect = call.expect;
        error = changed.save(call.path);
    }
    if (error)
        panel->say(ui::Tone::ToolError, tr("%1 was not changed").arg(call.fileName()), error.message);
    else if (isLeftDifferent(*panel->suite(), call))
        panel->say(ui::Tone::Neutral, tr("Saved to %1").arg(visibleLine(call.fileName())));
    else
        panel->say(ui::Tone::Ok, tr("Saved: %1 now has what it expects.").arg(visibleLine(call.fileName())));
    m_folders.refresh();
}

void SavedCallsController::onRemoved(const QList<const WorkspaceItem *> &items)
{
    const QList<ui::SavedCallsPanel *> panels = m_window->tabs->findChildren<ui::SavedCallsPanel *>();
    for (ui::SavedCallsPanel *panel : panels) {
        if (std::ranges::any_of(items, [panel](const WorkspaceItem *item) {
                return panel->connection() && item->connection.get() == panel->connection();
            }))
            panel->connectionLeaves(tr("The server was removed."));
    }
}

}  // namespace sonde::app
