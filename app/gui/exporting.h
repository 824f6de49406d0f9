// Sessions, written for others to read: what the export dialog is asked with.
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

// The session that the timeline shows; null: nothing happens. selected: proposes the selected rows.
void exportShown(Session *session, const ui::TimelinePanel *timeline, bool selected, QWidget *parent);
void exportFile(const QString &path, const QString &serverName, QWidget *parent);

}  // namespace sonde::app
