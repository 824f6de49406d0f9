// Opens the export dialog for sessions.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

class QWidget;

namespace sonde {
class Session;
namespace ui {
class TimelinePanel;
}
}  // namespace sonde

namespace sonde::app {

// Exports the session in the timeline; null: does nothing. selected: proposes the selected rows.
void exportShown(Session *session, const ui::TimelinePanel *timeline, bool selected, QWidget *parent);
void exportSession(Session *session, QWidget *parent);  // all of it; null: does nothing
void exportFile(const QString &path, const QString &serverName, QWidget *parent);

}  // namespace sonde::app
