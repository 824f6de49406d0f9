// SPDX-License-Identifier: Apache-2.0
#include "ui/result/resultheader.h"

#include "ui/result/outcometext.h"
#include "ui/theme/widgets.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGridLayout>
#include <QGuiApplication>
#include <QMenu>

namespace sonde::ui {

namespace {
constexpr int SegmentsWidth = 20 * Grid;  // px; at least

// The milliseconds are those of the rows of the timeline, each of which was on its way at a time of its own.
QString clockText(const QDateTime &time)
{
    return time.toLocalTime().toString(QStringLiteral("HH:mm:ss"));
}

}  // namespace

ResultHeader::ResultHeader(QWidget *parent)
    : QWidget(parent),
      m_grid(new QGridLayout(this)),
      m_badge(new Badge({}, Tone::Neutral, this)),
      m_facts(new TextLabel({}, this)),
      m_segments(new SegmentedControl(this))
{
    m_badge->setObjectName(QStringLiteral("outcomeBadge"));
    m_facts->setObjectName(QStringLiteral("outcomeFacts"));
    m_facts->setDim(true);
    m_facts->setElided(true);
    m_facts->setMinimumWidth(1);  // or it would push the segments out
    m_segments->setObjectName(QStringLiteral("resultSegments"));
    m_segments->setMinimumWidth(SegmentsWidth);
    m_segments->setAccessibleName(tr("Response view"));
    m_segments->addSegment(tr("Result"), tr("The result"));
    m_segments->addSegment(tr("Structured"), tr("Structured content as a tree"));
    m_segments->addSegment(tr("Raw"), tr("Message exactly as received"));
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(Grid);
    m_grid->setVerticalSpacing(Grid / 2);
    m_grid->setColumnStretch(1, 1);
    m_grid->setRowMinimumHeight(0, m_segments->sizeHint().height());  // also while there is nothing to choose
    m_grid->addWidget(m_badge, 0, 0);
    m_grid->addWidget(m_facts, 0, 1);
    m_grid->addWidget(m_segments, 0, 2);
    connect(m_segments, &SegmentedControl::currentChanged, this, &ResultHeader::segmentChosen);
}

void ResultHeader::setResuming(bool isResuming)
{
    m_badge->setContent(isResuming ? tr("… resuming") : tr("… running"), Tone::Accent);
}

void ResultHeader::showRunning(const QDateTime &since)
{
    setResuming(false);
    m_segments->hide();
    setFacts(since.isValid() ? clockText(since) : QString());
}

void ResultHeader::showOutcome(const Outcome &outcome, bool isFromCache)
{
    m_badge->setContent(badgeText(outcome), toneOf(outcome.kind));
    m_badge->setAccessibleName(titleOf(outcome));
    QStringList parts{durationText(outcome.durationNs)};
    if (outcome.bytes > 0)
        parts.append(sizeText(outcome.bytes));
    if (outcome.startedAt.isValid())
        parts.append(clockText(outcome.startedAt));
    const QDateTime received = outcome.startedAt.addMSecs(outcome.durationNs / 1'000'000);
    // Where there is no tree yet, and to make one takes long, nothing is said of this.
    const bool isReadable = outcome.message.isParsed() || outcome.message.raw().size() <= Message::LargeBytes;
    const auto hint = isReadable ? CacheHint::of(outcome.result(), received) : std::nullopt;
    if (hint && hint->isFreshAt(received))
        parts.append(freshnessText(*hint));
    if (isFromCache)
        parts.prepend(tr("from the cache"));
    m_segments->setSegmentVisible(StructuredSegment, false);
    m_segments->setCurrent(ResultSegment);
    m_segments->setVisible(!outcome.message.raw().isEmpty());
    setFacts(parts.join(QStringLiteral(" · ")));
    m_facts->setAccessibleName(tr("Duration, size and time: %1").arg(m_facts->text()));
}

void ResultHeader::setStructuredVisible(bool visible)
{
    m_segments->setSegmentVisible(StructuredSegment, visible);
    arrange();
}

QSize ResultHeader::minimumSizeHint() const
{
    const int segments = m_segments->isHidden() ? 0 : SegmentsWidth;
    return {qMax(m_badge->sizeHint().width(), segments), m_grid->minimumSize().height()};
}

void ResultHeader::contextMenuEvent(QContextMenuEvent *event)
{
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(QStringLiteral("headerMenu"));
    const QString summary = m_badge->text() + QStringLiteral(" · ") + m_facts->text();
    menu->addAction(tr("Copy summary"), this, [summary] { QGuiApplication::clipboard()->setText(summary); });
    Q_EMIT menuRequested(menu);
    menu->popup(event->globalPos());
}

void ResultHeader::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    arrange();
}

void ResultHeader::setFacts(const QString &text)
{
    m_facts->setText(text);
    m_facts->setToolTip(text);
    arrange();
}

void ResultHeader::arrange()
{
    const int facts = m_facts->fontMetrics().horizontalAdvance(m_facts->text()) + Grid;
    const int segments = m_segments->isHidden() ? 0 : qMax(SegmentsWidth, m_segments->sizeHint().width()) + Grid;
    const int first = m_badge->sizeHint().width() + segments;
    const Rows rows = first > width() ? Rows::SegmentsBelow : first + facts > width() ? Rows::FactsBelow : Rows::One;
    updateGeometry();
    if (rows == m_rows)
        return;
    m_rows = rows;
    m_grid->removeWidget(m_facts);
    m_grid->removeWidget(m_segments);
    m_grid->addWidget(m_facts, rows == Rows::FactsBelow ? 1 : 0, rows == Rows::FactsBelow ? 0 : 1, 1,
                      rows == Rows::One          ? 1
                      : rows == Rows::FactsBelow ? 3
                                                 : 2);
    if (rows == Rows::SegmentsBelow)
        m_grid->addWidget(m_segments, 1, 0, 1, 3, Qt::AlignLeft);
    else
        m_grid->addWidget(m_segments, 0, 2);
}

}  // namespace sonde::ui
