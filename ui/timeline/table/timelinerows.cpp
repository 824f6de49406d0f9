// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/table/timelinerows.h"

#include "core/calls/exchange.h"
#include "core/calls/recordedcalls.h"
#include "core/protocol/methods.h"
#include "ui/result/outcometext.h"
#include "ui/timeline/calls/callwords.h"

#include <QDateTime>
#include <QElapsedTimer>
#include <algorithm>
#include <chrono>

namespace sonde::ui {

namespace {

using namespace std::chrono_literals;

constexpr auto FlushInterval = 33ms;
constexpr auto FloodInterval = 100ms;
constexpr qsizetype FloodRows = 1000;  // at once: nobody reads them while they pass
constexpr qint64 RowsSliceNs = 5'000'000;
constexpr int RowsBetweenClockReads = 256;
constexpr size_t MaxInsertedAtOnce = 200'000;  // more at once would cost more than the rest of the slice
constexpr qint64 MaxErrorReadBytes = 64 * 1024;
constexpr qsizetype MaxKnownErrorCodes = 10'000;

}  // namespace

TimelineRows::TimelineRows(CallIndex *calls, QObject *parent) : QAbstractTableModel(parent), m_calls(calls)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, [this] { onTimer(); });
}

void TimelineRows::start(const Query &query)
{
    if (m_query.session != query.session) {
        if (m_query.session)
            disconnect(m_query.session, nullptr, this, nullptr);
        if (query.session) {
            connect(query.session, &Session::appended, this, [this] { onAppended(); });
            connect(query.session, &Session::changed, this, [this](qsizetype row) { onChanged(row); });
            // What has no response now gets none from the file any more.
            connect(query.session, &Session::loaded, this, [this] {
                if (!m_rows.empty())
                    announcePlaces(0, m_rows.size() - 1);
            });
        }
    }
    m_query = query;
    restart();
}

void TimelineRows::restart()
{
    m_timer.stop();
    beginResetModel();
    m_rows.clear();
    m_errorCodes.clear();
    m_scanned = 0;
    m_matcher.reset();
    if (m_query.session)
        m_matcher.emplace(m_query.filter, m_query.session);
    clear();
    endResetModel();
    scanSlice();
}

void TimelineRows::scanSlice()
{
    if (!m_query.session) {
        setReading(false);
        return;
    }
    const qsizetype begin = m_scanned;
    const qsizetype end = scanEnd();
    std::vector<quint32> hits;
    QElapsedTimer clock;
    clock.start();
    bool outOfTime = false;
    while (m_scanned < end && !outOfTime) {
        const qsizetype until = std::min(end, m_scanned + RowsBetweenClockReads);
        for (; m_scanned < until; ++m_scanned)
            look(m_scanned, hits);
        // A single row may be large: what is read of the file counts, not only how many rows.
        outOfTime = clock.nsecsElapsed() > RowsSliceNs || hits.size() > MaxInsertedAtOnce;
    }
    m_isFlood = m_scanned - begin > FloodRows;
    show(std::move(hits));
    if (m_scanned < end)
        m_timer.start(m_query.filter.matchesAll() ? FlushInterval : 0ms);
    setReading(m_scanned < end || waitsForCalls());
    if (!isBehind())
        Q_EMIT caughtUp();
}

bool TimelineRows::isBehind() const
{
    return m_query.session && m_scanned < scanEnd();
}

void TimelineRows::setReading(bool reading)
{
    if (m_reading == reading)
        return;
    m_reading = reading;
    Q_EMIT readingChanged();
}

void TimelineRows::wake()
{
    if (!m_timer.isActive())
        m_timer.start(m_isFlood ? FloodInterval : FlushInterval);
}

void TimelineRows::insertAt(size_t at, const std::vector<quint32> &rows)
{
    if (rows.empty())
        return;
    beginInsertRows({}, int(at), int(at + rows.size()) - 1);
    m_rows.insert(m_rows.begin() + qptrdiff(at), rows.begin(), rows.end());
    endInsertRows();
}

void TimelineRows::removeAt(size_t at, size_t count)
{
    if (count == 0)
        return;
    beginRemoveRows({}, int(at), int(at + count) - 1);
    m_rows.erase(m_rows.begin() + qptrdiff(at), m_rows.begin() + qptrdiff(at + count));
    endRemoveRows();
}

void TimelineRows::announcePlaces(size_t first, size_t last)
{
    Q_EMIT dataChanged(index(int(first), 0), index(int(last), int(Column::Count) - 1));
}

qsizetype TimelineRows::sessionRow(int place) const
{
    return place >= 0 && size_t(place) < m_rows.size() ? qsizetype(m_rows[size_t(place)]) : -1;
}

int TimelineRows::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int TimelineRows::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(Column::Count);
}

// The HTTP status that came in place of a response; 0 where there is none.
int TimelineRows::httpStatusOf(qsizetype row) const
{
    constexpr qint64 firstOfFailures = 300;
    const qsizetype response = httpExchangeOf(*m_query.session, row).response;
    const qint64 status =
        response < 0 ? 0 : EventFacts::readNumber(m_query.session->facts(response), &EventFacts::status).value_or(0);
    return status >= firstOfFailures ? int(status) : 0;
}

int TimelineRows::jsonRpcErrorOf(qsizetype row) const
{
    const RecordInfo &record = m_query.session->at(row);
    const qsizetype response = record.messageKind == Message::Kind::Error ? row : m_query.session->partnerOf(row);
    if (response < 0 || m_query.session->at(response).wireLength > MaxErrorReadBytes)
        return 0;
    return (response == row ? m_query.session->message(row) : responseTo(*m_query.session, row)).toError().code;
}

int TimelineRows::errorCodeOf(qsizetype row) const
{
    const RowOutcome outcome = m_query.session->at(row).outcome;
    if (outcome != RowOutcome::ProtocolError && outcome != RowOutcome::NoResponse)
        return 0;
    if (const auto known = m_errorCodes.constFind(row); known != m_errorCodes.cend())
        return *known;
    if (m_errorCodes.size() > MaxKnownErrorCodes)
        m_errorCodes.clear();
    const int code = outcome == RowOutcome::ProtocolError ? jsonRpcErrorOf(row) : httpStatusOf(row);
    m_errorCodes.insert(row, code);
    return code;
}

QString TimelineRows::badgeOf(qsizetype row) const
{
    return badgeFor(row, m_query.session->at(row).outcome, errorCodeOf(row));
}

bool TimelineRows::isSubscription(qsizetype row) const
{
    const RecordInfo &record = m_query.session->at(row);
    return record.messageKind == Message::Kind::Request && m_query.session->name(record.method) == methods::Listen;
}

bool TimelineRows::isFromServer(qsizetype row) const
{
    return m_query.session->at(row).direction == Direction::FromServer;
}

QString TimelineRows::badgeFor(qsizetype row, RowOutcome outcome, int errorCode) const
{
    if (outcome == RowOutcome::Pending && m_query.session->isLoading())
        return {};
    if (outcome == RowOutcome::Pending && isFromServer(row))
        return sign(Tone::Asks) + u' ' + tr("open");
    const QString own =
        errorCode == 0 && isSubscription(row) ? subscriptionBadge(outcome, m_query.session->at(row).isLost) : QString();
    if (!own.isEmpty())
        return own;
    const qsizetype call = outcome == RowOutcome::NoResponse && errorCode == 0 ? m_calls->operationOf(row) : -1;
    const Error reason = call < 0 ? Error() : whyNoResponse(*m_query.session, *m_calls->operations(), call);
    return reason ? noResponseBadge(reason) : badgeText(outcome, errorCode);
}

Tone TimelineRows::toneFor(qsizetype row, RowOutcome outcome) const
{
    const bool isClosed = outcome == RowOutcome::NoResponse && isSubscription(row) && errorCodeOf(row) == 0 &&
                          !m_query.session->at(row).isLost;
    if (outcome == RowOutcome::Pending && isFromServer(row))
        return Tone::Asks;
    return isClosed ? Tone::Neutral : toneOf(outcome);
}

// The row of a request shows how its exchange came out, and so what was found about the response as well.
bool TimelineRows::hasFinding(qsizetype row) const
{
    const auto isMarked = [this](qsizetype each) {
        return each >= 0 && (m_query.session->at(each).hasProblems || m_query.session->at(each).isLate);
    };
    if (isMarked(row) || m_query.session->at(row).messageKind != Message::Kind::Request)
        return isMarked(row);
    return isMarked(m_query.session->partnerOf(exchangeOf(row)));
}

Tone TimelineRows::badgeToneOf(qsizetype row) const
{
    return toneFor(row, m_query.session->at(row).outcome);
}

QString TimelineRows::markOf(qsizetype row) const
{
    return isDoubt(m_calls->reason(row)) ? tr("? not tied to a call") : QString();
}

qint64 TimelineRows::sizeOf(qsizetype row) const
{
    return m_query.session->at(row).wireLength;
}

RowText TimelineRows::lineOf(qsizetype row) const
{
    return rowText(*m_query.session, row);
}

RowText TimelineRows::textOf(qsizetype row) const
{
    RowText text = lineOf(row);
    // Beside an outcome there is no room for the mark.
    if (const QString mark = markOf(row); !mark.isEmpty() && m_query.session->at(row).outcome != RowOutcome::None)
        text.more += (text.more.isEmpty() ? QString() : QStringLiteral(" · ")) + mark;
    return text;
}

// Said once, where the exchange begins.
QString TimelineRows::durationOf(qsizetype row) const
{
    const bool isRequest = m_query.session->at(row).messageKind == Message::Kind::Request;
    return isRequest ? millisecondsText(m_query.session->durationNs(row)) : QString();
}

QString TimelineRows::hintOf(qsizetype row, Column column) const
{
    return column == Column::Waterfall ? timesHintOf(row) : explain(m_calls->reason(row));
}

QString TimelineRows::displayText(qsizetype row, Column column) const
{
    const RecordInfo &record = m_query.session->at(row);
    switch (column) {
        case Column::Number:
            return QString::number(m_query.session->numberOf(row));
        case Column::Time:
            return m_query.session->wallTime(row).toLocalTime().toString(QStringLiteral("HH:mm:ss.zzz"));
        case Column::Direction:
            return directionSign(record);
        case Column::Method:
            return textOf(row).lead;
        case Column::Outcome:
            return badgeOf(row);
        case Column::Duration:
            return durationOf(row);
        case Column::Size:
            return sizeOf(row) > 0 ? sizeText(sizeOf(row)) : QString();
        case Column::Waterfall:
        case Column::Count:
            break;
    }
    return {};
}

QString TimelineRows::spokenText(qsizetype row, Column column) const
{
    switch (column) {
        case Column::Direction:
            return directionWords(m_query.session->at(row));
        case Column::Method: {
            const RowText text = textOf(row);
            const Expansion expansion = expansionOf(row);
            const QString state = expansion == Expansion::Collapsed  ? tr(", collapsed")
                                  : expansion == Expansion::Expanded ? tr(", expanded")
                                                                     : QString();
            return QString(text.lead + QLatin1Char(' ') + text.target + QLatin1Char(' ') + text.more).trimmed() + state;
        }
        case Column::Outcome:
            return badgeOf(row).isEmpty() ? markOf(row) : badgeOf(row);
        case Column::Waterfall:
            return hintOf(row, column).replace(QLatin1Char('\n'), QStringLiteral(", "));
        default:
            return displayText(row, column);
    }
}

QVariant TimelineRows::data(const QModelIndex &index, int role) const
{
    const qsizetype row = sessionRow(index.row());
    if (!m_query.session || row < 0 || row >= m_query.session->size())
        return {};
    const RecordInfo &record = m_query.session->at(row);
    const auto column = Column(index.column());
    switch (role) {
        case Qt::DisplayRole:
            return displayText(row, column);
        case Qt::AccessibleTextRole:
            return spokenText(row, column);
        case Qt::TextAlignmentRole:
            return int(column == Column::Duration || column == Column::Size ? Qt::AlignRight | Qt::AlignVCenter
                                                                            : Qt::AlignLeft | Qt::AlignVCenter);
        case RowRole:
            return qlonglong(row);
        case ToneRole:
            return int(badgeToneOf(row));
        case BadgeRole:
            return badgeOf(row);
        case TextRole:
            return QVariant::fromValue(textOf(row));
        case DimRole:
            return record.kind != WireEvent::Kind::Message || record.messageKind != Message::Kind::Request;
        case FindingRole:
            return hasFinding(row);
        case FromServerRole:
            return record.direction == Direction::FromServer;
        case ExpansionRole:
            return int(expansionOf(row));
        case StepRole:
            return isStep(row);
        case MarkRole:
            return record.outcome == RowOutcome::None ? markOf(row) : QString();
        case TimesRole:
            return QVariant::fromValue(timesOf(row));
        case HintRole:
            return hintOf(row, column);
        default:
            return {};
    }
}

QVariant TimelineRows::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    const auto column = Column(section);
    if (role == Qt::TextAlignmentRole)
        return int(column == Column::Duration || column == Column::Size ? Qt::AlignRight | Qt::AlignVCenter
                                                                        : Qt::AlignLeft | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && column == Column::Waterfall)
        return tr(
            "From start to end: pale until the first byte, violet while waiting for the user. Idle periods are "
            "shortened at the dotted lines.");
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
        case Column::Waterfall:
            // The scale is there.
            return role == Qt::DisplayRole ? QString() : tr("Waterfall");
        case Column::Count:
            break;
    }
    return {};
}

}  // namespace sonde::ui
