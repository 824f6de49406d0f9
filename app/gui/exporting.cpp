// SPDX-License-Identifier: Apache-2.0
#include "app/gui/exporting.h"

#include "ui/dialogs/exportdialog.h"
#include "ui/timeline/timelinepanel.h"

namespace sonde::app {

void exportShown(Session *session, const ui::TimelinePanel *timeline, bool selected, QWidget *parent)
{
    if (!session || session->size() == 0)
        return;
    ui::ExportSource source;
    source.path = session->path();
    source.session = session;
    source.serverName = session->serverName();
    source.count = session->size();
    source.isFiltered = !timeline->showsAll();
    source.selected = timeline->selectedCount();
    source.startsSelected = selected && source.selected > 0;
    // Of this session: the timeline may show another one before they are chosen.
    if (source.isFiltered)
        source.shownRows = timeline->rowsToExport(false);
    if (source.selected > 0)
        source.selectedRows = timeline->rowsToExport(true);
    ui::ExportDialog dialog(source, parent);
    QObject::connect(session, &QObject::destroyed, &dialog, &QDialog::reject);
    dialog.exec();
}

void exportFile(const QString &path, const QString &serverName, QWidget *parent)
{
    ui::ExportSource source;
    source.path = path;
    source.serverName = serverName;
    ui::ExportDialog(source, parent).exec();
}

}  // namespace sonde::app
