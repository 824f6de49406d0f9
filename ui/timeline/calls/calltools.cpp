// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/calls/calltools.h"

#include "ui/theme/keys.h"
#include "ui/theme/widgets.h"
#include "ui/timeline/calls/callwords.h"
#include "ui/timeline/calls/onlycallline.h"
#include "ui/timeline/calls/statisticswindow.h"

#include <QMenu>

namespace sonde::ui {

CallTools::CallTools(TimelineModel *model, SegmentedControl *views, QWidget *panel)
    : QObject(panel),
      m_model(model),
      m_views(views),
      m_panel(panel),
      m_line(new OnlyCallLine(panel)),
      m_statistics(new QToolButton(panel))
{
    m_statistics->setObjectName(QStringLiteral("timelineStatistics"));
    m_statistics->setAccessibleName(tr("Call statistics"));
    m_statistics->setIcon(icon(QStringLiteral("statistics")));
    m_statistics->setToolTip(tr("Call statistics: number, outcome and duration of the calls of each tool (%1)")
                                 .arg(keyText(keys::Statistics)));
    m_statistics->setAutoRaise(true);
    connect(m_line, &OnlyCallLine::closed, this, [this] { showOnlyCallOf(-1); });
    connect(m_statistics, &QToolButton::clicked, this, &CallTools::showStatistics);
}

QWidget *CallTools::onlyCallLine() const
{
    return m_line;
}

void CallTools::addActions(QMenu *menu, const QModelIndex &place)
{
    const qsizetype row = m_model->sessionRow(place);
    if (row >= 0) {
        const CallIndex *calls = m_model->calls();
        const bool isRead = calls->operations() && row < calls->operations()->scanned();
        QAction *only = menu->addAction(tr("Show only this call"), this, [this, row] { showOnlyCallOf(row); });
        // A row that has not been read yet may belong to a call.
        only->setEnabled((!isRead || calls->operationOf(row) >= 0) && m_model->onlyCallOf() < 0);
    }
    if (m_model->onlyCallOf() >= 0)
        menu->addAction(tr("Show all calls"), this, [this] { showOnlyCallOf(-1); });
    const TimelineModel::Expansion expansion = m_model->expansion(place);
    if (expansion != TimelineModel::Expansion::None) {
        const bool expand = expansion == TimelineModel::Expansion::Collapsed;
        menu->addAction(expand ? tr("Expand") : tr("Collapse"), this,
                        [this, at = QPersistentModelIndex(place), expand] { m_model->setExpanded(at, expand); });
    }
    if (m_model->view() == TimelineModel::View::Calls) {
        menu->addAction(tr("Expand all calls"), this, [this] { m_model->setAllExpanded(true); });
        menu->addAction(tr("Collapse all calls"), this, [this] { m_model->setAllExpanded(false); });
    }
    menu->addAction(tr("Call statistics…"), this, [this] { showStatistics(); });
    menu->addSeparator();
}

void CallTools::showOnlyCallOf(qsizetype row)
{
    const bool wasOnly = m_model->onlyCallOf() >= 0;
    if (row < 0 && !wasOnly)
        return;
    if (!wasOnly)
        m_viewBefore = m_views->current();
    m_model->setOnlyCallOf(row);
    if (row >= 0)
        m_views->setCurrent(CallsSegment);
    else if (m_views->current() == CallsSegment)
        m_views->setCurrent(m_viewBefore);
    const qsizetype call = m_model->calls()->operationOf(row);
    const qsizetype request = call >= 0 ? m_model->calls()->operations()->requestRow(call) : row;
    m_line->setCall(row >= 0 ? callTitle(*m_model->session(), request) : QString());
}

void CallTools::forget()
{
    m_line->setCall({});
}

void CallTools::showStatistics()
{
    if (!m_window)
        m_window = new StatisticsWindow(m_model->calls(), m_panel);
    m_window->show();
    m_window->raise();
    m_window->activateWindow();
}

}  // namespace sonde::ui
