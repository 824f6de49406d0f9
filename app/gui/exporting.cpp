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
    source.shownRows = [timeline] { return timeline->rowsToExport(false); };
    source.selectedRows = [timeline] { return timeline->rowsToExport(true); };
    ui::ExportDialog(source, parent).exec();
}

void exportFile(const QString &path, const QString &serverName, QWidget *parent)
{
    ui::ExportSource source;
    source.path = path;
    source.serverName = serverName;
    ui::ExportDialog(source, parent).exec();
}

}  // namespace sonde::app
