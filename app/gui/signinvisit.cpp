// SPDX-License-Identifier: Apache-2.0
#include "app/gui/signinvisit.h"

#include "core/authorization/oauth.h"

#include <QTabWidget>

namespace sonde::app {

SignInVisit::SignInVisit(OAuth *signIn, QWidget *from, QWidget *page, QTabWidget *tabs)
    : QObject(tabs), m_signIn(signIn), m_from(from), m_page(page), m_tabs(tabs)
{
    connect(signIn, &OAuth::changed, this, &SignInVisit::onChanged);
    connect(signIn, &QObject::destroyed, this, &QObject::deleteLater);
    connect(tabs, &QTabWidget::currentChanged, this, &SignInVisit::onTabChanged);
}

void SignInVisit::onChanged()
{
    if (!m_signIn || m_signIn->isBusy())
        return;
    end();
    if (m_from && m_tabs->indexOf(m_from) >= 0 && m_tabs->currentWidget() == m_page)
        Q_EMIT returned(m_from);
}

void SignInVisit::onTabChanged()
{
    if (m_tabs->currentWidget() != m_page)
        end();
}

void SignInVisit::end()
{
    if (m_signIn)
        m_signIn->disconnect(this);
    m_tabs->disconnect(this);
    deleteLater();
}

}  // namespace sonde::app
