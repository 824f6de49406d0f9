// SPDX-License-Identifier: Apache-2.0
#include "ui/json/findsource.h"

#include "ui/json/pagefind.h"

#include <QEvent>

namespace sonde::ui {

FindSource::FindSource(QAbstractScrollArea *view) : QObject(view), m_view(view)
{
    view->installEventFilter(this);
}

void FindSource::showMore()
{
    m_view->viewport()->update();
}

void FindSource::setChanged()
{
    if (PageFind *find = PageFind::around(m_view))
        find->refresh();
}

bool FindSource::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::Show || event->type() == QEvent::Hide)
        setChanged();
    return QObject::eventFilter(watched, event);
}

}  // namespace sonde::ui
