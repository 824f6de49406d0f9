// SPDX-License-Identifier: Apache-2.0
#include "app/gui/closablebanner.h"

#include <QApplication>

using namespace Qt::StringLiterals;

namespace sonde::app {

ClosableBanner::ClosableBanner(const QString &name, QWidget *parent) : ui::Banner(parent), m_close(new QToolButton)
{
    setObjectName(name);
    m_close->setObjectName(name + "Close"_L1);
    m_close->setIcon(ui::icon(u"close"_s));
    m_close->setAutoRaise(true);
    m_close->setAccessibleName(tr("Close this notice"));
    m_close->setToolTip(tr("Close"));
    ui::Banner::addControl(m_close);
    connect(m_close, &QToolButton::clicked, this, &ClosableBanner::closeClicked);
    hide();
}

void ClosableBanner::addControl(QWidget *control)
{
    ui::Banner::addControl(control);
    ui::Banner::addControl(m_close);
}

void ClosableBanner::leave()
{
    const bool hadFocus = isAncestorOf(QApplication::focusWidget());
    hide();
    if (hadFocus)
        Q_EMIT focusLeft();
}

}  // namespace sonde::app
