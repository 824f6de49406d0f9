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
    const auto [shown, ofSession] = m_model->shownOfTotal();
    // The rows of other views are not missing from this one.
    const qsizetype total = m_model->isFiltered() ? ofSession : shown;
    const Operations *operations = m_model->showsCalls() ? m_model->calls()->operations() : nullptr;
    const bool isOfCalls = operations && operations->requestCount() == operations->callCount();
    const QString all = isOfCalls    ? counted(total, tr("1 call"), tr("%1 calls"))
                        : operations ? counted(total, tr("1 request"), tr("%1 requests"))
                                     : grouped(total);
    const QString count = shown == total ? all : tr("%1 of %2").arg(grouped(shown), all);
    const QString spoken = isOfCalls    ? tr("%1 of %2 calls shown")
                           : operations ? tr("%1 of %2 requests shown")
                                        : tr("%1 of %2 records shown");
    // What a server sends is not read from anywhere: without a filter it is there at once.
    const bool isRead = m_model->isFiltering() && (m_model->isFiltered() || !m_session || !m_session->isLive());
    const QString reading = isRead ? tr("Reading %1 %").arg(m_model->percentRead()) : QString();
    setText(reading.isEmpty() ? count : tr("%1 · %2").arg(reading, count));
    setAccessibleName(spoken.arg(shown).arg(total) + (reading.isEmpty() ? QString() : QStringLiteral(", ") + reading));
}

}  // namespace sonde::ui
