// SPDX-License-Identifier: Apache-2.0
#include "app/gui/tabmarks.h"

#include "ui/theme/style.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QEvent>
#include <QTabBar>
#include <QTabWidget>

using namespace Qt::StringLiterals;

namespace sonde::app {

namespace {

constexpr char IsPinned[] = "isPinned";  // property of a page

}  // namespace

TabMarks::TabMarks(QTabWidget *tabs, QObject *parent) : QObject(parent), m_tabs(tabs)
{
    connect(tabs, &QTabWidget::tabBarDoubleClicked, this, [this](int index) { keep(m_tabs->widget(index)); });
    tabs->tabBar()->installEventFilter(this);
}

QWidget *TabMarks::preview() const
{
    return m_tabs->indexOf(m_preview) < 0 ? nullptr : m_preview.data();
}

void TabMarks::setPreview(QWidget *page)
{
    if (page == m_preview || isPinned(page))
        return;
    if (m_preview)
        keep(m_preview);
    m_preview = page;
    m_tabs->tabBar()->setTabData(m_tabs->indexOf(page), ui::PreviewTab);
    m_tabs->tabBar()->update();
    Q_EMIT changed();
}

void TabMarks::keep(const QWidget *page)
{
    if (!page || page != m_preview)
        return;
    m_tabs->tabBar()->setTabData(m_tabs->indexOf(m_preview), {});
    m_preview.clear();
    m_tabs->tabBar()->update();
    Q_EMIT changed();
}

void TabMarks::forget(QWidget *page)
{
    keep(page);
    page->setProperty(IsPinned, {});
}

bool TabMarks::isPinned(const QWidget *page) const
{
    return page && page->property(IsPinned).toBool();
}

void TabMarks::setPinned(QWidget *page, bool pinned)
{
    if (!page || isPinned(page) == pinned)
        return;
    keep(page);
    page->setProperty(IsPinned, pinned);
    if (const int index = m_tabs->indexOf(page); index >= 0)
        m_tabs->setTabIcon(index, pinned ? ui::icon(u"pin"_s) : QIcon());
    sort();
    Q_EMIT changed();
}

// All others keep their order.
void TabMarks::sort()
{
    int pinned = 0;
    for (int i = 0; i < m_tabs->count(); ++i) {
        if (!isPinned(m_tabs->widget(i)))
            continue;
        if (i != pinned)
            m_tabs->tabBar()->moveTab(i, pinned);
        ++pinned;
    }
}

// A tab that is dragged goes where it is dropped, on its own side.
bool TabMarks::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::MouseButtonRelease)
        QMetaObject::invokeMethod(this, &TabMarks::sort, Qt::QueuedConnection);
    return QObject::eventFilter(watched, event);
}

}  // namespace sonde::app
