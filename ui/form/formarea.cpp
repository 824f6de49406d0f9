// SPDX-License-Identifier: Apache-2.0
#include "ui/form/formarea.h"

#include "ui/form/field.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QEvent>
#include <QLayout>
#include <QScrollBar>

namespace sonde::ui {

namespace {

// The field that has the focus and is in sight; null: none.
QWidget *focusedField(const QScrollArea *area, const QSize &room)
{
    QWidget *input = QApplication::focusWidget();
    if (!input || !area->widget()->isAncestorOf(input) ||
        !QRect(QPoint(), room).contains(input->mapTo(area->viewport(), input->rect().center())))
        return nullptr;
    QWidget *field = input;
    while (field != area->widget() && !qobject_cast<Field *>(field))
        field = field->parentWidget();
    return field;
}

}  // namespace

FormArea::FormArea(QWidget *parent) : QScrollArea(parent)
{
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
    viewport()->setAutoFillBackground(false);
    // What is behind the form, which may be tinted, shows through the scroll bar as well.
    verticalScrollBar()->setAttribute(Qt::WA_OpaquePaintEvent, false);
    // What is within a part of the form is laid out after the part itself, and may change its height again.
    m_settled.setSingleShot(true);
    m_settled.setInterval(0);
    connect(&m_settled, &QTimer::timeout, this, [this] {
        if (m_kept)
            showField(m_kept, 2 * Grid);
        m_kept.clear();
    });
    connect(verticalScrollBar(), &QAbstractSlider::actionTriggered, this, [this] { m_kept.clear(); });
    connect(qApp, &QApplication::focusChanged, this, [this](const QWidget *, const QWidget *now) {
        const bool isElsewhere = now && m_kept && now != m_kept && !m_kept->isAncestorOf(now);
        if (isElsewhere && widget() && widget()->isAncestorOf(now))
            m_kept.clear();
    });
}

void FormArea::fit()
{
    if (m_isFitting || !widget() || !widget()->layout())
        return;
    m_isFitting = true;
    QWidget *focused = m_kept ? nullptr : focusedField(this, m_room);
    const QLayout *layout = widget()->layout();
    const QSize room = maximumViewportSize();
    const int bar = verticalScrollBar()->sizeHint().width();
    const int least = layout->totalMinimumSize().width();
    // First tries the current state: usually it stays, and its heights are known.
    bool hasBar = widget()->height() > room.height();
    int width = 0;
    int height = 0;
    for (int attempt = 0; attempt < 2; ++attempt) {
        width = qMax(least, room.width() - (hasBar ? bar : 0));
        height = layout->totalHeightForWidth(width);
        if (hasBar == (height > room.height()))
            break;
        hasBar = !hasBar;
    }
    const bool changes = height != widget()->height();
    widget()->resize(width, height);
    m_isFitting = false;
    if (changes)
        Q_EMIT heightChanged();
    m_room = viewport()->size();
    if (m_kept)
        showField(m_kept, 2 * Grid);
    else if (focused)
        showField(focused, Grid);
    if (m_isReleased)
        m_settled.start();
}

void FormArea::keepInView(QWidget *widget)
{
    m_kept = widget;
    m_isReleased = false;
    m_settled.stop();
    fit();
}

void FormArea::release()
{
    m_isReleased = true;
    m_settled.start();
}

void FormArea::showField(QWidget *field, int margin)
{
    const int left = horizontalScrollBar()->value();
    ensureWidgetVisible(field, 0, qBound(0, (viewport()->height() - field->height()) / 2, margin));
    if (QWidget *input = field->focusWidget(); input && input->height() <= viewport()->height())
        ensureWidgetVisible(input, 0, 0);
    horizontalScrollBar()->setValue(left);
}

FormArea *FormArea::around(const QWidget *widget)
{
    QWidget *up = widget->parentWidget();
    while (up && !qobject_cast<FormArea *>(up))
        up = up->parentWidget();
    return static_cast<FormArea *>(up);
}

bool FormArea::focusNextPrevChild(bool next)
{
    const int left = horizontalScrollBar()->value();
    const bool isMoved = QScrollArea::focusNextPrevChild(next);
    horizontalScrollBar()->setValue(left);
    return isMoved;
}

void FormArea::resizeEvent(QResizeEvent *event)
{
    QScrollArea::resizeEvent(event);
    fit();
}

void FormArea::wheelEvent(QWheelEvent *event)
{
    m_kept.clear();
    QScrollArea::wheelEvent(event);
}

bool FormArea::eventFilter(QObject *watched, QEvent *event)
{
    const bool handled = QScrollArea::eventFilter(watched, event);
    if (watched == widget() && event->type() == QEvent::LayoutRequest)
        fit();
    return handled;
}

}  // namespace sonde::ui
