// What the timeline's model says in its cells.
// SPDX-License-Identifier: Apache-2.0
#include "core/operations/exchange.h"
#include "ui/result/outcometext.h"
#include "ui/timeline/table/timelinemodel.h"
#include "ui/timeline/table/timelinetext.h"

#include <QDateTime>

namespace sonde::ui {

namespace {

constexpr qint64 MaxErrorReadBytes = 64 * 1024;
constexpr qsizetype KnownErrorCodes = 10'000;

}  // namespace

// The HTTP status that came in place of a response; 0 where there is none.
int TimelineModel::httpStatusOf(qsizetype row) const
{
    constexpr qint64 firstOfFailures = 300;
    const qsizetype response = httpExchangeOf(*m_session, row).response;
    const qint64 status = response < 0 ? 0 : json::parse(m_session->facts(response))[u"status"].toInteger().value_or(0);
    return status >= firstOfFailures ? int(status) : 0;
}

int TimelineModel::jsonRpcErrorOf(qsizetype row) const
{
    const RecordInfo &record = m_session->at(row);
    const qsizetype response = record.messageKind == Message::Kind::Error ? row : m_session->partnerOf(row);
    if (response < 0 || m_session->at(response).wireLength > MaxErrorReadBytes)
        return 0;
    return (response == row ? m_session->message(row) : responseTo(*m_session, row)).toError().code;
}

int TimelineModel::errorCodeOf(qsizetype row) const
{
    const RowOutcome outcome = m_session->at(row).outcome;
    if (outcome != RowOutcome::ProtocolError && outcome != RowOutcome::NoResponse)
        return 0;
    if (const auto known = m_errorCodes.constFind(row); known != m_errorCodes.cend())
        return *known;
    if (m_errorCodes.size() > KnownErrorCodes)
        m_errorCodes.clear();
    const int code = outcome == RowOutcome::ProtocolError ? jsonRpcErrorOf(row) : httpStatusOf(row);
    m_errorCodes.insert(row, code);
    return code;
}

// A call comes out as the last of its requests does.
QString TimelineModel::badgeOf(qsizetype row) const
{
    if (const qsizetype call = callAt(row); call >= 0) {
        const RowOutcome outcome = m_calls->operations()->outcome(call);
        const qsizetype asked = m_calls->operations()->at(call).currentRow;
        return badgeText(outcome, outcome == m_session->at(asked).outcome ? errorCodeOf(asked) : 0);
    }
    if (showsCalls() && m_calls->operations()->role(row) == RecordRole::InputRequired)
        return {};
    const QString serverRequest = showsCalls() ? serverRequestBadge(*m_session, row) : QString();
    return serverRequest.isEmpty() ? badgeText(m_session->at(row).outcome, errorCodeOf(row)) : serverRequest;
}

// The row of a request shows how its exchange came out, and so what was found about the response as well.
bool TimelineModel::hasFinding(qsizetype row) const
{
    const auto isMarked = [this](qsizetype each) {
        return each >= 0 && (m_session->at(each).hasProblems || m_session->at(each).isLate);
    };
    if (isMarked(row) || m_session->at(row).messageKind != Message::Kind::Request)
        return isMarked(row);
    const qsizetype call = callAt(row);
    return isMarked(m_session->partnerOf(call < 0 ? row : m_calls->operations()->at(call).currentRow));
}

Tone TimelineModel::badgeToneOf(qsizetype row) const
{
    if (const qsizetype call = callAt(row); call >= 0)
        return toneOf(m_calls->operations()->outcome(call));
    return showsCalls() && !serverRequestBadge(*m_session, row).isEmpty() ? Tone::Asks
                                                                          : toneOf(m_session->at(row).outcome);
}

QString TimelineModel::markOf(qsizetype row) const
{
    const LinkReason reason = m_calls->reason(row);
    if (isDoubt(reason))
        return tr("? unlinked");
    return reason != LinkReason::None && showsCalls() ? tr("≈ inferred") : QString();
}

// In the list of calls a row stands for the exchange: the response's size says more than the server request's.
qint64 TimelineModel::sizeOf(qsizetype row) const
{
    const qsizetype call = callAt(row);
    const qsizetype partner = call >= 0 ? m_session->partnerOf(m_calls->operations()->at(call).currentRow) : -1;
    return m_session->at(partner >= 0 ? partner : row).wireLength;
}

RowText TimelineModel::textOf(qsizetype row) const
{
    const bool isStep = showsCalls() && m_folding.isStep(row);
    RowText text = isStep ? stepText(*m_session, *m_calls->operations(), row) : rowText(*m_session, row);
    // Beside an outcome there is no room for it.
    if (const QString mark = markOf(row); !mark.isEmpty() && m_session->at(row).outcome != RowOutcome::None)
        text.more += (text.more.isEmpty() ? QString() : QStringLiteral(" · ")) + mark;
    return text;
}

QString TimelineModel::durationOf(qsizetype row) const
{
    if (const qsizetype call = callAt(row); call >= 0) {
        const CallTimes times = timesOf(row);
        return times.isOpen || m_calls->operations()->durationNs(call) >= 0
                   ? millisecondsText(times.endNs - times.startNs)
                   : QString();
    }
    // Said once, where the exchange begins.
    return m_session->at(row).messageKind == Message::Kind::Request ? millisecondsText(m_session->durationNs(row))
                                                                    : QString();
}

CallTimes TimelineModel::timesOf(qsizetype row) const
{
    if (!showsCalls())
        return {};
    const qsizetype call = callAt(row);
    const qint64 now = m_calls->nowNs();
    return call >= 0 ? timesOfCall(*m_calls->operations(), call, now)
                     : timesOfStep(*m_session, *m_calls->operations(), row, now);
}

QString TimelineModel::hintOf(qsizetype row, Column column) const
{
    if (column == Column::Waterfall)
        return showsCalls() ? timesHint(*m_session, row, timesOf(row)) : QString();
    return explain(m_calls->reason(row));
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
            return QString::number(m_session->numberOf(row));
        case Column::Time:
            return timeText(row, tableRow);
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

QString TimelineModel::spokenText(qsizetype row, int tableRow, Column column) const
{
    switch (column) {
        case Column::Direction:
            return directionWords(m_session->at(row));
        case Column::Method: {
            const RowText text = textOf(row);
            const Fold folding = fold(index(tableRow, 0));
            const QString state = folding == Fold::Folded     ? tr(", collapsed")
                                  : folding == Fold::Unfolded ? tr(", expanded")
                                                              : QString();
            return QString(text.lead + QLatin1Char(' ') + text.target + QLatin1Char(' ') + text.more).trimmed() + state;
        }
        case Column::Outcome:
            return badgeOf(row).isEmpty() ? markOf(row) : badgeOf(row);
        case Column::Waterfall:
            return hintOf(row, column).replace(QLatin1Char('\n'), QStringLiteral(", "));
        default:
            return displayText(row, tableRow, column);
    }
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
            return spokenText(row, index.row(), column);
        case Qt::TextAlignmentRole:
            return int(column == Column::Duration || column == Column::Size ? Qt::AlignRight | Qt::AlignVCenter
                                                                            : Qt::AlignLeft | Qt::AlignVCenter);
        case RowRole:
            return qlonglong(row);
        case ToneRole:
            return int(badgeToneOf(row));
        case BadgeRole:
            return badgeOf(row);
        case TargetRole:
            return textOf(row).target;
        case MoreRole:
            return textOf(row).more;
        case DimRole:
            return record.kind != WireEvent::Kind::Message || record.messageKind != Message::Kind::Request;
        case FindingRole:
            return hasFinding(row);
        case FromServerRole:
            return record.direction == Direction::FromServer;
        case ColorRole:
            return colorOf(row);
        case FoldRole:
            return int(fold(index));
        case StepRole:
            return showsCalls() && m_folding.isStep(row);
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

QVariant TimelineModel::headerData(int section, Qt::Orientation orientation, int role) const
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
            // The scale stands there.
            return role == Qt::DisplayRole ? QString() : tr("Waterfall");
        case Column::Count:
            break;
    }
    return {};
}

int TimelineModel::percentRead() const
{
    const qsizetype size = m_session ? m_session->size() : 0;
    const qsizetype read = showsAllCalls() ? m_calls->operations()->scanned() : m_scanned;
    return size == 0 ? 100 : int(read * 100 / size);
}

std::pair<qsizetype, qsizetype> TimelineModel::shownOfTotal() const
{
    if (showsCalls())
        return {showsAllCalls() ? m_scanned : m_found, m_calls->operations()->size()};
    return {qsizetype(m_rows.size()), m_session ? m_session->size() : 0};
}

std::pair<QString, QString> TimelineModel::whyNothingIsShown() const
{
    if (!m_session)
        return {tr("No session"), tr("Connect to a server, or open a recorded session.")};
    if (m_session->size() == 0 && m_session->isLoading())
        return {tr("Loading the session…"), tr("%1 loaded.").arg(sizeText(m_session->fileSize()))};
    if (m_session->size() == 0 && !m_session->isLive())
        return {tr("Empty session"), tr("It contains no records.")};
    if (m_session->size() == 0)
        return {tr("No messages yet"), tr("Every message sent or received will appear here.")};
    if (m_filtering)
        return {tr("Searching…"), {}};
    if (m_only >= 0)
        return {tr("Nothing in this call matches"), tr("Change the filter, or show all calls.")};
    const bool isOfAll = m_view == View::Everything;
    if (!m_filter.matchesAll())
        return {isOfAll ? tr("No matching records") : tr("No matches in this view"),
                isOfAll ? tr("Change the filter, or clear it.") : tr("Change the filter, or choose All.")};
    const QString none = m_view == View::Calls    ? tr("No calls")
                         : m_view == View::Stderr ? tr("No stderr output")
                                                  : tr("No messages");
    return {none, tr("Other records are listed under All.")};
}

}  // namespace sonde::ui
