// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/details/detailsegments.h"

#include "ui/theme/widgets.h"

#include <QActionGroup>
#include <QMenu>
#include <QResizeEvent>

using namespace Qt::StringLiterals;

namespace sonde::ui {

DetailSegments::DetailSegments(QWidget *parent)
    : QWidget(parent), m_control(new SegmentedControl(this)), m_choice(new QToolButton(this))
{
    m_control->setObjectName(u"detailSegments"_s);
    m_control->setAccessibleName(tr("Record view"));
    m_control->setFont(smallFont());
    m_choice->setObjectName(u"detailChoice"_s);
    m_choice->setAccessibleName(m_control->accessibleName());
    m_choice->setFocusPolicy(Qt::StrongFocus);
    m_choice->hide();
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(m_control, &SegmentedControl::currentChanged, this, [this](int index) {
        fit();
        Q_EMIT currentChanged(index);
    });
    connect(m_choice, &QToolButton::clicked, this, &DetailSegments::showMenu);
}

int DetailSegments::addSegment(const QString &text, const QString &accessibleName)
{
    ++m_count;
    return m_control->addSegment(text, accessibleName);
}

void DetailSegments::setSegmentText(int index, const QString &text)
{
    m_control->button(index)->setText(text);
    fit();
}

void DetailSegments::setSegmentVisible(int index, bool visible)
{
    m_control->setSegmentVisible(index, visible);
    fit();
}

int DetailSegments::current() const
{
    return m_control->current();
}

void DetailSegments::setCurrent(int index)
{
    m_control->setCurrent(index);
}

QSize DetailSegments::buttonSize() const
{
    return {m_choice->sizeHint().width(), sizeHint().height()};
}

// For the segments offered now: the control's own size hint does not change while it is hidden.
QSize DetailSegments::sizeHint() const
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

QSize DetailSegments::minimumSizeHint() const
{
    return buttonSize();
}

void DetailSegments::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    fit();
}

void DetailSegments::fit()
{
    const QAbstractButton *chosen = m_control->button(m_control->current());
    m_choice->setText(chosen ? chosen->text() + u" ▾"_s : QString());
    m_choice->setAccessibleName(chosen ? tr("Record view: %1").arg(chosen->text()) : QString());
    const QSize wanted = sizeHint();
    const bool fits = wanted.width() <= width();
    m_control->setVisible(fits);
    m_choice->setVisible(!fits);
    m_control->setGeometry(QRect(QPoint(), wanted));
    m_choice->setGeometry(QRect(QPoint(), QSize(qMin(width(), buttonSize().width()), wanted.height())));
    updateGeometry();
}

void DetailSegments::showMenu()
{
    auto *menu = new QMenu(this);
    menu->setObjectName(u"detailMenu"_s);
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
