// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/subjecthead.h"

#include "core/protocol/visibletext.h"
#include "ui/panels/offericons.h"
#include "ui/theme/widgets.h"

#include <QApplication>
#include <QHBoxLayout>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {
constexpr int HeadIconSide = 20;
constexpr int MaxTitle = 400;
constexpr int MaxBadge = 40;
}  // namespace

SubjectHead::SubjectHead(QWidget *parent)
    : QWidget(parent),
      m_icon(new OfferIconLabel(HeadIconSide)),
      m_title(new TextLabel),
      m_titleRow(new QHBoxLayout),
      m_badges(new QHBoxLayout),
      m_layout(new QBoxLayout(QBoxLayout::LeftToRight, this))
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    m_icon->setObjectName(u"subjectIcon"_s);
    m_title->setObjectName(u"subjectTitle"_s);
    m_title->setFont(headingFont());
    m_title->setMinimumWidth(40);
    m_titleRow->setSpacing(Grid);
    m_titleRow->addWidget(m_icon);
    m_titleRow->addWidget(m_title);
    m_titleRow->addStretch();
    m_badges->setSpacing(Grid / 2);
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(Grid);
    m_layout->addLayout(m_titleRow);
    m_layout->addLayout(m_badges, 1);
}

void SubjectHead::addControl(QWidget *control)
{
    m_control = control;
    m_badges->addWidget(control);
}

void SubjectHead::setContent(const QString &title, const json::Value &icons, const QString &server,
                             const QList<OfferBadge> &badges)
{
    m_icon->setIcons(icons, server);
    m_title->setServerText(visibleLine(title, MaxTitle));
    m_title->setToolTip(plainToolTip(visibleLine(title)));
    if (m_control)
        m_badges->removeWidget(m_control);
    while (QLayoutItem *item = m_badges->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (const OfferBadge &badge : badges)
        m_badges->addWidget(new Badge(visibleLine(badge.text, MaxBadge), badge.tone));
    m_badges->addStretch();
    if (m_control)
        m_badges->addWidget(m_control);
    place();
}

void SubjectHead::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    place();
}

void SubjectHead::setLow(bool isLow)
{
    if (isLow == m_isLow)
        return;
    m_isLow = isLow;
    place();
}

// Beside the switch of a low one, in two small lines where one is too short.
void SubjectHead::placeTitle()
{
    QFont font = headingFont();
    if (m_isLow) {
        font = QApplication::font();
        font.setBold(true);
    }
    if (m_title->font() != font)
        m_title->setFont(font);
    const int control = m_control ? m_control->sizeHint().width() + m_layout->spacing() : 0;
    const int icon = m_icon->isHidden() ? 0 : m_icon->sizeHint().width() + m_titleRow->spacing();
    const int room = width() - icon - control;
    const QFontMetrics metrics(font);
    const QString text = m_title->text();
    const bool wraps =
        m_isLow && metrics.horizontalAdvance(text) > room &&
        metrics.boundingRect(QRect(0, 0, room, height()), Qt::TextWordWrap, text).height() < 3 * metrics.lineSpacing();
    m_title->setElided(!wraps, Qt::ElideMiddle);
    m_title->setWordWrap(wraps);
    m_title->setSizePolicy(wraps ? QSizePolicy::Preferred : QSizePolicy::Maximum, QSizePolicy::Preferred);
    m_titleRow->setStretchFactor(m_title, wraps ? 1 : 0);
    m_layout->setStretchFactor(m_titleRow, wraps ? 1 : 0);
    m_layout->setStretchFactor(m_badges, wraps ? 0 : 1);
}

void SubjectHead::place()
{
    placeTitle();
    const bool hasBadges = m_badges->count() > 1;  // or a control: there is more than the stretch
    for (int i = 0; i < m_badges->count(); ++i) {
        if (QWidget *badge = m_badges->itemAt(i)->widget(); badge && badge != m_control)
            badge->setVisible(!m_isLow);
    }
    const int wanted = m_titleRow->sizeHint().width() + m_layout->spacing() + m_badges->sizeHint().width();
    const bool isBelow = hasBadges && !m_isLow && wanted > width();
    const auto direction = isBelow ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight;
    if (direction == m_layout->direction())
        return;
    m_layout->setDirection(direction);
    m_layout->setSpacing(direction == QBoxLayout::LeftToRight ? Grid : Grid / 2);
}

}  // namespace sonde::ui
