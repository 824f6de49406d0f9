// SPDX-License-Identifier: Apache-2.0
#include "ui/replay/replaydifferences.h"

#include "core/protocol/visibletext.h"
#include "ui/replay/replaytext.h"

#include <QCoreApplication>
#include <QMenu>
#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

struct ReplayDifferencesText {
    Q_DECLARE_TR_FUNCTIONS(sonde::ui::ReplayDifferences)
};

QString shortRule(const ReplayRule &rule)
{
    switch (rule.kind) {
        case ReplayRule::Kind::Timestamp:
            return ReplayDifferencesText::tr("rule: timestamps");
        case ReplayRule::Kind::Uuid:
            return ReplayDifferencesText::tr("rule: UUIDs");
        case ReplayRule::Kind::Regex:
            return ReplayDifferencesText::tr("rule: %1").arg(visibleLine(rule.regex, 24));
        case ReplayRule::Kind::Anything:
            break;
    }
    return ReplayDifferencesText::tr("rule: this path");
}

DifferenceRow ignoredRow(const IgnoredDifference &ignored)
{
    switch (ignored.reason) {
        case IgnoredDifference::Reason::Rule:
            return {ignored.difference, shortRule(ignored.rule), ruleText(ignored.rule)};
        case IgnoredDifference::Reason::Secret:
            return {ignored.difference, ReplayDifferencesText::tr("a secret"),
                    ReplayDifferencesText::tr("It was redacted when recorded.")};
        case IgnoredDifference::Reason::Cursor:
            return {ignored.difference, ReplayDifferencesText::tr("a cursor"),
                    ReplayDifferencesText::tr("Only meaningful to the server that created it.")};
        case IgnoredDifference::Reason::Task:
            break;
    }
    return {ignored.difference, ReplayDifferencesText::tr("a task ID"),
            ReplayDifferencesText::tr("Each server names its tasks itself.")};
}

bool holds(const ReplayRule &rule, const json::Difference &difference, const QString &method, const QString &target)
{
    ReplayRules rules;
    return !rules.add(rule) && rules.ignores(difference, method, target);
}

// The pointer with indexes replaced by *, so that it applies to every element of the lists.
QString withoutIndexes(const QString &pointer)
{
    static const QRegularExpression index(u"/\\d+(?=/|#|$)"_s);
    return QString(pointer).replace(index, u"/*"_s);
}

}  // namespace

QList<DifferenceRow> differenceRows(const ReplayStep &step)
{
    QList<DifferenceRow> rows;
    auto ignored = step.ignored.begin();
    for (qsizetype i = 0; i <= step.differences.size(); ++i) {
        for (; ignored != step.ignored.end() && ignored->before == i; ++ignored)
            rows.append(ignoredRow(*ignored));
        if (i < step.differences.size())
            rows.append({step.differences[i]});
    }
    return rows;
}

void fillIgnoreMenu(QMenu *menu, const DifferenceRow &row, const ReplayStep &step, const RuleTaker &taker)
{
    if (!row.ignored.isEmpty()) {
        menu->addAction(ReplayDifferencesText::tr("Ignored: %1").arg(visibleLine(row.wholeIgnored, 80)))
            ->setEnabled(false);
        return;
    }
    const json::Difference &difference = row.difference;
    const auto offer = [&](const QString &text, ReplayRule::Kind kind, const QString &pointer, bool everywhere) {
        ReplayRule rule;
        rule.kind = kind;
        rule.pointer = pointer;
        if (!everywhere) {
            rule.method = step.method;
            rule.target = step.target;
        }
        QAction *action = menu->addAction(text, menu, [add = taker.add, rule] { add(rule); });
        action->setEnabled(holds(rule, difference, step.method, step.target));
    };
    const QString name = visibleLine(stepTitle(step), 40).replace(u'&', u"&&"_s);
    const QString pointer = difference.pointer.isEmpty() ? u"/**"_s : difference.pointer;
    const QString everyElement = withoutIndexes(pointer);
    offer(ReplayDifferencesText::tr("This path in responses of %1").arg(name), ReplayRule::Kind::Anything, pointer,
          false);
    if (everyElement != pointer)
        offer(ReplayDifferencesText::tr("This path in all items, in responses of %1").arg(name),
              ReplayRule::Kind::Anything, everyElement, false);
    offer(ReplayDifferencesText::tr("This path in every response"), ReplayRule::Kind::Anything, pointer, true);
    menu->addSeparator();
    offer(ReplayDifferencesText::tr("Timestamps here"), ReplayRule::Kind::Timestamp, pointer, false);
    offer(ReplayDifferencesText::tr("Timestamps everywhere"), ReplayRule::Kind::Timestamp, {}, true);
    offer(ReplayDifferencesText::tr("UUIDs here"), ReplayRule::Kind::Uuid, pointer, false);
    offer(ReplayDifferencesText::tr("UUIDs everywhere"), ReplayRule::Kind::Uuid, {}, true);
    ReplayRule draft;
    draft.kind = ReplayRule::Kind::Regex;
    draft.pointer = pointer;
    draft.method = step.method;
    draft.target = step.target;
    menu->addAction(ReplayDifferencesText::tr("Text matching…"), menu, [take = taker.draft, draft] { take(draft); });
}

}  // namespace sonde::ui
