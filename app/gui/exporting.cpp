// SPDX-License-Identifier: Apache-2.0
#include "app/gui/exporting.h"

#include "ui/dialogs/exportdialog.h"
#include "ui/timeline/timelinepanel.h"

namespace sonde::app {

namespace {

ui::ExportSource sourceOfAll(Session *session)
{
    ui::ExportSource source;
    source.path = session->path();
    source.session = session;
    source.serverName = session->serverName();
    source.count = session->size();
    return source;
}

void showExport(const ui::ExportSource &source, QWidget *parent)
{
    ui::ExportDialog dialog(source, parent);
    QObject::connect(source.session, &QObject::destroyed, &dialog, &QDialog::reject);
    dialog.exec();
}

}  // namespace

void exportShown(Session *session, const ui::TimelinePanel *timeline, bool selected, QWidget *parent)
{
    if (!session || session->size() == 0)
        return;
    ui::ExportSource source = sourceOfAll(session);
    source.isFiltered = !timeline->showsAll();
    source.selected = timeline->selectedCount();
    source.startsSelected = selected && source.selected > 0;
    // Of this session: the timeline may show another one before they are chosen.
    if (source.isFiltered)
        source.shownRows = timeline->rowsToExport(false);
    if (source.selected > 0)
        source.selectedRows = timeline->rowsToExport(true);
    showExport(source, parent);
}

void exportSession(Session *session, QWidget *parent)
{
    if (session)
        showExport(sourceOfAll(session), parent);
}

void exportFile(const QString &path, const QString &serverName, QWidget *parent)
{
    ui::ExportSource source;
    source.path = path;
    source.serverName = serverName;
    ui::ExportDialog(source, parent).exec();
}

}  // namespace sonde::app
