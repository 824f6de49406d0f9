// SPDX-License-Identifier: Apache-2.0
#include "ui/form/descriptionlabel.h"

#include "ui/form/stacklayouts.h"
#include "ui/theme/widgets.h"

namespace sonde::ui {

namespace {

constexpr qsizetype ShortLength = 160;

QString shortened(const QString &text)
{
    qsizetype end = text.indexOf(u'\n');
    if (end < 0 || end > ShortLength)
        end = text.size() <= ShortLength ? text.size() : text.lastIndexOf(u' ', ShortLength);
    if (end <= ShortLength / 3)
        end = qMin(text.size(), ShortLength);
    return end == text.size() ? text : text.left(end).simplified() + u'…';
}

}  // namespace

DescriptionLabel::DescriptionLabel(const QString &text, QWidget *parent)
    : QWidget(parent), m_text(text.trimmed()), m_short(shortened(m_text)), m_label(new TextLabel)
{
    auto *column = new ColumnLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_label->setFont(smallFont());
    m_label->setDim(true);
    m_label->setWordWrap(true);
    m_label->setMinimumWidth(40);
    column->addWidget(m_label);
    if (m_short != m_text) {
        m_more = new FlatButton(tr("Show more"));
        m_more->setFlush(true);
        m_more->setCheckable(true);
        m_more->setFocusPolicy(Qt::ClickFocus);
        m_more->setAccessibleName(tr("Show the full description"));
        m_more->setObjectName(QStringLiteral("more"));
        column->addWidget(m_more, Qt::AlignLeft);
        connect(m_more, &FlatButton::toggled, this, &DescriptionLabel::setExpanded);
    }
    setExpanded(false);
}

void DescriptionLabel::setExpanded(bool expanded)
{
    m_label->setServerText(expanded ? m_text : m_short);
    if (m_more)
        m_more->setText(expanded ? tr("Show less") : tr("Show more"));
}

}  // namespace sonde::ui
