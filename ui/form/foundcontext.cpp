// SPDX-License-Identifier: Apache-2.0
#include "ui/form/foundcontext.h"

#include "core/protocol/visibletext.h"
#include "ui/json/foundmarks.h"
#include "ui/theme/theme.h"

#include <QPainter>

namespace sonde::ui {

FoundContext::FoundContext(QWidget *parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("foundContext"));
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    hide();
}

void FoundContext::setLine(const QString &line, const FindWord &word)
{
    m_line = visibleText(line);
    m_word = word;
    setAccessibleName(m_line.isEmpty() ? QString() : tr("In the abbreviated part: %1").arg(m_line));
    setVisible(!m_line.isEmpty());
    update();
}

QSize FoundContext::sizeHint() const
{
    return {10 * Grid, QFontMetrics(smallFont()).height() + QFontMetrics(monoFont()).height() + Grid / 2};
}

void FoundContext::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const int caption = QFontMetrics(smallFont()).height();
    painter.setFont(smallFont());
    painter.setPen(colors().dim);
    painter.drawText(rect(), Qt::AlignLeft | Qt::AlignTop, tr("In the abbreviated part:"));
    const QRect line = rect().adjusted(0, caption, 0, 0);
    painter.setFont(monoFont());
    paintFoundMarks(&painter, line, m_line, m_word);
    painter.setPen(colors().text);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(m_line, Qt::ElideRight, line.width()));
}

}  // namespace sonde::ui
