// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/foldedtext.h"

#include "core/protocol/visibletext.h"
#include "ui/theme/widgets.h"

#include <QToolButton>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr int FoldedLines = 3;
constexpr int MaxFoldedLength = 1500;  // characters: more than the widest window shows in those lines

}  // namespace

FoldedText::FoldedText(QWidget *parent) : QWidget(parent), m_label(new TextLabel), m_more(new QToolButton)
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
    m_more->setAutoRaise(true);
    m_more->setCheckable(true);
    m_more->setFont(smallFont());
    column->addWidget(m_more, 0, Qt::AlignLeft);
    connect(m_more, &QToolButton::toggled, this, &FoldedText::refresh);
    refresh();
    hide();
}

void FoldedText::setServerText(const QString &text)
{
    setVisible(!text.isEmpty());
    if (text == m_text)
        return;
    m_text = text;
    refresh();
}

void FoldedText::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    fold();
}

void FoldedText::refresh()
{
    const bool isWhole = m_more->isChecked();
    m_label->setServerText(isWhole ? m_text
                                   : visibleText(m_text, {.keepNewlines = true, .maxLength = MaxFoldedLength}));
    m_more->setText(isWhole ? tr("Show less") : tr("Show more"));
    fold();
}

// Whether there is more depends on where the lines break.
void FoldedText::fold()
{
    const int folded = FoldedLines * m_label->fontMetrics().lineSpacing();
    const bool isLong = m_text.size() > MaxFoldedLength || m_label->heightForWidth(width()) > folded;
    m_more->setVisible(isLong || m_more->isChecked());
    m_label->setMaximumHeight(isLong && !m_more->isChecked() ? folded : QWIDGETSIZE_MAX);
}

}  // namespace sonde::ui
