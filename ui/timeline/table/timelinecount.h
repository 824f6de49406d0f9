// How much of the session the timeline shows: calls in the view of calls, otherwise records.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/theme/widgets.h"

#include <QPointer>
#include <QTimer>

namespace sonde {
class Session;
}

namespace sonde::ui {

class TimelineModel;

// Updates itself while the session grows, even if the filter hides new records. While rows are being read it shows the
// progress.
class TimelineCount : public TextLabel {
    Q_OBJECT
public:
    TimelineCount(const TimelineModel *model, QWidget *parent);  // the model outlives it

private:
    void refresh();
    void refreshSoon();

    const TimelineModel *m_model;
    QPointer<Session> m_session;
    QTimer m_timer;
};

}  // namespace sonde::ui
