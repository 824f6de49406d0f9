// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/calls/callsmodel.h"

#include "core/protocol/methods.h"
#include "ui/result/outcometext.h"
#include "ui/timeline/calls/callwords.h"

#include <algorithm>

namespace sonde::ui {

namespace {

constexpr qint64 BulkSliceNs = 3'000'000;
constexpr size_t MaxCallsFilteredAgain = 500;
constexpr int MaxRowsFilteredAgain = 256;  // of one call

template <typename Number>
void sortUnique(std::vector<Number> &numbers)
{
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

}  // namespace

CallsModel::CallsModel(CallIndex *calls, QObject *parent) : TimelineRows(calls, parent)
{
    connect(calls, &CallIndex::advanced, this, &CallsModel::onCallsRead);
    connect(calls, &CallIndex::sessionChanged, this, [this] {
        m_bulk.reset();
        m_expansion.setOperations(m_calls->operations());
    });
}

void CallsModel::clear()
{
    if (m_bulk)
        m_expansion = m_bulk->expansion();
    m_bulk.reset();
    m_waiting.clear();
    m_changedRows.clear();
    m_found = 0;
}

qsizetype CallsModel::callAt(qsizetype row) const
{
    return m_expansion.isStep(row) ? -1 : m_calls->operationOf(row);
}

// Without a filter the calls are listed, otherwise the rows of the session are looked at.
qsizetype CallsModel::scanEnd() const
{
    return showsAll() ? operations().size() : operations().scanned();
}

qsizetype CallsModel::rowsRead() const
{
    return showsAll() ? operations().scanned() : m_scanned;
}

std::pair<qsizetype, qsizetype> CallsModel::shownOfTotal() const
{
    const qsizetype all = operations().requestCount();
    const qsizetype shown = showsAll() ? qsizetype(m_scanned) : qsizetype(m_found);
    return {shown == operations().size() ? all : qMin(shown, all), all};
}

// Every call has rows that are not this or that: then only the request and its responses are asked.
bool CallsModel::countsForCall(qsizetype row) const
{
    const RecordRole role = operations().role(row);
    return m_query.filter.isNegative() ? role == RecordRole::Request || role == RecordRole::Response
                                       : role != RecordRole::Transport;
}

void CallsModel::look(qsizetype at, std::vector<quint32> &hits)
{
    if (showsAll()) {
        m_expansion.append(hits, at);
        return;
    }
    const qsizetype call = m_calls->operationOf(at);
    if (call < 0 || (!hits.empty() && hits.back() == quint32(call)) || (m_query.onlyCallOf >= 0 && call != onlyCall()))
        return;
    if (countsForCall(at) && m_matcher->matches(at))
        hits.push_back(quint32(call));
}

bool CallsModel::accepts(qsizetype call)
{
    if (m_query.onlyCallOf >= 0 && call != onlyCall())
        return false;
    qsizetype row = operations().requestRow(call);
    for (int looked = 0; row >= 0 && looked < MaxRowsFilteredAgain; ++looked, row = operations().rowAfter(row)) {
        if (countsForCall(row) && m_matcher->matches(row))
            return true;
    }
    return false;
}

// The hits are rows where everything is shown, and otherwise calls, some of which may be shown already.
void CallsModel::show(std::vector<quint32> hits)
{
    if (showsAll()) {
        insertAt(m_rows.size(), hits);
        return;
    }
    sortUnique(hits);
    const qsizetype lastShown = m_rows.empty() ? -1 : m_calls->operationOf(m_rows.back());
    std::vector<quint32> newest;
    for (const quint32 call : hits) {
        const bool isNewest = qsizetype(call) > lastShown;
        const CallExpansion::Span span = isNewest ? CallExpansion::Span() : m_expansion.find(m_rows, call);
        if (span.count > 0)
            continue;
        if (m_query.onlyCallOf >= 0)
            m_expansion.set(call, true);
        ++m_found;
        if (isNewest) {
            m_expansion.append(newest, call);
            continue;
        }
        std::vector<quint32> rows;
        m_expansion.append(rows, call);
        insertAt(span.first, rows);
    }
    insertAt(m_rows.size(), newest);
}

// Calls that changed: they get their new steps.
void CallsModel::grow(std::vector<qsizetype> calls)
{
    if (m_rows.empty() || calls.empty())
        return;
    sortUnique(calls);
    const qsizetype lastShown = m_calls->operationOf(m_rows.back());
    size_t first = m_rows.size();
    size_t last = 0;
    for (const qsizetype call : calls) {
        if (call > lastShown)
            break;
        const CallExpansion::Span span = m_expansion.find(m_rows, call);
        if (span.count == 0)
            continue;
        first = std::min(first, span.first);
        last = std::max(last, span.first + span.count - 1);
        if (!m_expansion.isExpanded(call))
            continue;
        const std::vector<quint32> steps = m_expansion.stepsAfter(m_rows[span.first + span.count - 1]);
        insertAt(span.first + span.count, steps);
        last = std::max(last, span.first + span.count + steps.size() - 1);
    }
    if (first <= last)
        announcePlaces(first, last);
}

void CallsModel::onCallsRead(const std::vector<qsizetype> &calls)
{
    if (!m_query.session)
        return;
    if (m_bulk) {
        m_waiting.insert(m_waiting.end(), calls.begin(), calls.end());
        return;
    }
    grow(calls);
    scanSlice();
    // A call that was open where the file ends is now known to have got no response. Those who were told of the new
    // rows may have closed the session.
    if (m_query.session && m_calls->isComplete() && !m_query.session->isLive() && !m_rows.empty())
        announcePlaces(0, m_rows.size() - 1);
}

void CallsModel::onChanged(qsizetype row)
{
    m_changedRows.push_back(row);
    wake();
}

void CallsModel::onTimer()
{
    if (m_bulk) {
        replaceRows();
        return;
    }
    grow(std::exchange(m_waiting, {}));
    // Their outcome or their partner became known.
    std::vector<qsizetype> calls;
    for (const qsizetype row : std::exchange(m_changedRows, {})) {
        if (const qsizetype call = m_calls->operationOf(row); call >= 0)
            calls.push_back(call);
    }
    sortUnique(calls);
    if (m_query.filter.dependsOnResponses() && calls.size() > MaxCallsFilteredAgain) {
        restart();
        return;
    }
    if (m_query.filter.dependsOnResponses())
        filterAgain(calls);
    grow(std::move(calls));
    scanSlice();
}

void CallsModel::filterAgain(const std::vector<qsizetype> &calls)
{
    for (const qsizetype call : calls) {
        const CallExpansion::Span span = m_expansion.find(m_rows, call);
        const bool isAccepted = accepts(call);
        if (isAccepted && span.count == 0) {
            show({quint32(call)});
        } else if (!isAccepted && span.count > 0) {
            --m_found;
            removeAt(span.first, span.count);
        }
    }
}

int CallsModel::placeOf(qsizetype sessionRow) const
{
    if (sessionRow < 0 || m_rows.empty())
        return -1;
    const size_t place = m_expansion.placeOf(m_rows, sessionRow);
    return place < m_rows.size() ? int(place) : -1;
}

int CallsModel::placeStandingFor(qsizetype sessionRow) const
{
    if (sessionRow < 0 || !m_query.session)
        return -1;
    if (const int place = placeOf(sessionRow); place >= 0)
        return place;
    const int place = placeOf(m_query.session->partnerOf(sessionRow));
    const qsizetype call = m_calls->operationOf(sessionRow);
    return place >= 0 || call < 0 ? place : placeOf(operations().requestRow(call));
}

// Of a collapsed call whatever belongs to it, of a request also its response.
std::vector<qsizetype> CallsModel::recordsOf(int place) const
{
    const qsizetype row = sessionRow(place);
    const qsizetype call = callAt(row);
    if (call >= 0 && !m_expansion.isExpanded(call))
        return operations().rows(call);
    const qsizetype partner = m_query.session->partnerOf(row);
    return partner >= 0 ? std::vector{row, partner} : std::vector{row};
}

CallsModel::Expansion CallsModel::expansionOf(qsizetype row) const
{
    const qsizetype call = row < 0 ? -1 : callAt(row);
    if (call < 0 || !operations().at(call).hasSteps)
        return Expansion::None;
    return m_expansion.isExpanded(call) ? Expansion::Expanded : Expansion::Collapsed;
}

void CallsModel::setExpanded(int place, bool expanded)
{
    const Expansion now = expansion(place);
    if (now == Expansion::None || (now == Expansion::Expanded) == expanded)
        return;
    const qsizetype call = callAt(sessionRow(place));
    const CallExpansion::Span span = m_expansion.find(m_rows, call);
    m_expansion.set(call, expanded);
    if (m_bulk)
        m_bulk->set(call, expanded);
    if (expanded)
        insertAt(span.first + 1, m_expansion.stepsAfter(m_rows[span.first]));
    else
        removeAt(span.first + 1, span.count - 1);
    announcePlaces(span.first, span.first);
}

void CallsModel::setAllExpanded(bool expanded)
{
    if (!m_query.session) {
        m_expansion.setAll(expanded);
        return;
    }
    m_bulk.emplace(m_expansion, expanded);
    setReading(true);
    replaceRows();
}

void CallsModel::replaceRows()
{
    m_timer.start(0);
    if (!m_bulk->advance(m_rows, operations(), BulkSliceNs))
        return;
    std::vector<quint32> rows = m_bulk->takeRows();
    m_expansion = m_bulk->expansion();
    m_bulk.reset();
    if (rows.empty())
        return;
    Q_EMIT aboutToReplaceRows();
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
    Q_EMIT rowsReplaced();
}

void CallsModel::reveal(qsizetype sessionRow)
{
    if (!m_query.session || !operations().isStep(sessionRow))
        return;
    const CallExpansion::Span span = m_expansion.find(m_rows, m_calls->operationOf(sessionRow));
    if (span.count > 0)
        setExpanded(int(span.first), true);
}

int CallsModel::callOf(int place) const
{
    const qsizetype row = sessionRow(place);
    return row >= 0 && isStep(row) ? int(m_expansion.find(m_rows, m_calls->operationOf(row)).first) : -1;
}

RowText CallsModel::lineOf(qsizetype row) const
{
    return isStep(row) ? stepText(*m_query.session, operations(), row) : TimelineRows::lineOf(row);
}

// A call has the outcome of the last of its requests.
QString CallsModel::badgeOf(qsizetype row) const
{
    if (const qsizetype call = callAt(row); call >= 0) {
        const RowOutcome outcome = operations().outcome(call);
        if (outcome == RowOutcome::Pending && m_calls->isReadingOn())
            return {};
        const qsizetype current = operations().at(call).currentRow;
        return badgeFor(row, outcome, outcome == m_query.session->at(current).outcome ? errorCodeOf(current) : 0);
    }
    if (operations().role(row) == RecordRole::InputRequired)
        return {};
    const QString serverRequest = serverRequestBadge(*m_query.session, row);
    return serverRequest.isEmpty() ? TimelineRows::badgeOf(row) : serverRequest;
}

Tone CallsModel::badgeToneOf(qsizetype row) const
{
    if (const qsizetype call = callAt(row); call >= 0)
        return toneFor(row, operations().outcome(call));
    return serverRequestBadge(*m_query.session, row).isEmpty() ? TimelineRows::badgeToneOf(row) : Tone::Asks;
}

QString CallsModel::markOf(qsizetype row) const
{
    const LinkReason reason = m_calls->reason(row);
    return reason == LinkReason::None || isDoubt(reason) ? TimelineRows::markOf(row) : tr("≈ inferred");
}

QString CallsModel::durationOf(qsizetype row) const
{
    const qsizetype call = callAt(row);
    if (call < 0)
        return TimelineRows::durationOf(row);
    const CallTimes times = timesOf(row);
    const bool isKnown = (times.isOpen && !times.isStanding) || operations().durationNs(call) >= 0;
    return isKnown ? millisecondsText(times.endNs - times.startNs) : QString();
}

// The size of the response says more than that of the request.
qint64 CallsModel::sizeOf(qsizetype row) const
{
    const qsizetype partner = callAt(row) < 0 ? -1 : m_query.session->partnerOf(exchangeOf(row));
    return TimelineRows::sizeOf(partner >= 0 ? partner : row);
}

qsizetype CallsModel::exchangeOf(qsizetype row) const
{
    const qsizetype call = callAt(row);
    return call < 0 ? row : qsizetype(operations().at(call).currentRow);
}

CallTimes CallsModel::timesOf(qsizetype row) const
{
    const qsizetype call = callAt(row);
    CallTimes times = call >= 0 ? timesOfCall(operations(), call, m_calls->nowNs())
                                : timesOfStep(*m_query.session, operations(), row, m_calls->nowNs());
    // Its end may be among what is still to be read: only the start is known.
    if (times.isOpen && m_calls->isReadingOn()) {
        times.isOpen = false;
        times.isMoment = true;
        times.endNs = times.startNs;
        times.waits.clear();
    }
    const Session &session = *m_query.session;
    times.isStanding = times.isOpen && session.name(session.at(row).method) == methods::Listen;
    if (times.isStanding)
        times.endNs = session.at(session.size() - 1).timeNs;
    return times;
}

QString CallsModel::timesHintOf(qsizetype row) const
{
    return timesHint(*m_query.session, row, timesOf(row));
}

}  // namespace sonde::ui
