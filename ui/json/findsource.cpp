// SPDX-License-Identifier: Apache-2.0
#include "ui/json/findsource.h"

#include "ui/json/pagefind.h"

#include <QAbstractScrollArea>
#include <QEvent>

namespace sonde::ui {

FindSource::FindSource(QWidget *view) : QObject(view), m_view(view)
{
    view->installEventFilter(this);
}

QWidget *FindSource::canvas() const
{
    const auto *area = qobject_cast<QAbstractScrollArea *>(m_view);
    return area ? area->viewport() : m_view;
}

void FindSource::showMore()
{
    canvas()->update();
}

void FindSource::setChanged()
{
    if (PageFind *find = PageFind::around(m_view))
        find->refresh();
}

void FindSource::setEdited()
{
    if (PageFind *find = PageFind::around(m_view))
        find->recount();
}

bool FindSource::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::Show || event->type() == QEvent::Hide)
        setChanged();
    return QObject::eventFilter(watched, event);
}

}  // namespace sonde::ui
