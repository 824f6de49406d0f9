// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/timelinemodel.h"

#include "ui/result/outcometext.h"
#include "ui/timeline/timelinetext.h"

#include <QDateTime>
#include <QElapsedTimer>
#include <algorithm>
#include <chrono>

namespace sonde::ui {

namespace {

using namespace std::chrono_literals;

constexpr auto FlushInterval = 33ms;
constexpr qint64 SliceNs = 5'000'000;
constexpr int RowsBetweenClockReads = 256;
constexpr qint64 LargestErrorRead = 64 * 1024;
constexpr qsizetype KnownErrorCodes = 10'000;
constexpr size_t MostFilteredAnew = 500;

}  // namespace

TimelineModel::TimelineModel(QObject *parent) : QAbstractTableModel(parent)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &TimelineModel::flush);
}

void TimelineModel::setSession(Session *session)
{
    if (m_session == session)
        return;
    if (m_session)
        disconnect(m_session, nullptr, this, nullptr);
    m_session = session;
    if (session) {
        connect(session, &Session::appended, this, &TimelineModel::onAppended);
        connect(session, &Session::changed, this, &TimelineModel::onChanged);
        // At destroyed() its rows are gone already, but the object is still there to be asked.
        connect(session, &QObject::destroyed, this, [this] {
            m_session = nullptr;
            restart();
        });
    }
    restart();
}

void TimelineModel::setView(View view)
{
    if (m_view == view)
        return;
    m_view = view;
    restart();
}

void TimelineModel::setFilter(const QString &text)
{
    const Filter::Parsed parsed = Filter::parse(text);
    if (parsed.problem || text == m_filter.text())
        return;
    m_filter = parsed.filter;
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
    const auto found = std::lower_bound(m_rows.begin(), m_rows.end(), sessionRow,
                                        [](quint32 row, qsizetype wanted) { return qsizetype(row) < wanted; });
    if (found == m_rows.end() || qsizetype(*found) != sessionRow)
        return {};
    return index(int(found - m_rows.begin()), 0);
}

void TimelineModel::onAppended()
{
    if (!m_timer.isActive())
        m_timer.start(FlushInterval);
}

void TimelineModel::onChanged(qsizetype row)
{
    m_changedFirst = m_changedFirst < 0 ? row : std::min(m_changedFirst, row);
    m_changedLast = std::max(m_changedLast, row);
    if (m_filter.dependsOnAnswers() && row < m_scanned)
        m_changedRows.push_back(row);
    onAppended();
}

void TimelineModel::flush()
{
    filterAnew(std::exchange(m_changedRows, {}));
    scanSlice();
    announceChanges();
}

void TimelineModel::restart()
{
    m_timer.stop();
    beginResetModel();
    m_rows.clear();
    m_errorCodes.clear();
    m_scanned = 0;
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
    const qsizetype size = m_session->size();
    std::vector<quint32> hits;
    QElapsedTimer clock;
    clock.start();
    bool outOfTime = false;
    while (m_scanned < size && !outOfTime) {
        const qsizetype until = std::min(size, m_scanned + RowsBetweenClockReads);
        for (; m_scanned < until; ++m_scanned) {
            if (accepts(m_scanned))
                hits.push_back(quint32(m_scanned));
        }
        // A single row may be large: what is read of the file counts, not only how many rows.
        outOfTime = clock.nsecsElapsed() > SliceNs;
    }
    if (!hits.empty()) {
        beginInsertRows({}, int(m_rows.size()), int(m_rows.size() + hits.size()) - 1);
        m_rows.insert(m_rows.end(), hits.begin(), hits.end());
        endInsertRows();
    }
    if (m_scanned < size)
        m_timer.start(m_filter.matchesAll() ? FlushInterval : 0ms);
    setFiltering(m_scanned < size);
}

// A request becomes answered long after it was inserted, and with other calls open the rows lie apart.
void TimelineModel::announceChanges()
{
    const qsizetype first = std::exchange(m_changedFirst, -1);
    const qsizetype last = std::exchange(m_changedLast, -1);
    if (first < 0 || m_rows.empty())
        return;
    const auto from = std::lower_bound(m_rows.begin(), m_rows.end(), quint32(first));
    const auto to = std::upper_bound(m_rows.begin(), m_rows.end(), quint32(last));
    if (from < to)
        Q_EMIT dataChanged(index(int(from - m_rows.begin()), 0),
                           index(int(to - m_rows.begin()) - 1, int(Column::Count) - 1));
}

void TimelineModel::setFiltering(bool filtering)
{
    if (m_filtering == filtering)
        return;
    m_filtering = filtering;
    Q_EMIT filteringChanged();
}

// Rows that were judged before their answers came. Many at once are cheaper to judge with all others, in slices.
void TimelineModel::filterAnew(const std::vector<qsizetype> &rows)
{
    if (rows.size() > MostFilteredAnew) {
        restart();
        return;
    }
    for (const qsizetype row : rows) {
        const auto place = std::lower_bound(m_rows.begin(), m_rows.end(), quint32(row));
        const int at = int(place - m_rows.begin());
        const bool isShown = place != m_rows.end() && *place == quint32(row);
        const bool isAccepted = accepts(row);
        if (isAccepted && !isShown) {
            beginInsertRows({}, at, at);
            m_rows.insert(place, quint32(row));
            endInsertRows();
        } else if (isShown && !isAccepted) {
            beginRemoveRows({}, at, at);
            m_rows.erase(place);
            endRemoveRows();
        }
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
    return inView(m_session->at(row)) && m_matcher->matches(row);
}

bool TimelineModel::inView(const RecordInfo &record) const
{
    using Kind = WireEvent::Kind;
    switch (m_view) {
        case View::Calls:
            return record.kind == Kind::Message && record.messageKind == Message::Kind::Request;
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

int TimelineModel::errorCodeOf(qsizetype row) const
{
    const RecordInfo &record = m_session->at(row);
    if (record.outcome != RowOutcome::ProtocolError)
        return 0;
    const qsizetype answer = record.messageKind == Message::Kind::Error ? row : m_session->partnerOf(row);
    if (answer < 0 || m_session->at(answer).wireLength > LargestErrorRead)
        return 0;
    if (const auto known = m_errorCodes.constFind(answer); known != m_errorCodes.cend())
        return *known;
    if (m_errorCodes.size() > KnownErrorCodes)
        m_errorCodes.clear();
    const int code = m_session->message(answer).toError().code;
    m_errorCodes.insert(answer, code);
    return code;
}

QString TimelineModel::badgeOf(qsizetype row) const
{
    return badgeText(m_session->at(row).outcome, errorCodeOf(row));
}

// In the list of calls a row stands for the exchange: the answer's size says more than the question's.
qint64 TimelineModel::sizeOf(qsizetype row) const
{
    const qsizetype partner = m_view == View::Calls ? m_session->partnerOf(row) : -1;
    return m_session->at(partner >= 0 ? partner : row).wireLength;
}

QString TimelineModel::timeText(qsizetype row, int tableRow) const
{
    const auto relative = [this, row](qsizetype other) {
        const qint64 ns = m_session->at(row).timeNs - (other >= 0 ? m_session->at(other).timeNs : 0);
        return (ns < 0 ? QString() : QStringLiteral("+")) + QString::number(double(ns) / 1e9, 'f', 3);
    };
    switch (m_timeFormat) {
        case TimeFormat::Clock:
            break;
        case TimeFormat::SinceStart:
            return relative(-1);
        case TimeFormat::SincePrevious:
            return tableRow > 0 ? relative(qsizetype(m_rows[size_t(tableRow) - 1])) : relative(-1);
        case TimeFormat::SinceRequest:
            if (const qsizetype partner = m_session->partnerOf(row); partner >= 0 && partner < row)
                return relative(partner);
            break;
    }
    return m_session->wallTime(row).toLocalTime().toString(QStringLiteral("HH:mm:ss.zzz"));
}

QString TimelineModel::displayText(qsizetype row, int tableRow, Column column) const
{
    const RecordInfo &record = m_session->at(row);
    switch (column) {
        case Column::Number:
            return QString::number(row + 1);
        case Column::Time:
            return timeText(row, tableRow);
        case Column::Direction:
            return directionSign(record);
        case Column::Method:
            return rowText(*m_session, row).lead;
        case Column::Outcome:
            return badgeOf(row);
        case Column::Duration:
            // Said once, where the exchange begins.
            return record.messageKind == Message::Kind::Request ? millisecondsText(m_session->durationNs(row))
                                                                : QString();
        case Column::Size:
            return sizeOf(row) > 0 ? sizeText(sizeOf(row)) : QString();
        case Column::Count:
            break;
    }
    return {};
}

QVariant TimelineModel::data(const QModelIndex &index, int role) const
{
    const qsizetype row = sessionRow(index);
    if (!m_session || row < 0 || row >= m_session->size())
        return {};
    const RecordInfo &record = m_session->at(row);
    const auto column = Column(index.column());
    switch (role) {
        case Qt::DisplayRole:
            return displayText(row, index.row(), column);
        case Qt::AccessibleTextRole:
            if (column == Column::Direction)
                return directionWords(record);
            if (column == Column::Method) {
                const RowText text = rowText(*m_session, row);
                return QString(text.lead + QLatin1Char(' ') + text.target + QLatin1Char(' ') + text.more).trimmed();
            }
            return displayText(row, index.row(), column);
        case Qt::TextAlignmentRole:
            return int(column == Column::Duration || column == Column::Size ? Qt::AlignRight | Qt::AlignVCenter
                                                                            : Qt::AlignLeft | Qt::AlignVCenter);
        case RowRole:
            return qlonglong(row);
        case ToneRole:
            return int(toneOf(record.outcome));
        case BadgeRole:
            return badgeOf(row);
        case TargetRole:
            return rowText(*m_session, row).target;
        case MoreRole:
            return rowText(*m_session, row).more;
        case DimRole:
            return record.kind != WireEvent::Kind::Message || record.messageKind != Message::Kind::Request;
        case FindingRole:
            return record.hasProblems || record.isLate;
        case FromServerRole:
            return record.direction == Direction::FromServer;
        case ColorRole:
            return colorOf(row);
        default:
            return {};
    }
}

QVariant TimelineModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    const auto column = Column(section);
    if (role == Qt::TextAlignmentRole)
        return int(column == Column::Duration || column == Column::Size ? Qt::AlignRight | Qt::AlignVCenter
                                                                        : Qt::AlignLeft | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole)
        return {};
    switch (column) {
        case Column::Number:
            return QStringLiteral("#");
        case Column::Time:
            return tr("Time");
        case Column::Direction:
            return role == Qt::DisplayRole ? QString() : tr("Direction");
        case Column::Method:
            return tr("Method");
        case Column::Outcome:
            return tr("Outcome");
        case Column::Duration:
            return tr("ms");
        case Column::Size:
            return tr("Size");
        case Column::Count:
            break;
    }
    return {};
}

}  // namespace sonde::ui
