// SPDX-License-Identifier: Apache-2.0
#include "ui/result/findingslist.h"

#include "core/protocol/numbertext.h"
#include "core/protocol/visibletext.h"
#include "ui/theme/widgets.h"

#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>

namespace sonde::ui {

namespace {

constexpr int ShownFindings = 4;  // until all are asked for
constexpr int ShownBriefly = 2;
constexpr int MaxLabels = 200;

}  // namespace

FindingsList::FindingsList(QWidget *parent)
    : QWidget(parent), m_layout(new QVBoxLayout(this)), m_more(new FlatButton({}, this))
{
    setObjectName(QStringLiteral("findings"));
    setAccessibleName(tr("Findings"));
    m_layout->setContentsMargins(Grid + 4, Grid - 2, Grid, Grid - 2);
    m_layout->setSpacing(Grid / 4);
    m_layout->addWidget(m_more);
    m_more->setObjectName(QStringLiteral("moreFindings"));
    m_more->setAccessibleName(tr("Show all findings"));
    connect(m_more, &QToolButton::clicked, this, [this] {
        if (m_isBrief) {
            Q_EMIT allRequested();
            return;
        }
        m_shown = MaxLabels;
        for (const QString &finding : m_findings.mid(ShownFindings, MaxLabels - ShownFindings))
            addLabel(finding);
        updateMore();
    });
    clear();
}

void FindingsList::setBrief()
{
    m_isBrief = true;
    clear();
}

void FindingsList::clear()
{
    m_findings.clear();
    m_shown = m_isBrief ? ShownBriefly : ShownFindings;
    while (m_layout->count() > 1) {
        const std::unique_ptr<QLayoutItem> item(m_layout->takeAt(0));
        delete item->widget();
    }
    m_more->hide();
    hide();
}

void FindingsList::add(const QString &finding)
{
    if (m_findings.contains(finding))
        return;
    m_findings.append(finding);
    show();
    if (m_findings.size() <= m_shown)
        addLabel(finding);
    updateMore();
}

void FindingsList::updateMore()
{
    const qsizetype hidden = m_findings.size() - m_shown;
    m_more->setVisible(hidden > 0);
    m_more->setText((m_shown < MaxLabels ? tr("Show %1 more") : tr("and %1 more")).arg(grouped(hidden)));
    m_more->setAccessibleName(m_more->text());
    m_more->setEnabled(m_shown < MaxLabels);
}

void FindingsList::addLabel(const QString &finding)
{
    auto *label = new TextLabel(sign(Tone::Finding) + QLatin1Char(' ') + visibleLine(finding, 400), this);
    label->setTone(Tone::Finding);
    label->setWordWrap(!m_isBrief);
    label->setElided(m_isBrief);
    if (m_isBrief) {
        label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
        label->setToolTip(plainToolTip(visibleLine(finding, 400)));
    }
    label->setAccessibleName(tr("Finding: %1").arg(visibleLine(finding, 400)));
    m_layout->insertWidget(m_layout->count() - 1, label);
}

void FindingsList::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(softColor(Tone::Finding));
    painter.drawRoundedRect(rect(), 4, 4);
    painter.fillRect(QRect(0, 0, 3, height()), color(Tone::Finding));
}

}  // namespace sonde::ui
