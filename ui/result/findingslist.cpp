// SPDX-License-Identifier: Apache-2.0
#include "ui/result/findingslist.h"

#include "core/protocol/numbertext.h"
#include "core/protocol/visibletext.h"
#include "ui/result/labelfind.h"
#include "ui/theme/widgets.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

namespace sonde::ui {

namespace {

constexpr int ShownFindings = 4;  // until all are asked for
constexpr int ShownBriefly = 2;
constexpr int ShownInLowPlace = 1;
constexpr int MaxLabels = 200;

}  // namespace

// Places are findings.
class FindingsList::Source final : public FindSource {
public:
    explicit Source(FindingsList *list) : FindSource(list), m_list(list) {}

    std::shared_ptr<FindScan> scan(const FindWord &word) const override
    {
        return std::make_shared<TextsScan>(m_list->m_findings.mid(0, MaxLabels), word);
    }

    void mark(const FindWord &, const std::shared_ptr<const FindPlaces> &places) override
    {
        m_places = places;
        showMore();
    }

    void showMore() override
    {
        m_list->m_found.clear();
        if (m_places)
            std::copy(m_places->cbegin(), m_places->cend(), std::back_inserter(m_list->m_found));
        m_list->update();
    }

    QRect show(quint32 place) override
    {
        if (place >= m_list->m_shown)
            m_list->showFirst(MaxLabels);
        m_list->m_current = place;
        m_list->update();
        const QLayoutItem *item = m_list->m_layout->itemAt(int(place));
        return item ? item->geometry() : QRect();
    }

    void deselect() override
    {
        m_list->m_current = -1;
        m_list->update();
    }

private:
    FindingsList *m_list;
    std::shared_ptr<const FindPlaces> m_places;
};

FindingsList::FindingsList(QWidget *parent)
    : QWidget(parent), m_layout(new QVBoxLayout(this)), m_more(new FlatButton({}, this)), m_findSource(new Source(this))
{
    setObjectName(QStringLiteral("findings"));
    setAccessibleName(tr("Findings"));
    setFocusPolicy(Qt::TabFocus);  // for the keys and the menu
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
        showFirst(MaxLabels);
    });
    clear();
}

void FindingsList::showFirst(qsizetype count)
{
    while (m_layout->count() - 1 > count)
        delete m_layout->itemAt(m_layout->count() - 2)->widget();
    const qsizetype there = m_layout->count() - 1;
    for (const QString &finding : m_findings.mid(there, count - there))
        addLabel(finding);
    m_shown = count;
    updateMore();
}

void FindingsList::setLow(bool isLow)
{
    if (isLow == m_isLow || m_isBrief)
        return;
    m_isLow = isLow;
    if (m_shown != MaxLabels)
        showFirst(isLow ? ShownInLowPlace : ShownFindings);
}

void FindingsList::setBrief()
{
    m_isBrief = true;
    clear();
}

void FindingsList::clear()
{
    m_findings.clear();
    m_shown = m_isBrief ? ShownBriefly : m_isLow ? ShownInLowPlace : ShownFindings;
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
    m_findSource->setChanged();
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
    for (const qsizetype found : std::as_const(m_found)) {
        if (const QLayoutItem *item = m_layout->itemAt(int(found)); item && item->widget() != m_more)
            painter.fillRect(item->geometry(), found == m_current ? colors().selection : softColor(Tone::ToolError));
    }
    if (hasFocus()) {
        painter.setPen(focusPen());
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(rect().adjusted(1, 1, -1, -1), 4, 4);
    }
}

void FindingsList::copyAll() const
{
    QGuiApplication::clipboard()->setText(m_findings.join(QLatin1Char('\n')));
}

void FindingsList::contextMenuEvent(QContextMenuEvent *event)
{
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(QStringLiteral("findingsMenu"));
    const QWidget *label = event->reason() == QContextMenuEvent::Mouse ? childAt(event->pos()) : nullptr;
    const qsizetype index = label ? m_layout->indexOf(label) : -1;
    if (index >= 0 && index < m_layout->count() - 1)
        menu->addAction(tr("Copy finding"), this,
                        [finding = m_findings.value(index)] { QGuiApplication::clipboard()->setText(finding); });
    menu->addAction(tr("Copy all findings"), this, &FindingsList::copyAll)->setShortcut(QKeySequence::Copy);
    Q_EMIT menuRequested(menu);
    menu->popup(event->globalPos());
}

void FindingsList::keyPressEvent(QKeyEvent *event)
{
    if (event->matches(QKeySequence::Copy))
        copyAll();
    else
        QWidget::keyPressEvent(event);
}

void FindingsList::focusInEvent(QFocusEvent *event)
{
    QWidget::focusInEvent(event);
    update();
}

void FindingsList::focusOutEvent(QFocusEvent *event)
{
    QWidget::focusOutEvent(event);
    update();
}

}  // namespace sonde::ui
