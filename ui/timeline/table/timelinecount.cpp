// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/table/timelinecount.h"

#include "core/protocol/numbertext.h"
#include "ui/timeline/table/timelinemodel.h"

#include <chrono>

namespace sonde::ui {

namespace {
constexpr auto Interval = std::chrono::milliseconds(100);
}

TimelineCount::TimelineCount(const TimelineModel *model, QWidget *parent) : TextLabel({}, parent), m_model(model)
{
    setObjectName(QStringLiteral("timelineCount"));
    setDim(true);
    m_timer.setSingleShot(true);
    m_timer.setInterval(Interval);
    connect(&m_timer, &QTimer::timeout, this, &TimelineCount::refresh);
    connect(model, &QAbstractItemModel::rowsInserted, this, &TimelineCount::refresh);
    connect(model, &QAbstractItemModel::rowsRemoved, this, &TimelineCount::refresh);
    connect(model, &QAbstractItemModel::modelReset, this, &TimelineCount::refresh);
    connect(model, &TimelineModel::filteringChanged, this, &TimelineCount::refresh);
    connect(model->calls(), &CallIndex::advanced, this, &TimelineCount::refreshSoon);
    refresh();
}

void TimelineCount::refreshSoon()
{
    if (!m_timer.isActive())
        m_timer.start();
}

void TimelineCount::refresh()
{
    if (m_session != m_model->session()) {
        if (m_session)
            disconnect(m_session, nullptr, this, nullptr);
        m_session = m_model->session();
        if (m_session)
            connect(m_session, &Session::appended, this, &TimelineCount::refreshSoon);
    }
    const auto [shown, total] = m_model->shownOfTotal();
    const bool isOfCalls = m_model->showsCalls();
    const QString all = isOfCalls ? counted(total, tr("1 call"), tr("%1 calls")) : grouped(total);
    const QString count = shown == total ? all : tr("%1 of %2").arg(grouped(shown), all);
    const QString spoken = isOfCalls ? tr("%1 of %2 calls shown") : tr("%1 of %2 records shown");
    const QString reading = m_model->isFiltering() ? tr("Reading %1 %").arg(m_model->percentRead()) : QString();
    setText(reading.isEmpty() ? count : tr("%1 · %2").arg(reading, count));
    setAccessibleName(spoken.arg(shown).arg(total) + (reading.isEmpty() ? QString() : QStringLiteral(", ") + reading));
}

}  // namespace sonde::ui
