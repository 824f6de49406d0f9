// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/calls/statisticsmodel.h"

#include "core/protocol/numbertext.h"
#include "core/protocol/visibletext.h"
#include "ui/result/outcometext.h"
#include "ui/theme/theme.h"
#include "ui/timeline/table/timelinetext.h"

namespace sonde::ui {

namespace {

constexpr qsizetype ShownTargetCharacters = 200;

// "▲ 2 ✕ 1": the number of failures of each kind.
QString failures(const CallStatistics &of)
{
    QStringList parts;
    const std::pair<Tone, qsizetype> kinds[] = {
        {Tone::ToolError, of.toolErrors}, {Tone::ProtocolError, of.protocolErrors}, {Tone::NoResponse, of.unanswered}};
    for (const auto &[tone, count] : kinds) {
        if (count > 0)
            parts.append(sign(tone) + QLatin1Char(' ') + grouped(count));
    }
    return parts.join(QStringLiteral("  "));
}

}  // namespace

StatisticsModel::StatisticsModel(QObject *parent) : QAbstractTableModel(parent) {}

void StatisticsModel::setStatistics(const QList<CallStatistics> &statistics)
{
    // Usually only numbers have changed; the selection stays.
    const auto hasSameNames = [](const CallStatistics &left, const CallStatistics &right) {
        return left.method == right.method && left.target == right.target;
    };
    if (std::equal(statistics.begin(), statistics.end(), m_statistics.begin(), m_statistics.end(), hasSameNames)) {
        m_statistics = statistics;
        if (!m_statistics.isEmpty())
            Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
        return;
    }
    beginResetModel();
    m_statistics = statistics;
    endResetModel();
}

int StatisticsModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_statistics.size());
}

int StatisticsModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(Column::Count);
}

QVariant StatisticsModel::value(const CallStatistics &of, Column column)
{
    switch (column) {
        case Column::Method:
            return of.method;
        case Column::Target:
            return of.target;
        case Column::Calls:
            return qlonglong(of.count);
        case Column::Failed:
            return qlonglong(of.errors());
        case Column::P50:
            return of.server.p50;
        case Column::P90:
            return of.server.p90;
        case Column::P99:
            return of.server.p99;
        case Column::FirstByte:
            return of.firstByte.p50;
        case Column::Waited:
            return of.waitedNs;
        case Column::Count:
            break;
    }
    return {};
}

QString StatisticsModel::text(const CallStatistics &of, Column column)
{
    switch (column) {
        case Column::Method:
            return visibleLine(of.method, ShownTargetCharacters);
        case Column::Target:
            return visibleLine(of.target, ShownTargetCharacters);
        case Column::Calls:
            return grouped(of.count);
        case Column::Failed:
            return failures(of);
        case Column::Waited:
            return of.waitedNs > 0 ? durationText(of.waitedNs) : QString();
        default:
            return millisecondsText(value(of, column).toLongLong());
    }
}

QVariant StatisticsModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const CallStatistics &of = m_statistics.at(index.row());
    const auto column = Column(index.column());
    switch (role) {
        case Qt::DisplayRole:
            return text(of, column);
        case Qt::AccessibleTextRole:
            return column == Column::Failed ? tr("Tool errors: %1, protocol errors: %2, no response: %3")
                                                  .arg(of.toolErrors)
                                                  .arg(of.protocolErrors)
                                                  .arg(of.unanswered)
                                            : text(of, column);
        case Qt::TextAlignmentRole:
            return int((column <= Column::Target ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
        case SortRole:
            return value(of, column);
        default:
            return {};
    }
}

QVariant StatisticsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    const auto column = Column(section);
    if (role == Qt::TextAlignmentRole)
        return int((column <= Column::Target ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    const bool isShort = role == Qt::DisplayRole;
    if (!isShort && role != Qt::AccessibleTextRole && role != Qt::ToolTipRole)
        return {};
    const auto percentile = [isShort](int percent) {
        return isShort ? tr("p%1 ms").arg(percent)
                       : tr("%1 of 100 calls with a response took no longer, in milliseconds, excluding time waiting "
                            "for the user")
                             .arg(percent);
    };
    switch (column) {
        case Column::Method:
            return tr("Method");
        case Column::Target:
            return isShort ? tr("Target") : tr("Tool, prompt or URI");
        case Column::Calls:
            return tr("Calls");
        case Column::Failed:
            return isShort ? tr("Failed") : tr("Failed: ▲ tool error, ✕ protocol error, ⊘ no response");
        case Column::P50:
            return percentile(50);
        case Column::P90:
            return percentile(90);
        case Column::P99:
            return percentile(99);
        case Column::FirstByte:
            return isShort ? tr("First byte") : tr("Median time to first byte, in milliseconds");
        case Column::Waited:
            return isShort ? tr("Waiting for user") : tr("Total time waiting for the user");
        case Column::Count:
            break;
    }
    return {};
}

}  // namespace sonde::ui
