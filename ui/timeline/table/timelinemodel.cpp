// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/table/timelinemodel.h"

#include "ui/result/outcometext.h"
#include "ui/timeline/calls/callsmodel.h"
#include "ui/timeline/table/messagesmodel.h"

#include <algorithm>

namespace sonde::ui {

TimelineModel::TimelineModel(QObject *parent)
    : QIdentityProxyModel(parent),
      m_calls(new CallIndex(this)),
      m_messagesModel(new MessagesModel(m_calls, this)),
      m_callsModel(new CallsModel(m_calls, this))
{
    setSourceModel(m_messagesModel);
    for (TimelineRows *each :
         {static_cast<TimelineRows *>(m_messagesModel), static_cast<TimelineRows *>(m_callsModel)}) {
        connect(each, &TimelineRows::readingChanged, this, [this, each] {
            if (each == rows())
                setFiltering(each->isReading());
        });
        connect(each, &TimelineRows::caughtUp, this, [this, each] {
            if (each == rows())
                Q_EMIT caughtUp();
        });
    }
    connect(m_callsModel, &CallsModel::aboutToReplaceRows, this, &TimelineModel::aboutToReplaceRows);
    connect(m_callsModel, &CallsModel::rowsReplaced, this, &TimelineModel::rowsReplaced);
}

TimelineRows *TimelineModel::rows() const
{
    return static_cast<TimelineRows *>(sourceModel());
}

void TimelineModel::setSession(Session *session)
{
    if (m_query.session == session)
        return;
    if (m_query.session)
        disconnect(m_query.session, nullptr, this, nullptr);
    // Views ask about the session while they are told of the reset: it has none until its calls can be asked for.
    m_query.session = nullptr;
    m_query.onlyCallOf = -1;
    rows()->start({});
    m_calls->setSession(session);
    m_query.session = session;
    m_calls->setWanted(this, m_query.view == View::Calls);
    if (session) {
        // At destroyed() its rows are gone already, but the object is still there to be asked.
        connect(session, &QObject::destroyed, this, [this] {
            m_query.session = nullptr;
            m_query.onlyCallOf = -1;
            restart();
        });
    }
    restart();
}

void TimelineModel::setView(View view)
{
    if (m_query.view == view)
        return;
    m_calls->setWanted(this, view == View::Calls || m_query.onlyCallOf >= 0);
    m_query.view = view;
    restart();
}

void TimelineModel::setOnlyCallOf(qsizetype sessionRow)
{
    if (m_query.onlyCallOf == sessionRow)
        return;
    m_calls->setWanted(this, m_query.view == View::Calls || sessionRow >= 0);
    m_query.onlyCallOf = sessionRow;
    restart();
}

void TimelineModel::setFilter(const Filter &filter)
{
    if (filter.text() == m_query.filter.text())
        return;
    m_query.filter = filter;
    restart();
}

// The model that is not shown has no rows.
void TimelineModel::restart()
{
    startHighlighting();
    TimelineRows *before = rows();
    TimelineRows *now = m_query.view == View::Calls ? static_cast<TimelineRows *>(m_callsModel) : m_messagesModel;
    if (before != now) {
        setSourceModel(now);
        before->start({});
    }
    now->start(m_query);
    setFiltering(now->isReading());
}

void TimelineModel::setFiltering(bool filtering)
{
    if (m_filtering == filtering)
        return;
    m_filtering = filtering;
    Q_EMIT filteringChanged();
}

void TimelineModel::setHighlights(const QList<std::pair<Filter, Tone>> &highlights)
{
    m_highlights = highlights;
    startHighlighting();
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, int(Column::Count) - 1), {HighlightRole});
}

// Matchers are bound to the session and know its names.
void TimelineModel::startHighlighting()
{
    m_highlightMatchers.clear();
    if (!m_query.session)
        return;
    for (const auto &highlight : std::as_const(m_highlights))
        m_highlightMatchers.emplace_back(highlight.first, m_query.session);
}

int TimelineModel::highlightOf(qsizetype row) const
{
    if (row < 0)
        return -1;
    const auto matches = [row](FilterMatcher &matcher) { return matcher.matches(row); };
    const auto found = std::find_if(m_highlightMatchers.begin(), m_highlightMatchers.end(), matches);
    return found == m_highlightMatchers.end() ? -1 : int(m_highlights.at(found - m_highlightMatchers.begin()).second);
}

void TimelineModel::setTimeFormat(TimeFormat format)
{
    m_timeFormat = format;
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, int(Column::Time)), index(rowCount() - 1, int(Column::Time)));
}

// Empty: as the clock has it.
QString TimelineModel::timeText(int place) const
{
    const qsizetype row = rows()->sessionRow(place);
    if (row < 0)
        return {};
    const auto relative = [this, row](qsizetype other) {
        const qint64 ns = session()->at(row).timeNs - (other >= 0 ? session()->at(other).timeNs : 0);
        return (ns < 0 ? QString() : QStringLiteral("+")) + QString::number(double(ns) / 1e9, 'f', 3);
    };
    switch (m_timeFormat) {
        case TimeFormat::Clock:
            break;
        case TimeFormat::SinceStart:
            return relative(-1);
        case TimeFormat::SincePrevious:
            return relative(rows()->sessionRow(place - 1));
        case TimeFormat::SinceRequest:
            if (const qsizetype partner = session()->partnerOf(row); partner >= 0 && partner < row)
                return relative(partner);
            break;
    }
    return {};
}

QVariant TimelineModel::data(const QModelIndex &index, int role) const
{
    if (role == HighlightRole)
        return highlightOf(m_query.session ? sessionRow(index) : -1);
    const bool isTime =
        index.column() == int(Column::Time) && (role == Qt::DisplayRole || role == Qt::AccessibleTextRole);
    if (const QString time = isTime && m_query.session ? timeText(index.row()) : QString(); !time.isEmpty())
        return time;
    return QIdentityProxyModel::data(index, role);
}

qsizetype TimelineModel::sessionRow(const QModelIndex &index) const
{
    return rows()->sessionRow(index.row());
}

QModelIndex TimelineModel::indexOfRow(qsizetype sessionRow) const
{
    return index(rows()->placeOf(sessionRow), 0);
}

QModelIndex TimelineModel::indexStandingFor(qsizetype sessionRow) const
{
    return index(rows()->placeStandingFor(sessionRow), 0);
}

std::vector<qsizetype> TimelineModel::recordsOf(const QModelIndex &index) const
{
    return sessionRow(index) < 0 ? std::vector<qsizetype>() : rows()->recordsOf(index.row());
}

TimelineModel::Expansion TimelineModel::expansion(const QModelIndex &index) const
{
    return showsCalls() ? m_callsModel->expansion(index.row()) : Expansion::None;
}

void TimelineModel::setExpanded(const QModelIndex &index, bool expanded)
{
    if (showsCalls())
        m_callsModel->setExpanded(index.row(), expanded);
}

void TimelineModel::setAllExpanded(bool expanded)
{
    m_callsModel->setAllExpanded(expanded);
}

void TimelineModel::reveal(qsizetype sessionRow)
{
    m_callsModel->reveal(sessionRow);
}

QModelIndex TimelineModel::callOf(const QModelIndex &index) const
{
    return showsCalls() ? this->index(m_callsModel->callOf(index.row()), index.column()) : QModelIndex();
}

int TimelineModel::percentRead() const
{
    const qsizetype size = m_query.session ? m_query.session->size() : 0;
    return size == 0 ? 100 : int(rows()->rowsRead() * 100 / size);
}

std::pair<qsizetype, qsizetype> TimelineModel::shownOfTotal() const
{
    return m_query.session ? rows()->shownOfTotal() : std::pair<qsizetype, qsizetype>();
}

std::pair<QString, QString> TimelineModel::whyNothingIsShown() const
{
    if (!m_query.session)
        return {tr("No session"), tr("Connect to a server, or open a recorded session.")};
    if (m_query.session->size() == 0 && m_query.session->isLoading())
        return {tr("Loading the session…"), tr("%1 loaded.").arg(sizeText(m_query.session->fileSize()))};
    if (m_query.session->size() == 0 && !m_query.session->isLive())
        return {tr("Empty session"), tr("It contains no records.")};
    if (m_query.session->size() == 0)
        return {tr("No messages yet"), tr("Every message sent or received will appear here.")};
    if (m_filtering)
        return {tr("Searching…"), {}};
    if (m_query.onlyCallOf >= 0)
        return {tr("Nothing in this call matches"), tr("Change the filter, or show all calls.")};
    const bool isOfAll = m_query.view == View::Everything;
    if (!m_query.filter.matchesAll())
        return {isOfAll ? tr("No matching records") : tr("No matches in this view"),
                isOfAll ? tr("Change the filter, or clear it.") : tr("Change the filter, or choose All.")};
    const QString others = tr("Other records are listed under All.");
    if (m_query.view == View::Stderr)
        return {tr("No stderr output"), others};
    if (m_query.view == View::Messages)
        return {tr("No messages"), others};
    return {tr("No calls"),
            m_query.session->isLive() ? tr("Call a tool, read a resource or get a prompt. %1").arg(others) : others};
}

}  // namespace sonde::ui
