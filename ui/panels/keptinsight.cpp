// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/keptinsight.h"

#include "ui/theme/theme.h"

#include <QEvent>
#include <QScrollArea>
#include <QScrollBar>

namespace sonde::ui {

KeptInSight::KeptInSight(QScrollArea *area, QWidget *widget) : m_area(area), m_widget(widget)
{
    m_soon.setSingleShot(true);
    m_soon.setInterval(0);
    connect(&m_soon, &QTimer::timeout, this, &KeptInSight::scroll);
    // By the user; setValue() does not tell of it.
    connect(area->verticalScrollBar(), &QAbstractSlider::actionTriggered, this, [this] { m_widget = nullptr; });
    area->widget()->installEventFilter(this);
    area->viewport()->installEventFilter(this);
    m_soon.start();
}

bool KeptInSight::eventFilter(QObject *watched, QEvent *event)
{
    if (m_widget && (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest))
        m_soon.start();
    return QObject::eventFilter(watched, event);
}

void KeptInSight::scroll()
{
    if (!m_widget || !m_widget->isVisible())
        return;
    m_area->verticalScrollBar()->setValue(0);
    if (m_widget->height() > m_area->viewport()->height())
        m_area->verticalScrollBar()->setValue(m_widget->mapTo(m_area->widget(), QPoint()).y());  // its beginning
    else
        m_area->ensureWidgetVisible(m_widget, 0, Grid);
}

}  // namespace sonde::ui
