// The workspace's list of servers: adding, editing, removing.
// SPDX-License-Identifier: Apache-2.0
#include "app/gui/mainwindow.h"
#include "app/gui/workspace.h"
#include "core/protocol/visibletext.h"
#include "ui/dialogs/serverdialog.h"
#include "ui/panels/serverlist.h"
#include "ui/theme/keys.h"
#include "ui/timeline/timelinepanel.h"

#include <QDir>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>

using namespace Qt::StringLiterals;

namespace sonde::app {

void Workspace::connectLine(const QString &line, const QString &folder)
{
    Result<ServerSpec> read = ServerSpec::fromLine(line);
    if (!read) {
        showError(tr("Cannot connect to this"), read.error());
        return;
    }
    ServerSpec spec = std::move(read).value();
    if (spec.kind == ServerSpec::Kind::Stdio && folder != QDir::homePath())
        spec.workingDirectory = folder;
    addAndConnect(spec);
}

QString Workspace::nameProblem(const QString &name) const
{
    const bool isTaken = m_store.server(name) || name == demoSpec().name;
    return isTaken ? tr("There is a server of this name already.") : QString();
}

void Workspace::addServer()
{
    ServerSpec fresh;
    ui::ServerDialog dialog(
        fresh, true, [this](const QString &name) { return nameProblem(name); }, m_window);
    if (dialog.exec() == QDialog::Accepted)
        addAndConnect(dialog.spec());
}

void Workspace::edit(int row)
{
    if (row < 0 || row >= int(m_items.size()))
        return;
    Item &item = *m_items[size_t(row)];
    if (item.isBuiltIn || item.kind != ui::ServerItem::Kind::Server)
        return;
    const QString oldName = item.spec.name;
    ui::ServerDialog dialog(
        item.spec, false, [this](const QString &name) { return nameProblem(name); }, m_window);
    if (dialog.exec() != QDialog::Accepted)
        return;
    const ServerSpec spec = dialog.spec();
    item.spec.name = spec.name;  // so that the item is recognised when the store tells of the change
    if (const Error error = m_store.replace(oldName, spec)) {
        item.spec.name = oldName;
        showError(tr("The server could not be changed"), error);
    } else if (spec.name != oldName) {
        (void)m_arguments.renameServer(oldName, spec.name);
    }
}

void Workspace::remove(int row)
{
    if (row < 0 || row >= int(m_items.size()))
        return;
    Item *item = m_items[size_t(row)].get();
    if (item->isBuiltIn)
        return;
    if (item->kind == ui::ServerItem::Kind::Session) {
        std::vector<std::unique_ptr<Item>> gone;
        gone.push_back(std::move(m_items[size_t(row)]));
        m_items.erase(m_items.begin() + row);
        leave(std::move(gone), row);
        return;
    }
    const QString name = item->spec.name;
    QMessageBox box(QMessageBox::Question, tr("Remove server"),
                    tr("Remove “%1” from the list? Its recorded sessions are kept.").arg(visibleLine(name)),
                    QMessageBox::Cancel, m_window);
    box.setTextFormat(Qt::PlainText);
    QPushButton *yes = box.addButton(tr("Remove"), QMessageBox::DestructiveRole);
    box.exec();
    if (box.clickedButton() != yes)
        return;
    (void)m_arguments.forgetServer(name);
    if (const Error error = m_store.remove(name))
        showError(tr("The server could not be removed"), error);
}

void Workspace::serverMenu(const QPoint &position)
{
    const QModelIndex index = m_window->serverList->indexAt(position);
    if (!index.isValid())
        return;
    const int row = index.row();
    Item *item = m_items[size_t(row)].get();
    QMenu menu;
    const auto add = [&menu, this](const QString &text, auto action) {
        connect(menu.addAction(text), &QAction::triggered, this, action);
    };
    if (item->kind == ui::ServerItem::Kind::Session) {
        add(tr("Replay…"), [this, path = item->session->path()] { askToReplay(path); });
        add(tr("Compare…"), [this, row] { compare(row); });
        add(tr("Close session"), [this, row] { remove(row); });
    } else {
        if (index.data(ui::ServerListModel::CanStartRole).toBool())
            add(tr("Start"), [this, row] { start(row); });
        if (index.data(ui::ServerListModel::CanStopRole).toBool())
            add(tr("Stop"), [this, row] { stop(row); });
        add(tr("Server info"), [this, row] {
            select(row);
            showPage(*m_items[size_t(row)]);
        });
        if (item->connection) {
            add(tr("Restart") + u'\t' + ui::keyText(ui::keys::Restart), [this, row] { restart(row); });
            if (const QString path = item->connection->session()->path(); !path.isEmpty())
                add(tr("Replay…"), [this, path] { askToReplay(path); });
            add(tr("Compare…"), [this, row] { compare(row); });
        }
        if (!item->isBuiltIn) {
            menu.addSeparator();
            add(tr("Edit…"), [this, row] { edit(row); });
            add(tr("Remove…"), [this, row] { remove(row); });
        }
    }
    menu.exec(m_window->serverList->viewport()->mapToGlobal(position));
}

}  // namespace sonde::app
