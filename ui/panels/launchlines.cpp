// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/launchlines.h"

#include "core/connection/approval.h"
#include "core/protocol/visibletext.h"
#include "ui/theme/widgets.h"

#include <QGridLayout>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr qsizetype MaxLabelLength = 32;  // on one line

QString shownValue(const LaunchLine &line)
{
    return line.isSecret ? LaunchLines::tr("(secret)") : revealedText(line.value);
}

TextLabel *valueLabel(const QString &text, const QString &name)
{
    auto *label = new TextLabel(text);
    label->setObjectName(name);
    label->setFont(monoFont());
    label->setWordWrap(true);
    label->setMinimumWidth(40);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

// A change is told in words and by its colour.
class LinesWriter {
public:
    explicit LinesWriter(QGridLayout *grid) : m_grid(grid) {}

    void add(const LaunchLine &line, const QString &text, const QString &mark, Tone tone)
    {
        auto *label = new TextLabel;
        label->setServerText(line.label());
        label->setDim(tone == Tone::Neutral);
        label->setTone(tone);
        label->setWordWrap(label->text().size() > MaxLabelLength);
        label->setMinimumWidth(40);
        auto *value = valueLabel(text, u"launchValue%1"_s.arg(m_row));
        value->setTone(tone);
        auto *change = new TextLabel(mark);
        change->setTone(tone);
        m_grid->addWidget(label, m_row, 0, Qt::AlignTop);
        m_grid->addWidget(value, m_row, 1, Qt::AlignTop);
        m_grid->addWidget(change, m_row, 2, Qt::AlignTop);
        ++m_row;
    }

private:
    QGridLayout *m_grid;
    int m_row = 0;
};

}  // namespace

LaunchLines::LaunchLines(QWidget *parent) : QWidget(parent) {}

void LaunchLines::setApproval(const Approval &approval)
{
    qDeleteAll(findChildren<QWidget *>(Qt::FindDirectChildrenOnly));
    delete layout();
    auto *grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(2 * Grid);
    grid->setVerticalSpacing(Grid / 2);
    grid->setColumnStretch(1, 1);
    LinesWriter writer(grid);
    for (const LaunchLine &line : approval.lines) {
        const LaunchLine *before = approval.beforeAt(line);
        if (!approval.isChanged(line)) {
            writer.add(line, shownValue(line), {}, Tone::Neutral);
            continue;
        }
        if (before)
            writer.add(*before, shownValue(*before), tr("before"), Tone::ProtocolError);
        writer.add(line, shownValue(line), before ? tr("now") : tr("new"), Tone::Ok);
    }
    const QList<LaunchLine> removed = approval.removed();
    for (const LaunchLine &line : removed)
        writer.add(line, shownValue(line), tr("removed"), Tone::ProtocolError);
}

}  // namespace sonde::ui
