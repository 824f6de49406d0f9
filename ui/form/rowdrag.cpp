// SPDX-License-Identifier: Apache-2.0
#include "ui/form/rowdrag.h"

#include "ui/form/fieldcolumn.h"
#include "ui/theme/keys.h"
#include "ui/theme/widgets.h"

#include <QApplication>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollArea>
#include <QScrollBar>
#include <algorithm>

namespace sonde::ui {

namespace {

constexpr int HandleWidth = 12;
constexpr int LineHeight = 2;
constexpr int ScrollMargin = 3 * Grid;  // from the edge of the form
constexpr int ScrollIntervalMs = 16;
constexpr int MaxScrollStep = 16;  // px at a time

}  // namespace

RowDrag::RowDrag(FieldColumn *rows, const QWidget *row)
    : m_rows(rows), m_row(row), m_line(new QWidget(rows->parentWidget())), m_target(rows->indexOf(row))
{
    QPalette accent = m_line->palette();
    m_line->setObjectName(QStringLiteral("dropLine"));
    m_line->setAutoFillBackground(true);
    m_line->setBackgroundRole(QPalette::Window);  // rather than that of the panel around the form
    accent.setColor(QPalette::Window, colors().accent);
    m_line->setPalette(accent);
    m_scroll.setInterval(ScrollIntervalMs);
    connect(&m_scroll, &QTimer::timeout, this, &RowDrag::scroll);
}

RowDrag::~RowDrag()
{
    if (!m_line)
        return;
    m_line->hide();
    m_line->deleteLater();
}

void RowDrag::moveTo(const QPoint &global)
{
    m_at = global;
    const int y = m_rows->mapFromGlobal(global).y();
    const qsizetype from = m_rows->indexOf(m_row);
    const QWidget *before = nullptr;  // the row that would be above
    const QWidget *behind = nullptr;
    const QList<QWidget *> drawn = m_rows->widgets();
    for (const QWidget *row : drawn) {
        if (row->isHidden())
            continue;
        if (y < row->geometry().center().y()) {
            behind = row;
            break;
        }
        before = row;
    }
    const qsizetype gap = behind ? m_rows->indexOf(behind) : before ? m_rows->indexOf(before) + 1 : from;
    m_target = gap > from ? gap - 1 : gap;
    if (!m_line)
        return;
    const int top = behind ? behind->y() - LineHeight - 1 : before ? before->geometry().bottom() + 2 : 0;
    m_line->setGeometry(m_rows->x(), m_rows->y() + top, m_rows->width(), LineHeight);
    m_line->setVisible(m_target != from);
    m_line->raise();
    if (!m_scroll.isActive())
        m_scroll.start();
}

void RowDrag::scroll()
{
    QScrollArea *area = nullptr;
    for (QWidget *up = m_rows; up && !area; up = up->parentWidget())
        area = qobject_cast<QScrollArea *>(up);
    if (!area)
        return;
    const int y = area->viewport()->mapFromGlobal(m_at).y();
    const int above = ScrollMargin - y;
    const int below = y - (area->viewport()->height() - ScrollMargin);
    const int by = above > 0 ? -std::min(above, MaxScrollStep) : below > 0 ? std::min(below, MaxScrollStep) : 0;
    if (by == 0) {
        m_scroll.stop();
        return;
    }
    area->verticalScrollBar()->setValue(area->verticalScrollBar()->value() + by);
    moveTo(m_at);
}

DragHandle::DragHandle(FieldColumn *rows, QWidget *row) : QWidget(row), m_rows(rows), m_row(row)
{
    setFixedWidth(HandleWidth);
    setCursor(Qt::OpenHandCursor);
    setToolTip(tr("Drag to move (%1, %2)").arg(keyText(Qt::ALT | Qt::Key_Up), keyText(Qt::ALT | Qt::Key_Down)));
}

void DragHandle::mousePressEvent(QMouseEvent *event)
{
    m_isPressed = event->button() == Qt::LeftButton;
    m_pressedAt = event->globalPosition().toPoint();
}

void DragHandle::mouseMoveEvent(QMouseEvent *event)
{
    const QPoint at = event->globalPosition().toPoint();
    if (!m_isPressed || (!m_drag && (at - m_pressedAt).manhattanLength() < QApplication::startDragDistance()))
        return;
    if (!m_drag) {
        m_drag = std::make_unique<RowDrag>(m_rows, m_row);
        setCursor(Qt::ClosedHandCursor);
        qApp->installEventFilter(this);
    }
    m_drag->moveTo(at);
}

void DragHandle::mouseReleaseEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton)
        return;
    const qsizetype to = m_drag ? m_drag->target() : -1;
    end();
    if (to >= 0 && to != m_rows->indexOf(m_row))
        Q_EMIT dropped(to);
}

void DragHandle::hideEvent(QHideEvent *event)
{
    end();
    QWidget::hideEvent(event);
}

void DragHandle::end()
{
    m_isPressed = false;
    if (!m_drag)
        return;
    m_drag.reset();
    setCursor(Qt::OpenHandCursor);
    qApp->removeEventFilter(this);
}

bool DragHandle::eventFilter(QObject *watched, QEvent *event)
{
    const bool isKey = event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride;
    if (m_drag && isKey && static_cast<QKeyEvent *>(event)->key() == Qt::Key_Escape) {
        event->accept();
        if (event->type() == QEvent::KeyPress)
            end();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

void DragHandle::paintEvent(QPaintEvent *event)
{
    Q_UNUSED(event)
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colors().dim);
    for (const int x : {3, 8}) {
        for (const int y : {-5, 0, 5})
            painter.drawEllipse(QPointF(x, height() / 2.0 + y), 1.2, 1.2);
    }
}

}  // namespace sonde::ui
