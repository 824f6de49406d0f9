// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/calls/onlycallline.h"

#include "ui/theme/widgets.h"

#include <QHBoxLayout>
#include <QPaintEvent>
#include <QPainter>

namespace sonde::ui {

OnlyCallLine::OnlyCallLine(QWidget *parent) : QWidget(parent), m_text(new TextLabel)
{
    setObjectName(QStringLiteral("onlyCall"));
    m_text->setObjectName(QStringLiteral("onlyCallText"));
    m_text->setElided(true);
    auto *close = new QToolButton;
    close->setObjectName(QStringLiteral("onlyCallClose"));
    close->setText(tr("Show all calls"));
    close->setAccessibleName(tr("Show all calls again"));
    close->setIcon(icon(QStringLiteral("close")));
    close->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    close->setAutoRaise(true);
    connect(close, &QToolButton::clicked, this, &OnlyCallLine::closed);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(Grid + 2, 1, Grid, 1);
    row->setSpacing(Grid);
    row->addWidget(m_text, 1);
    row->addWidget(close);
    hide();
}

void OnlyCallLine::setCall(const QString &title)
{
    m_text->setServerText(tr("Only call %1").arg(title));
    setVisible(!title.isEmpty());
}

void OnlyCallLine::paintEvent(QPaintEvent *event)
{
    QPainter(this).fillRect(event->rect(), softColor(Tone::Accent));
}

}  // namespace sonde::ui
