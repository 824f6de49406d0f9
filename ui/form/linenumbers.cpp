// SPDX-License-Identifier: Apache-2.0
#include "ui/form/linenumbers.h"

#include "ui/form/inputs.h"
#include "ui/form/jsonfolding.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

namespace sonde::ui {

LineNumbers::LineNumbers(GrowingTextEdit *edit) : QWidget(edit), m_edit(edit)
{
    setFont(edit->font());
    edit->installEventFilter(this);
    connect(edit, &QPlainTextEdit::blockCountChanged, this, &LineNumbers::place);
    connect(edit, &QPlainTextEdit::updateRequest, this, [this](const QRect &area, int scrolled) {
        if (scrolled != 0)
            update();
        else
            update(0, area.top(), width(), area.height());
    });
    place();
}

void LineNumbers::setMarks(const QHash<int, Tone> &lines)
{
    if (m_marks == lines)
        return;
    m_marks = lines;
    update();
}

void LineNumbers::setFolding(JsonFolding *folding)
{
    m_folding = folding;
    connect(folding, &JsonFolding::changed, this, qOverload<>(&QWidget::update));
    place();
}

QSize LineNumbers::sizeHint() const
{
    const qsizetype digits = qMax(qsizetype(2), QString::number(m_edit->blockCount()).size());
    const int marks = m_folding ? 2 : 0;
    return {int(digits + 2 + marks) * fontMetrics().horizontalAdvance(u'0') + Grid / 2, 0};
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

// Of what is hidden, too: what is wrong rather than what is only remarked upon.
std::optional<Tone> LineNumbers::markOf(int number) const
{
    const bool isFolded = m_folding && m_folding->isFolded(number - 1);
    const int last = isFolded ? m_folding->lastHidden(number - 1) + 1 : number;
    std::optional<Tone> tone;
    for (auto mark = m_marks.cbegin(); mark != m_marks.cend(); ++mark) {
        if (mark.key() >= number && mark.key() <= last && tone != Tone::ProtocolError)
            tone = mark.value();
    }
    return tone;
}

void LineNumbers::paintEvent(QPaintEvent *event)
{
    QPainter painter(this);
    const int mark = m_folding ? 2 * fontMetrics().horizontalAdvance(u'0') : 0;
    const int right = width() - Grid - mark;
    for (const GrowingTextEdit::ShownLine &line : m_edit->shownLines()) {
        const QRect row(0, line.top, width(), line.height);
        if (!row.intersects(event->rect()))
            continue;
        const std::optional<Tone> tone = markOf(line.number);
        painter.setPen(tone ? color(*tone) : colors().dim);
        painter.drawText(QRect(0, line.top, right, line.height), Qt::AlignRight | Qt::AlignVCenter,
                         QString::number(line.number));
        if (tone)
            painter.drawText(row, Qt::AlignLeft | Qt::AlignVCenter,
                             *tone == Tone::Finding ? sign(*tone) : QString(u'▲'));
        if (m_folding && m_folding->isFoldable(line.number - 1)) {
            painter.setPen(colors().dim);
            painter.drawText(QRect(right, line.top, mark + Grid / 2, line.height), Qt::AlignCenter,
                             QString(m_folding->isFolded(line.number - 1) ? u'▸' : u'▾'));
        }
    }
}

void LineNumbers::mousePressEvent(QMouseEvent *event)
{
    const QList<GrowingTextEdit::ShownLine> lines = m_edit->shownLines();
    for (const GrowingTextEdit::ShownLine &line : lines) {
        const int y = event->position().toPoint().y();
        if (m_folding && y >= line.top && y < line.top + line.height)
            return m_folding->setFolded(line.number - 1, !m_folding->isFolded(line.number - 1));
    }
}

}  // namespace sonde::ui
