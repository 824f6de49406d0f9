// Draws when a call began, when something came back, when it waited for a person and when it ended.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/theme/theme.h"
#include "ui/timeline/calls/timescale.h"

#include <QHeaderView>
#include <QMetaType>

namespace sonde::ui {

// What a row has to show of itself. In nanoseconds since the session's start.
struct CallTimes {
    qint64 startNs = 0;
    qint64 firstByteNs = -1;  // -1: nothing has come back
    qint64 endNs = 0;         // of what is still open: now
    bool isOpen = false;
    bool isMoment = false;  // no length: a notification
    Tone tone = Tone::Neutral;
    std::vector<TimeSpan> waits;  // for a person
};

// rect: the cell. Cheap: a few rectangles.
void paintCallTimes(QPainter *painter, const QRect &rect, const CallTimes &times, const TimeScale &scale);
void paintPauses(QPainter *painter, const QRect &rect, const TimeScale &scale);

// The header of the timeline; in one of its sections stands the scale.
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
