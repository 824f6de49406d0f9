// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/breakingrow.h"

#include "ui/theme/theme.h"

#include <QBoxLayout>
#include <QEvent>

namespace sonde::ui {

BreakingRow::BreakingRow(QWidget *leading, QWidget *trailing, QWidget *parent)
    : QWidget(parent), m_leading(leading), m_trailing(trailing), m_layout(new QBoxLayout(QBoxLayout::LeftToRight, this))
{
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(Grid);
    m_layout->addWidget(leading, 1, Qt::AlignVCenter);
    m_layout->addWidget(trailing, 0, Qt::AlignVCenter);
}

bool BreakingRow::event(QEvent *event)
{
    if (event->type() == QEvent::LayoutRequest)
        place();
    return QWidget::event(event);
}

void BreakingRow::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    place();
}

void BreakingRow::place()
{
    const int room = width() - Grid - m_trailing->sizeHint().width();
    const bool wraps =
        m_leading->hasHeightForWidth() && m_leading->heightForWidth(room) > m_leading->heightForWidth(width());
    const bool isBelow = wraps || m_leading->sizeHint().width() > room;
    const auto direction = isBelow ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight;
    if (direction == m_layout->direction())
        return;
    m_layout->setDirection(direction);
    m_layout->setSpacing(isBelow ? Grid / 2 : Grid);
    // Below, a button keeps its own width.
    m_layout->setAlignment(m_trailing, isBelow ? Qt::AlignLeft | Qt::AlignVCenter : Qt::AlignVCenter);
}

}  // namespace sonde::ui
