// How much of the session the timeline shows, in words: calls in the view of calls, records elsewhere.
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

// Keeps itself right while the session grows, also where the filter hides what comes. While not all has been looked at
// it says how far that has come.
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
