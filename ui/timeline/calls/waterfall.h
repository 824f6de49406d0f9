// Draws a call's start, first byte, time waiting for the user, and end.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/theme/theme.h"
#include "ui/timeline/calls/timescale.h"

#include <QHeaderView>
#include <QMetaType>

namespace sonde::ui {

// The times of a row, in nanoseconds since the session's start.
struct CallTimes {
    qint64 startNs = 0;
    qint64 firstByteNs = -1;  // -1: nothing has come back
    qint64 endNs = 0;         // of what is still open: now; of what is standing: the last record
    bool isOpen = false;
    bool isStanding = false;  // a subscription: open as long as the connection, so that its length says nothing
    bool isMoment = false;    // no length: a notification
    Tone tone = Tone::Neutral;
    std::vector<TimeSpan> waits;  // for the user
};

// rect: the cell. Cheap: a few rectangles.
void paintCallTimes(QPainter *painter, const QRect &rect, const CallTimes &times, const TimeScale &scale);
void paintPauses(QPainter *painter, const QRect &rect, const TimeScale &scale);

// The header of the timeline, with the time scale in one section.
class WaterfallHeader : public QHeaderView {
    Q_OBJECT
public:
    WaterfallHeader(int section, QWidget *parent = nullptr);
    void setScale(const TimeScale &scale);

protected:
    void paintSection(QPainter *painter, const QRect &rect, int section) const override;

private:
    std::vector<TimeScale::Tick> ticksThatFit(int width) const;
    int m_section;
    TimeScale m_scale;
};

}  // namespace sonde::ui

Q_DECLARE_METATYPE(sonde::ui::CallTimes)
