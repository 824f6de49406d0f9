// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/walkview.h"

#include "ui/panels/steprows.h"
#include "ui/theme/widgets.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

QString linkOf(WalkStep::Kind kind)
{
    using Kind = WalkStep::Kind;
    switch (kind) {
        case Kind::CallTool:
        case Kind::FixArgument:
            return WalkView::tr("Open add");
        case Kind::SeeToolError:
            return WalkView::tr("Open fail");
        case Kind::RespondToServer:
            return WalkView::tr("Open ask-form");
        case Kind::LookAtMessage:
            return WalkView::tr("Go to timeline");
        case Kind::FilterTimeline:
            return WalkView::tr("Go to filter");
        case Kind::ReadResource:
            return WalkView::tr("Open greeting");
        case Kind::ReplaySession:
            return WalkView::tr("Replay…");
    }
    return {};
}

}  // namespace

WalkView::WalkView(QWidget *parent)
    : QWidget(parent),
      m_count(new TextLabel),
      m_restart(new FlatButton(tr("Start over"))),
      m_rows(new StepRows(StepRows::Lines::None))
{
    setObjectName(u"walk"_s);
    m_count->setObjectName(u"walkCount"_s);
    m_restart->setObjectName(u"restartWalk"_s);
    m_rows->setObjectName(u"walkStep"_s);
    auto *title = new TextLabel(tr("Guided tour"));
    title->setStrong();
    m_count->setDim(true);
    auto *head = new QHBoxLayout;
    head->setSpacing(Grid);
    head->addWidget(title);
    head->addWidget(m_count);
    head->addStretch(1);
    head->addWidget(m_restart);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, Grid);
    column->setSpacing(Grid / 2);
    column->addLayout(head);
    column->addWidget(m_rows);
    connect(m_restart, &FlatButton::clicked, this, [this] {
        if (m_walk)
            m_walk->restart();
    });
    connect(m_rows, &StepRows::linkChosen, this, [this](int row) {
        if (m_walk)
            Q_EMIT m_walk->chosen(m_walk->steps().at(row).kind);
    });
    hide();
}

void WalkView::setWalk(GuidedWalk *walk)
{
    if (m_walk == walk)
        return;
    if (m_walk)
        m_walk->disconnect(this);
    m_walk = walk;
    setVisible(walk != nullptr);
    if (!walk)
        return;
    connect(walk, &GuidedWalk::changed, this, &WalkView::refresh);
    refresh();
}

void WalkView::refresh()
{
    const QList<WalkStep> &steps = m_walk->steps();
    const qsizetype done = m_walk->doneCount();
    m_count->setText(done == steps.size() ? tr("all %1 steps done").arg(done)
                                          : tr("%1 of %2 steps done").arg(done).arg(steps.size()));
    m_restart->setVisible(done > 0);
    QList<StepRows::Row> rows;
    for (const WalkStep &step : steps)
        rows.append({step, {}, linkOf(step.kind), true});
    m_rows->setRows(rows);
}

}  // namespace sonde::ui
