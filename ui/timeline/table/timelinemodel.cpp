// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/table/timelinemodel.h"

#include <QElapsedTimer>
#include <algorithm>
#include <chrono>

namespace sonde::ui {

namespace {

using namespace std::chrono_literals;

constexpr auto FlushInterval = 33ms;
constexpr qint64 ModelSliceNs = 5'000'000;
constexpr int ModelRowsBetweenClockReads = 256;
constexpr size_t MaxInsertedAtOnce = 200'000;  // more at once would cost more than the rest of the slice
constexpr size_t ModelMostFilteredAnew = 500;

}  // namespace

TimelineModel::TimelineModel(QObject *parent) : QAbstractTableModel(parent), m_calls(new CallIndex(this))
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &TimelineModel::flush);
    connect(m_calls, &CallIndex::advanced, this, &TimelineModel::onCallsRead);
}

void TimelineModel::setSession(Session *session)
{
    if (m_session == session)
        return;
    if (m_session)
        disconnect(m_session, nullptr, this, nullptr);
    m_session = session;
    m_only = -1;
    m_refolding.reset();
    beginResetModel();
    m_rows.clear();
    m_calls->setSession(session);
    m_folding.setOperations(m_calls->operations());
    endResetModel();
    m_calls->setWanted(this, m_view == View::Calls);
    if (session) {
        connect(session, &Session::appended, this, &TimelineModel::onAppended);
        connect(session, &Session::changed, this, &TimelineModel::onChanged);
        // At destroyed() its rows are gone already, but the object is still there to be asked.
        connect(session, &QObject::destroyed, this, [this] {
            m_session = nullptr;
            m_only = -1;
            m_refolding.reset();
            m_folding.setOperations(nullptr);
            restart();
        });
    }
    restart();
}

void TimelineModel::setView(View view)
{
    if (m_view == view)
        return;
    m_calls->setWanted(this, view == View::Calls || m_only >= 0);
    m_view = view;
    restart();
}

void TimelineModel::setOnlyCallOf(qsizetype sessionRow)
{
    if (m_only == sessionRow)
        return;
    m_calls->setWanted(this, m_view == View::Calls || sessionRow >= 0);
    m_only = sessionRow;
    restart();
}

void TimelineModel::setFilter(const Filter &filter)
{
    if (filter.text() == m_filter.text())
        return;
    m_filter = filter;
    restart();
}

void TimelineModel::setColors(const QList<std::pair<Filter, Tone>> &rules)
{
    m_rules = rules;
    startMatching();
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, int(Column::Count) - 1), {ColorRole});
}

void TimelineModel::setTimeFormat(TimeFormat format)
{
    m_timeFormat = format;
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, int(Column::Time)), index(rowCount() - 1, int(Column::Time)));
}

qsizetype TimelineModel::sessionRow(const QModelIndex &index) const
{
    return index.isValid() && size_t(index.row()) < m_rows.size() ? qsizetype(m_rows[size_t(index.row())]) : -1;
}

QModelIndex TimelineModel::indexOfRow(qsizetype sessionRow) const
{
    if (sessionRow < 0 || m_rows.empty())
        return {};
    if (showsCalls()) {
        const size_t place = m_folding.placeOf(m_rows, sessionRow);
        return place < m_rows.size() ? index(int(place), 0) : QModelIndex();
    }
    const auto found = std::lower_bound(m_rows.begin(), m_rows.end(), sessionRow,
                                        [](quint32 row, qsizetype wanted) { return qsizetype(row) < wanted; });
    if (found == m_rows.end() || qsizetype(*found) != sessionRow)
        return {};
    return index(int(found - m_rows.begin()), 0);
}

void TimelineModel::onAppended()
{
    // Calls appear when the records have been read as such.
    if (!m_timer.isActive() && !showsCalls())
        m_timer.start(FlushInterval);
}

void TimelineModel::onChanged(qsizetype row)
{
    // A request's row shows what was found about its response.
    const qsizetype partner = m_session->partnerOf(row);
    const qsizetype first = partner >= 0 ? std::min(row, partner) : row;
    m_changedFirst = m_changedFirst < 0 ? first : std::min(m_changedFirst, first);
    m_changedLast = std::max(m_changedLast, row);
    if (showsCalls() || (m_filter.dependsOnResponses() && row < m_scanned))
        m_changedRows.push_back(row);
    if (!m_timer.isActive())
        m_timer.start(FlushInterval);
}

void TimelineModel::flush()
{
    if (m_refolding) {
        refold();
        return;
    }
    const std::vector<qsizetype> changed = std::exchange(m_changedRows, {});
    if (showsCalls()) {
        growCalls(std::exchange(m_waiting, {}));
        onCallsChanged(changed);
    } else {
        filterAnew(changed);
    }
    scanSlice();
    // A request becomes answered long after it was inserted, and with other calls open the rows lie apart.
    const qsizetype first = std::exchange(m_changedFirst, -1);
    const qsizetype last = std::exchange(m_changedLast, -1);
    if (!showsCalls())
        announce(first, last);
}

void TimelineModel::restart()
{
    m_timer.stop();
    if (m_refolding)
        m_folding = m_refolding->folding();
    m_refolding.reset();
    m_waiting.clear();
    beginResetModel();
    m_rows.clear();
    m_found = 0;
    m_errorCodes.clear();
    m_scanned = 0;
    m_onlySeen = -1;
    m_changedFirst = m_changedLast = -1;
    m_changedRows.clear();
    startMatching();
    endResetModel();
    scanSlice();
}

void TimelineModel::scanSlice()
{
    if (!m_session) {
        setFiltering(false);
        return;
    }
    const bool isOfCalls = showsCalls() || m_only >= 0;
    const qsizetype size = showsAllCalls() ? m_calls->operations()->size()
                           : isOfCalls     ? m_calls->operations()->scanned()
                                           : m_session->size();
    std::vector<quint32> hits;
    QElapsedTimer clock;
    clock.start();
    bool outOfTime = false;
    while (m_scanned < size && !outOfTime) {
        const qsizetype until = std::min(size, m_scanned + ModelRowsBetweenClockReads);
        for (; m_scanned < until; ++m_scanned) {
            if (showsAllCalls())
                m_folding.append(hits, m_scanned);
            else if (showsCalls())
                scanForCall(m_scanned, hits);
            else if (accepts(m_scanned))
                hits.push_back(quint32(m_scanned));
        }
        // A single row may be large: what is read of the file counts, not only how many rows.
        outOfTime = clock.nsecsElapsed() > ModelSliceNs || hits.size() > MaxInsertedAtOnce;
    }
    if (showsCalls() && !showsAllCalls())
        showCalls(std::move(hits));
    else
        putRows(m_rows.size(), hits);
    if (m_scanned < size)
        m_timer.start(m_filter.matchesAll() ? FlushInterval : 0ms);
    setFiltering(m_scanned < size || (isOfCalls && m_calls->isBehind()));
}

void TimelineModel::putRows(size_t at, const std::vector<quint32> &rows)
{
    if (rows.empty())
        return;
    beginInsertRows({}, int(at), int(at + rows.size()) - 1);
    m_rows.insert(at, rows);
    endInsertRows();
}

void TimelineModel::takeRows(size_t at, size_t count)
{
    if (count == 0)
        return;
    beginRemoveRows({}, int(at), int(at + count) - 1);
    m_rows.erase(at, count);
    endRemoveRows();
}

// Rows of the session, where the list is in their order.
void TimelineModel::announce(qsizetype firstRow, qsizetype lastRow)
{
    if (firstRow < 0 || m_rows.empty())
        return;
    const auto from = std::lower_bound(m_rows.begin(), m_rows.end(), quint32(firstRow));
    const auto to = std::upper_bound(m_rows.begin(), m_rows.end(), quint32(lastRow));
    if (from < to)
        announcePlaces(size_t(from - m_rows.begin()), size_t(to - m_rows.begin()) - 1);
}

void TimelineModel::announcePlaces(size_t first, size_t last)
{
    Q_EMIT dataChanged(index(int(first), 0), index(int(last), int(Column::Count) - 1));
}

void TimelineModel::setFiltering(bool filtering)
{
    if (m_filtering == filtering)
        return;
    m_filtering = filtering;
    Q_EMIT filteringChanged();
}

// Rows that were judged before their responses came. Many at once are cheaper to judge with all others, in slices.
void TimelineModel::filterAnew(const std::vector<qsizetype> &rows)
{
    if (rows.size() > ModelMostFilteredAnew) {
        restart();
        return;
    }
    for (const qsizetype row : rows) {
        const auto place = std::lower_bound(m_rows.begin(), m_rows.end(), quint32(row));
        const size_t at = size_t(place - m_rows.begin());
        const bool isShown = place != m_rows.end() && *place == quint32(row);
        const bool isAccepted = accepts(row);
        if (isAccepted && !isShown)
            putRows(at, {quint32(row)});
        else if (isShown && !isAccepted)
            takeRows(at, 1);
    }
}

// Matchers are bound to the session and know its names.
void TimelineModel::startMatching()
{
    m_matcher.reset();
    m_ruleMatchers.clear();
    if (!m_session)
        return;
    m_matcher.emplace(m_filter, m_session);
    for (const auto &rule : std::as_const(m_rules))
        m_ruleMatchers.emplace_back(rule.first, m_session);
}

int TimelineModel::colorOf(qsizetype row) const
{
    const auto fits = [row](FilterMatcher &matcher) { return matcher.matches(row); };
    const auto found = std::find_if(m_ruleMatchers.begin(), m_ruleMatchers.end(), fits);
    return found == m_ruleMatchers.end() ? -1 : int(m_rules.at(found - m_ruleMatchers.begin()).second);
}

bool TimelineModel::accepts(qsizetype row)
{
    const bool isWanted = m_only < 0 || (m_calls->operationOf(row) >= 0 && m_calls->operationOf(row) == onlyCall());
    return isWanted && inView(m_session->at(row)) && m_matcher->matches(row);
}

bool TimelineModel::inView(const RecordInfo &record) const
{
    using Kind = WireEvent::Kind;
    switch (m_view) {
        case View::Calls:
            return false;  // calls are no records
        case View::Messages:
            return record.kind == Kind::Message || record.kind == Kind::Junk || record.kind == Kind::Partial;
        case View::Stderr:
            return record.kind == Kind::Stderr;
        case View::Everything:
            break;
    }
    return true;
}

int TimelineModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int TimelineModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(Column::Count);
}

}  // namespace sonde::ui
