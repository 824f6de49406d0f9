// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/fittingsegments.h"

#include "ui/theme/widgets.h"

#include <QActionGroup>
#include <QMenu>
#include <QResizeEvent>

using namespace Qt::StringLiterals;

namespace sonde::ui {

FittingSegments::FittingSegments(const QString &objectName, const QString &accessibleName, QWidget *parent)
    : QWidget(parent), m_control(new SegmentedControl(this)), m_choice(new QToolButton(this))
{
    m_control->setObjectName(objectName);
    m_control->setAccessibleName(accessibleName);
    m_control->setFont(smallFont());
    m_choice->setObjectName(objectName + u"Button"_s);
    m_choice->setFocusPolicy(Qt::StrongFocus);
    m_choice->hide();
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(m_control, &SegmentedControl::currentChanged, this, [this](int index) {
        fit();
        Q_EMIT currentChanged(index);
    });
    connect(m_choice, &QToolButton::clicked, this, &FittingSegments::showMenu);
}

int FittingSegments::addSegment(const QString &text, const QString &accessibleName)
{
    ++m_count;
    const int index = m_control->addSegment(text, accessibleName);
    setSegmentVisible(index, true);  // now, so that its width counts
    return index;
}

void FittingSegments::setSegmentText(int index, const QString &text)
{
    m_control->button(index)->setText(text);
    fit();
}

void FittingSegments::setSegmentVisible(int index, bool visible)
{
    m_control->setSegmentVisible(index, visible);
    fit();
}

int FittingSegments::current() const
{
    return m_control->current();
}

void FittingSegments::setCurrent(int index)
{
    m_control->setCurrent(index);
}

QSize FittingSegments::buttonSize() const
{
    return {m_choice->sizeHint().width(), sizeHint().height()};
}

// For the segments offered now: the control's own size hint does not change while it is hidden.
QSize FittingSegments::sizeHint() const
{
    QSize size(2, 0);
    for (int i = 0; i < m_count; ++i) {
        const QSize segment = m_control->button(i)->sizeHint();
        if (!m_control->button(i)->isHidden())
            size.rwidth() += segment.width();
        size.setHeight(qMax(size.height(), segment.height() + 2));
    }
    return size;
}

QSize FittingSegments::minimumSizeHint() const
{
    return buttonSize();
}

void FittingSegments::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    fit();
}

void FittingSegments::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    fit();  // the font may be another one
}

void FittingSegments::fit()
{
    const QAbstractButton *chosen = m_control->button(m_control->current());
    m_choice->setText(chosen ? chosen->text() + u" ▾"_s : QString());
    m_choice->setAccessibleName(chosen ? tr("%1: %2").arg(m_control->accessibleName(), chosen->text()) : QString());
    updateGeometry();
    if (!isVisible())
        return;  // once it is shown
    const QSize wanted = sizeHint();
    const bool fits = wanted.width() <= width();
    m_control->setVisible(fits);
    m_choice->setVisible(!fits);
    m_control->setGeometry(QRect(QPoint(), wanted));
    m_choice->setGeometry(QRect(QPoint(), QSize(qMin(width(), buttonSize().width()), wanted.height())));
}

void FittingSegments::showMenu()
{
    auto *menu = new QMenu(this);
    menu->setObjectName(m_control->objectName() + u"Menu"_s);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    auto *group = new QActionGroup(menu);
    for (int i = 0; i < m_count; ++i) {
        if (m_control->button(i)->isHidden())
            continue;
        QAction *action = menu->addAction(m_control->button(i)->text(), this, [this, i] { setCurrent(i); });
        action->setCheckable(true);
        action->setChecked(i == current());
        group->addAction(action);
    }
    menu->popup(m_choice->mapToGlobal(QPoint(0, m_choice->height())));
}

}  // namespace sonde::ui
