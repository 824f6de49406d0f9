// SPDX-License-Identifier: Apache-2.0
#include "ui/replay/replaydifferences.h"

#include "core/protocol/visibletext.h"
#include "ui/replay/replaytext.h"
#include "ui/theme/widgets.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

QString shortRule(const ReplayRule &rule)
{
    switch (rule.kind) {
        case ReplayRule::Kind::Timestamp:
            return ReplayDifferenceModel::tr("rule: timestamps");
        case ReplayRule::Kind::Uuid:
            return ReplayDifferenceModel::tr("rule: UUIDs");
        case ReplayRule::Kind::Regex:
            return ReplayDifferenceModel::tr("rule: %1").arg(visibleLine(rule.regex, 24));
        case ReplayRule::Kind::Anything:
            break;
    }
    return ReplayDifferenceModel::tr("rule: this path");
}

bool isSame(const json::Difference &a, const json::Difference &b)
{
    return a.kind == b.kind && a.pointer == b.pointer;
}

// Each rule separately, to name the one that applies.
QList<std::pair<ReplayRule, ReplayRules>> apart(const ReplayRules &rules)
{
    QList<std::pair<ReplayRule, ReplayRules>> result;
    for (const ReplayRule &rule : rules.rules()) {
        ReplayRules one;
        if (!one.add(rule))
            result.append({rule, one});
    }
    return result;
}

}  // namespace

json::Value responseOf(const Message &response)
{
    return !response.isResponse()                    ? json::Value()
           : response.kind() == Message::Kind::Error ? response.error()
                                                     : response.result();
}

ReplayDifferences differencesOf(const ReplayStep &step, const ReplayRules &rules)
{
    ReplayDifferences result;
    result.sides = {responseOf(step.recorded), responseOf(step.live), {}, false};
    if (!step.recorded.isResponse() || !step.live.isResponse() || step.recorded.kind() != step.live.kind())
        return result;
    const json::Diff diff = json::diff(responseOf(step.recorded), responseOf(step.live));
    result.isCut = diff.isCut;
    const auto each = apart(rules);
    auto counted = step.differences.begin();  // what the replayer left, in the same order
    for (const json::Difference &difference : diff.differences) {
        ReplayDifference row{difference, false, {}, {}};
        if (counted != step.differences.end() && isSame(*counted, difference)) {
            ++counted;
            result.rows.append(row);
            continue;
        }
        row.isIgnored = true;
        const auto rule = std::find_if(each.begin(), each.end(), [&](const auto &candidate) {
            return candidate.second.ignores(difference, step.method, step.target);
        });
        const bool isSecret = rule == each.end() && differsInSecretsOnly(difference);
        row.rule = rule != each.end() ? shortRule(rule->first)
                   : isSecret         ? ReplayDifferenceModel::tr("a secret")
                                      : ReplayDifferenceModel::tr("a cursor");
        row.wholeRule = rule != each.end() ? ruleText(rule->first)
                        : isSecret         ? ReplayDifferenceModel::tr("It was redacted when recorded.")
                                   : ReplayDifferenceModel::tr("Only meaningful to the server that created it.");
        result.rows.append(row);
    }
    QList<json::Difference> shown;
    for (qsizetype row = 0; row < result.rows.size(); ++row) {
        if (result.rows[row].isIgnored)
            continue;
        shown.append(result.rows[row].difference);
        result.sideRows.append(int(row));
    }
    result.sides = sidesOf(result.sides.recorded, result.sides.now, shown);
    return result;
}

ReplayDifferenceModel::ReplayDifferenceModel(QObject *parent) : DifferenceModel(parent)
{
    setTitles(tr("Before"), tr("After"));
}

void ReplayDifferenceModel::setRows(const QList<ReplayDifference> &rows)
{
    m_rows = rows;
    QList<json::Difference> differences;
    differences.reserve(rows.size());
    for (const ReplayDifference &each : rows)
        differences.append(each.difference);
    setDifferences(differences);
}

QVariant ReplayDifferenceModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())  // as when Ctrl+C is pressed without a current row
        return {};
    const ReplayDifference &row = m_rows.at(index.row());
    const auto column = Column(index.column());
    if (column == Column::Note) {
        if (role == Qt::DisplayRole)
            return row.isIgnored ? row.rule : tr("Ignore ▾");
        if (role == Qt::AccessibleTextRole)
            return row.isIgnored ? row.rule : tr("Ignore this difference: menu");
        if (role == Qt::ToolTipRole)
            return plainToolTip(row.wholeRule);
    }
    switch (role) {
        case IgnoredRole:
            return row.isIgnored;
        case AbsentRole:
            return (column == Column::Left && !row.difference.left.exists()) ||
                   (column == Column::Right && !row.difference.right.exists());
        case BadgeRole:
            // If a value exists only on one side, the other side says so.
            return column == Column::Right && row.difference.left.exists() && row.difference.right.exists()
                       ? noteOn(row.difference)
                       : QString();
        default:
            return DifferenceModel::data(index, role);
    }
}

QVariant ReplayDifferenceModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole)
        return int(Qt::AlignLeft | Qt::AlignVCenter);
    if (orientation == Qt::Horizontal && role == Qt::DisplayRole && Column(section) == Column::Note)
        return QString();
    return DifferenceModel::headerData(section, orientation, role);
}

}  // namespace sonde::ui
