// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/table/messagesmodel.h"

#include <algorithm>

namespace sonde::ui {

namespace {
constexpr size_t MaxFilteredAgain = 500;
}

MessagesModel::MessagesModel(CallIndex *calls, QObject *parent) : TimelineRows(calls, parent)
{
    connect(calls, &CallIndex::advanced, this, &MessagesModel::onCallsRead);
}

void MessagesModel::clear()
{
    m_changedFirst = m_changedLast = -1;
    m_changedRows.clear();
    m_lastSeen = -1;
}

std::pair<qsizetype, qsizetype> MessagesModel::shownOfTotal() const
{
    return {qsizetype(m_rows.size()), m_query.session ? m_query.session->size() : 0};
}

int MessagesModel::placeOf(qsizetype sessionRow) const
{
    if (sessionRow < 0)
        return -1;
    const auto found = std::lower_bound(m_rows.begin(), m_rows.end(), quint32(sessionRow));
    return found != m_rows.end() && qsizetype(*found) == sessionRow ? int(found - m_rows.begin()) : -1;
}

// Which rows belong to the call is known as far as the calls have been read.
qsizetype MessagesModel::scanEnd() const
{
    return isOfOneCall() ? m_calls->operations()->scanned() : m_query.session->size();
}

void MessagesModel::look(qsizetype row, std::vector<quint32> &hits)
{
    if (accepts(row))
        hits.push_back(quint32(row));
}

bool MessagesModel::accepts(qsizetype row)
{
    const bool isWanted = !isOfOneCall() || (m_calls->operationOf(row) >= 0 && m_calls->operationOf(row) == onlyCall());
    return isWanted && isInView(m_query.session->at(row)) && m_matcher->matches(row);
}

bool MessagesModel::isInView(const RecordInfo &record) const
{
    using Kind = WireEvent::Kind;
    if (m_query.view == View::Messages)
        return record.kind == Kind::Message || record.kind == Kind::Junk || record.kind == Kind::Partial;
    return m_query.view == View::Everything || record.kind == Kind::Stderr;
}

void MessagesModel::onChanged(qsizetype row)
{
    // A request's row shows what was found about its response.
    const qsizetype partner = m_query.session->partnerOf(row);
    const qsizetype first = partner >= 0 ? std::min(row, partner) : row;
    m_changedFirst = m_changedFirst < 0 ? first : std::min(m_changedFirst, first);
    m_changedLast = std::max(m_changedLast, row);
    if (m_query.filter.dependsOnResponses() && row < m_scanned)
        m_changedRows.push_back(row);
    wake();
}

void MessagesModel::onTimer()
{
    filterAgain(std::exchange(m_changedRows, {}));
    scanSlice();
    // A request gets its response long after it was inserted, and with other calls open the rows lie apart.
    announce(std::exchange(m_changedFirst, -1), std::exchange(m_changedLast, -1));
}

// Rows that were judged before their responses came. Many at once are cheaper to judge with all others, in slices.
void MessagesModel::filterAgain(const std::vector<qsizetype> &rows)
{
    if (rows.size() > MaxFilteredAgain) {
        restart();
        return;
    }
    for (const qsizetype row : rows) {
        const auto place = std::lower_bound(m_rows.begin(), m_rows.end(), quint32(row));
        const size_t at = size_t(place - m_rows.begin());
        const bool isShown = place != m_rows.end() && *place == quint32(row);
        const bool isAccepted = accepts(row);
        if (isAccepted && !isShown)
            insertAt(at, {quint32(row)});
        else if (isShown && !isAccepted)
            removeAt(at, 1);
    }
}

void MessagesModel::onCallsRead(const std::vector<qsizetype> &calls, qsizetype first, qsizetype last)
{
    if (!m_query.session)
        return;
    announce(first, last);
    if (!isOfOneCall())
        return;
    scanSlice();
    if (std::binary_search(calls.begin(), calls.end(), onlyCall()))
        showLinkedLate();
}

// The HTTP request of a message stands before it, but is linked after it.
void MessagesModel::showLinkedLate()
{
    const Operations &operations = *m_calls->operations();
    qsizetype row = m_lastSeen >= 0 ? operations.rowAfter(m_lastSeen) : operations.requestRow(onlyCall());
    for (; row >= 0; row = operations.rowAfter(row)) {
        m_lastSeen = row;
        if (operations.role(row) == RecordRole::Transport && row < m_scanned)
            filterAgain({row});
    }
}

// Rows of the session.
void MessagesModel::announce(qsizetype firstRow, qsizetype lastRow)
{
    if (firstRow < 0 || m_rows.empty())
        return;
    const auto from = std::lower_bound(m_rows.begin(), m_rows.end(), quint32(firstRow));
    const auto to = std::upper_bound(m_rows.begin(), m_rows.end(), quint32(lastRow));
    if (from < to)
        announcePlaces(size_t(from - m_rows.begin()), size_t(to - m_rows.begin()) - 1);
}

}  // namespace sonde::ui
