// SPDX-License-Identifier: Apache-2.0
#include "ui/form/linenumbers.h"

#include "ui/form/inputs.h"
#include "ui/theme/theme.h"

#include <QEvent>
#include <QPainter>
#include <QTextBlock>

namespace sonde::ui {

LineNumbers::LineNumbers(GrowingTextEdit *edit) : QWidget(edit), m_edit(edit)
{
    setFont(edit->font());
    edit->installEventFilter(this);
    connect(edit, &QPlainTextEdit::blockCountChanged, this, &LineNumbers::place);
    connect(edit, &QPlainTextEdit::updateRequest, this, [this](const QRect &, int) { update(); });
    place();
}

void LineNumbers::setProblems(const QSet<int> &lines)
{
    m_problems = lines;
    update();
}

QSize LineNumbers::sizeHint() const
{
    const qsizetype digits = qMax(qsizetype(2), QString::number(m_edit->blockCount()).size());
    return {int(digits + 2) * fontMetrics().horizontalAdvance(u'0') + Grid / 2, 0};
}

void LineNumbers::place()
{
    const int width = sizeHint().width();
    m_edit->setLeftMargin(width);
    const QRect inner = m_edit->contentsRect();
    setGeometry(inner.left(), inner.top(), width, inner.height());
}

bool LineNumbers::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::Resize)
        place();
    return QWidget::eventFilter(watched, event);
}

void LineNumbers::paintEvent(QPaintEvent *event)
{
    QPainter painter(this);
    const int right = width() - Grid;
    for (const GrowingTextEdit::ShownLine &line : m_edit->shownLines()) {
        const QRect row(0, line.top, right, line.height);
        if (!row.intersects(event->rect()))
            continue;
        const bool isWrong = m_problems.contains(line.number);
        painter.setPen(isWrong ? color(Tone::ProtocolError) : colors().dim);
        painter.drawText(row, Qt::AlignRight | Qt::AlignVCenter, QString::number(line.number));
        if (isWrong)
            painter.drawText(QRect(0, line.top, right, line.height), Qt::AlignLeft | Qt::AlignVCenter, QString(u'▲'));
    }
}

}  // namespace sonde::ui
