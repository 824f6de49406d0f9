// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/collapsibletext.h"

#include "core/protocol/visibletext.h"
#include "ui/theme/firstlines.h"
#include "ui/theme/widgets.h"

#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr int MaxLineLength = 500;  // characters: more than the widest window shows

}  // namespace

CollapsibleText::CollapsibleText(QWidget *parent) : QWidget(parent), m_label(new TextLabel), m_more(new FlatButton({}))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    m_label->setDim(true);
    m_label->setWordWrap(true);
    m_label->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_label->setMinimumWidth(40);
    column->addWidget(m_label);
    m_more->setObjectName(u"showMore"_s);
    m_more->setCheckable(true);
    m_more->setFlush(true);
    column->addWidget(m_more, 0, Qt::AlignLeft);
    connect(m_more, &QToolButton::toggled, this, &CollapsibleText::refresh);
    refresh();
    hide();
}

void CollapsibleText::setDim(bool dim)
{
    m_label->setDim(dim);
}

void CollapsibleText::setMaxLines(int lines)
{
    if (lines == m_maxLines)
        return;
    m_maxLines = lines;
    refresh();
}

void CollapsibleText::setServerText(const QString &text)
{
    setVisible(!text.isEmpty());
    if (text == m_text)
        return;
    m_text = text;
    refresh();
}

void CollapsibleText::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    refresh();
}

// Whether text is cut off depends on where lines break.
void CollapsibleText::refresh()
{
    const QString beginning = visibleText(m_text, {.keepNewlines = true, .maxLength = m_maxLines * MaxLineLength});
    const QString lines = firstLines(beginning, m_label->font(), width(), m_maxLines);
    const bool isLong = lines.endsWith(u'…') && !m_text.endsWith(u'…');
    const bool isWhole = m_more->isChecked();
    const QString shown = isWhole || !isLong ? m_text : lines;
    if (m_label->text() != shown)
        m_label->setServerText(shown);
    m_more->setText(isWhole ? tr("Show less") : tr("Show more"));
    m_more->setVisible(isWhole || isLong);
}

}  // namespace sonde::ui
