// SPDX-License-Identifier: Apache-2.0
#include "ui/replay/replayprompt.h"

#include "ui/theme/widgets.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QVBoxLayout>

namespace sonde::ui {

ReplayPrompt::ReplayPrompt(QWidget *parent)
    : QFrame(parent), m_title(new TextLabel), m_text(new TextLabel), m_row(new QHBoxLayout(this))
{
    m_row->setContentsMargins(2 * Grid, Grid, 2 * Grid, Grid);
    m_row->setSpacing(Grid);
    auto *column = new QVBoxLayout;
    column->setSpacing(2);
    m_title->setStrong();
    for (TextLabel *label : {m_title, m_text}) {
        label->setWordWrap(true);
        column->addWidget(label);
    }
    m_row->addLayout(column, 1);
    hide();
}

void ReplayPrompt::setContent(Tone tone, const QString &title, const QString &text)
{
    m_tone = tone;
    m_title->setServerText(sign(tone) + QLatin1Char(' ') + title);
    m_text->setServerText(text);
    m_text->setVisible(!text.isEmpty());
    setAccessibleName(title);
    setAccessibleDescription(text);
    show();
    update();
}

QPushButton *ReplayPrompt::addButton(const QString &text, const QString &objectName)
{
    auto *button = new QPushButton(text);
    button->setObjectName(objectName);
    button->setMinimumHeight(28);
    button->setAutoDefault(true);  // Enter presses it, too
    m_row->addWidget(button, 0, Qt::AlignVCenter);
    return button;
}

void ReplayPrompt::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), softColor(m_tone));
    painter.fillRect(QRect(0, 0, 4, height()), color(m_tone));
}

}  // namespace sonde::ui
