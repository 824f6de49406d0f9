// SPDX-License-Identifier: Apache-2.0
#include "ui/replay/replaystepview.h"

#include "core/json/builder.h"
#include "core/replay/replayreport.h"
#include "ui/diff/differencetable.h"
#include "ui/diff/sidebyside.h"
#include "ui/json/background.h"
#include "ui/json/jsontreeview.h"
#include "ui/replay/replaydifferences.h"
#include "ui/replay/replaytext.h"
#include "ui/result/textblock.h"
#include "ui/theme/breakingrow.h"
#include "ui/theme/pagearea.h"
#include "ui/theme/widgets.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QStackedWidget>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

enum Segment { DifferencesSegment, RecordedSegment, NowSegment };
constexpr int ArgumentsHeight = 180;
constexpr int LeastSidesHeight = 200;
constexpr int LeastSummaryWidth = 200;  // of a long title, the end can go
constexpr int NarrowViewWidth = 520;
constexpr int SidesMargin = 2 * Grid;  // for a scroll bar below
constexpr qsizetype OneLineBytes = 90;

TextLabel *captionOf(const QString &text)
{
    auto *label = new TextLabel(text);
    label->setStrong();
    return label;
}

qsizetype bytesOf(const ReplayStep &step)
{
    return resultOrError(step.recorded).slice().size() + resultOrError(step.live).slice().size();
}

}  // namespace

ReplayStepView::ReplayStepView(QWidget *parent)
    : QWidget(parent),
      m_titles(new QBoxLayout(QBoxLayout::LeftToRight)),
      m_title(new TextLabel),
      m_summary(new TextLabel),
      m_segments(new SegmentedControl),
      m_pages(new QStackedWidget),
      m_empty(new EmptyState(tr("No step selected"), tr("Select a step on the left to see its differences."))),
      m_reason(new Banner),
      m_table(new DifferenceTable),
      m_more(new TextLabel(tr("There are more differences; comparison stopped here."))),
      m_argumentsTitle(captionOf(QString())),
      m_argumentsPlace(new QVBoxLayout),
      m_sidesTitle(captionOf(tr("Side by side"))),
      m_sides(new SideBySide),
      m_recorded(new JsonTreeView),
      m_now(new JsonTreeView),
      m_differencePage(makeDifferencePage())
{
    setObjectName(u"replayStep"_s);
    m_recorded->setObjectName(u"replayRecordedTree"_s);
    m_recorded->setAccessibleName(tr("Response before"));
    m_now->setObjectName(u"replayNowTree"_s);
    m_now->setAccessibleName(tr("Response after"));
    for (QWidget *page : QList<QWidget *>{m_empty, m_differencePage, m_recorded, m_now})
        m_pages->addWidget(page);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeHead());
    column->addWidget(m_pages, 1);
    connect(m_segments, &SegmentedControl::currentChanged, this, &ReplayStepView::choose);
    connect(m_table, &DifferenceTable::menuRequested, this, [this](QMenu *menu, int row) {
        menu->setObjectName(u"ignoreMenu"_s);
        fillIgnoreMenu(menu, m_table->differences()->at(row), m_step,
                       {[this](const ReplayRule &rule) { Q_EMIT ruleRequested(rule); },
                        [this](const ReplayRule &rule) { Q_EMIT ruleDrafted(rule); }});
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex &now) { m_sides->showDifference(m_sideRows.indexOf(now.row())); });
    connect(m_sides, &SideBySide::differenceClicked, this,
            [this](qsizetype index) { m_table->setCurrentIndex(m_table->model()->index(m_sideRows.value(index), 0)); });
    clear();
}

QWidget *ReplayStepView::makeHead()
{
    auto *head = new QWidget;
    auto *outer = new QVBoxLayout(head);
    outer->setContentsMargins(2 * Grid, Grid, 2 * Grid, Grid);
    m_title->setObjectName(u"replayTitle"_s);
    m_title->setFont(headingFont());
    m_title->setElided(true);
    m_title->setMinimumWidth(60);
    m_title->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    m_summary->setObjectName(u"replaySummary"_s);
    m_summary->setDim(true);
    m_summary->setFont(smallFont());
    m_summary->setElided(true);
    m_summary->setMinimumWidth(40);
    m_summary->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_segments->setObjectName(u"replaySegments"_s);
    m_segments->setAccessibleName(tr("Step view"));
    m_segments->addSegment(tr("Differences"));
    m_segments->addSegment(tr("Before"), tr("The recorded response"));
    m_segments->addSegment(tr("After"), tr("The response of this replay"));
    m_titles->setSpacing(Grid / 2);
    m_titles->addWidget(m_title);
    m_titles->addWidget(m_summary, 1);
    auto *titles = new QWidget;
    m_titles->setContentsMargins(0, 0, 0, 0);
    titles->setLayout(m_titles);
    outer->addWidget(new BreakingRow(titles, m_segments));
    return head;
}

void ReplayStepView::setWords(const QString &before, const QString &after, const QString &emptyTitle,
                              const QString &emptyText)
{
    m_segments->button(RecordedSegment)->setText(before);
    m_segments->button(RecordedSegment)->setAccessibleName(before);
    m_segments->button(NowSegment)->setText(after);
    m_segments->button(NowSegment)->setAccessibleName(after);
    m_table->differences()->setTitles(before, after);
    m_sides->setTitles(before, after);
    m_recorded->setAccessibleName(before);
    m_now->setAccessibleName(after);
    m_empty->setContent(emptyTitle, emptyText);
}

// If there is no room for both, the summary is below the title.
void ReplayStepView::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    m_titles->setDirection(width() < NarrowViewWidth ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
}

QWidget *ReplayStepView::makeDifferencePage()
{
    auto *content = new QWidget;
    auto *column = new QVBoxLayout(content);
    column->setContentsMargins(2 * Grid, Grid / 2, 2 * Grid, 2 * Grid);
    column->setSpacing(Grid / 2);
    m_reason->setObjectName(u"replayReason"_s);
    m_table->setObjectName(u"replayDifferences"_s);
    m_table->differences()->setAction(tr("Ignore ▾"), tr("Ignore this difference: menu"));
    m_more->setDim(true);
    column->addWidget(m_reason);
    column->addWidget(m_table);
    column->addWidget(m_more);
    column->addSpacing(Grid);
    column->addWidget(m_argumentsTitle);
    column->addLayout(m_argumentsPlace);
    column->addSpacing(Grid);
    column->addWidget(m_sidesTitle);
    column->addWidget(m_sides, 1000);
    column->addStretch(1);
    auto *area = new PageArea;
    area->setObjectName(u"replayDifferencePage"_s);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    content->setAutoFillBackground(true);
    content->setBackgroundRole(QPalette::Base);
    area->setWidget(content);
    return area;
}

void ReplayStepView::clear()
{
    m_step = {};
    m_title->clear();
    m_summary->clear();
    m_segments->hide();
    m_recorded->setValue({});
    m_now->setValue({});
    m_table->differences()->setRows({});
    m_sides->setSides({}, {}, {});
    m_pages->setCurrentWidget(m_empty);
}

void ReplayStepView::showStep(const ReplayStep &step, const json::Value &arguments)
{
    const bool isSame = m_step.call.row == step.call.row;
    m_step = step;
    m_title->setServerText(stepTitle(step));
    m_title->setToolTip(plainToolTip(step.method + u' ' + step.target));
    m_summary->setText(differencesSummary(step));
    m_summary->setToolTip(m_summary->text());
    m_summary->setMinimumWidth(qMin(m_summary->sizeHint().width(), LeastSummaryWidth));
    m_segments->show();
    showReason(step);
    if (!isSame) {
        showArguments(arguments);
        m_segments->setCurrent(DifferencesSegment);
    }
    const bool isSent = step.hasRun() || step.status == ReplayStep::Status::Running;
    m_argumentsTitle->setText(!m_hasArguments ? tr("No arguments") : isSent ? tr("Arguments sent") : tr("Arguments"));
    showResponses();
    choose(m_segments->current());
    showDifferences();
}

void ReplayStepView::choose(int segment)
{
    if (m_step.call.row < 0)
        return;
    m_pages->setCurrentWidget(segment == RecordedSegment ? static_cast<QWidget *>(m_recorded)
                              : segment == NowSegment    ? m_now
                                                         : m_differencePage);
}

void ReplayStepView::showReason(const ReplayStep &step)
{
    using Status = ReplayStep::Status;
    m_reason->hide();
    const StepBadge badge = stepBadge(step);
    QString text;
    if (step.status == Status::Failed && step.live.kind() == Message::Kind::Error)
        text = step.live.toError().message;
    QStringList findings = describeServerRequests(step);
    const bool areOther = !findings.isEmpty();
    for (const QString &finding : step.findings)
        findings.append(sign(Tone::Finding) + u' ' + finding);
    if (!step.reason.isEmpty())
        m_reason->setContent(badge.tone, step.reason, (QStringList(text) + findings).join(u'\n').trimmed());
    else if (areOther)
        m_reason->setContent(badge.tone, tr("The server requests differ from the recorded ones."),
                             findings.join(u'\n'));
    else if (step.status == Status::Waiting)
        m_reason->setContent(Tone::NoResponse, tr("Not run yet."));
    else if (step.status == Status::Running)
        m_reason->setContent(Tone::Accent, tr("Waiting for response…"));
    else if (step.status == Status::Same && step.differences.isEmpty() && step.ignored.isEmpty())
        m_reason->setContent(Tone::Ok, tr("Identical to the recorded response."), findings.join(u'\n'));
    else if (!findings.isEmpty())
        m_reason->setContent(Tone::Finding, tr("Findings about this response"), findings.join(u'\n'));
    else
        return;
    m_reason->show();
}

void ReplayStepView::showArguments(const json::Value &arguments)
{
    delete m_arguments;
    m_arguments = nullptr;
    const bool any = arguments.exists() && !(arguments.isObject() && arguments.isEmpty());
    m_hasArguments = any;
    if (!any)
        return;
    const QByteArray text =
        arguments.slice().size() <= OneLineBytes ? json::compact(arguments) : json::indented(arguments);
    m_arguments = new TextBlock(text, TextBlock::Pretty::Never, TextView::Highlight::Json);
    m_arguments->view()->setAccessibleName(tr("Arguments"));
    m_arguments->setMaxHeight(ArgumentsHeight);
    m_argumentsPlace->addWidget(m_arguments);
}

void ReplayStepView::showDifferences()
{
    const QList<DifferenceRow> rows = differenceRows(m_step);
    m_table->setVisible(!rows.isEmpty());
    m_table->differences()->setRows(rows);
    m_sideRows.clear();
    for (int row = 0; row < rows.size(); ++row) {
        if (!m_table->differences()->isIgnored(row))
            m_sideRows.append(row);
    }
    m_more->setVisible(m_step.isCut);
    const json::Value before = resultOrError(m_step.recorded);
    const json::Value after = resultOrError(m_step.live);
    m_sidesTitle->setVisible(before.exists() || after.exists());
    m_sides->setVisible(before.exists() || after.exists());
    m_sides->setSides(before, after, m_step.differences);
    // Short responses use only the height that they need; long ones get all available room.
    const bool isShort = bytesOf(m_step) <= BackgroundBytes;
    m_sides->setMaximumHeight(isShort ? m_sides->heightForLines(QWIDGETSIZE_MAX) + SidesMargin : QWIDGETSIZE_MAX);
    m_sides->setMinimumHeight(qMin(m_sides->maximumHeight(), LeastSidesHeight));
}

void ReplayStepView::showResponses()
{
    const auto name = [](const Message &response) {
        return response.kind() == Message::Kind::Error ? u"error"_s : u"result"_s;
    };
    m_recorded->setValue(resultOrError(m_step.recorded), name(m_step.recorded));
    m_now->setValue(resultOrError(m_step.live), name(m_step.live));
    m_segments->setSegmentVisible(RecordedSegment, m_step.recorded.isResponse());
    m_segments->setSegmentVisible(NowSegment, m_step.live.isResponse());
}

}  // namespace sonde::ui
