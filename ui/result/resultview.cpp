// SPDX-License-Identifier: Apache-2.0
#include "ui/result/resultview.h"

#include "core/json/builder.h"
#include "core/protocol/visibletext.h"
#include "ui/json/background.h"
#include "ui/json/bytestext.h"
#include "ui/json/jsontreeview.h"
#include "ui/result/card.h"
#include "ui/result/contentblock.h"
#include "ui/result/findingslist.h"
#include "ui/result/outcometext.h"
#include "ui/result/runningview.h"
#include "ui/result/savebytes.h"
#include "ui/result/structuredcheck.h"
#include "ui/result/textblock.h"

#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QScrollArea>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace sonde::ui {

namespace {

enum Segment { ResultSegment, StructuredSegment, RawSegment };

}  // namespace

class ResultView::Private {
public:
    explicit Private(ResultView *view);

    void layOut();
    void showHeader();
    void showBanner();
    void build();
    void addContents(const QList<Content> &contents, const QString &whenEmpty);
    void addTool();
    void addPrompt();
    void addProtocolError();
    void addNoAnswer();
    void addStructured();
    void showStructuredIssues(const QList<StructuredIssue> &issues);
    void showSegment(int segment);
    void addFinding(const QString &finding);
    void addHeading(const QString &text, Badge *badge = nullptr);
    void addDimText(const QString &text);
    TextBlock *addText(const QByteArray &text, TextBlock::Pretty pretty,
                       TextView::Highlight highlight = TextView::Highlight::None);
    void fitTexts();
    void reset();

    ResultView *q;
    Subject subject = Subject::Other;
    Outcome outcome;
    json::Value outputSchema;
    QStringList stderrTail;
    int generation = 0;  // of what is shown; an answer of a worker for an earlier one is dropped

    QWidget *header;
    Badge *badge;
    TextLabel *facts;
    SegmentedControl *segments;
    Banner *banner;
    FindingsList *findings;
    QStackedWidget *pages;
    EmptyState *emptyPage;
    RunningView *runningPage;
    QScrollArea *resultPage;
    JsonTreeView *structuredPage;
    QWidget *rawPage;
    BlockCaption *rawCaption;
    TextView *rawText;
    QVBoxLayout *content = nullptr;  // of the result page
    TextBlock *structuredBlock = nullptr;
    Badge *structuredBadge = nullptr;
};

ResultView::Private::Private(ResultView *view)
    : q(view),
      header(new QWidget(view)),
      badge(new Badge({}, Tone::Neutral, header)),
      facts(new TextLabel({}, header)),
      segments(new SegmentedControl(header)),
      banner(new Banner(view)),
      findings(new FindingsList(view)),
      pages(new QStackedWidget(view)),
      emptyPage(new EmptyState({}, {}, pages)),
      runningPage(new RunningView(pages)),
      resultPage(new QScrollArea(pages)),
      structuredPage(new JsonTreeView(pages)),
      rawPage(new QWidget(pages)),
      rawCaption(new BlockCaption(rawPage)),
      rawText(new TextView(rawPage))
{
    layOut();
}

void ResultView::Private::layOut()
{
    badge->setObjectName(QStringLiteral("outcomeBadge"));
    facts->setObjectName(QStringLiteral("outcomeFacts"));
    facts->setDim(true);
    segments->setObjectName(QStringLiteral("resultSegments"));
    segments->setAccessibleName(tr("What is shown of the answer"));
    segments->addSegment(tr("Result"), tr("The result"));
    segments->addSegment(tr("Structured"), tr("The structured content as a tree"));
    segments->addSegment(tr("Raw"), tr("The message exactly as received"));
    banner->setObjectName(QStringLiteral("outcomeBanner"));
    resultPage->setObjectName(QStringLiteral("resultPage"));
    resultPage->setAccessibleName(tr("The answer"));
    resultPage->setFrameShape(QFrame::NoFrame);
    resultPage->setWidgetResizable(true);
    resultPage->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    resultPage->viewport()->installEventFilter(q);
    structuredPage->setObjectName(QStringLiteral("structuredTree"));
    structuredPage->setAccessibleName(tr("Structured content"));
    rawText->setObjectName(QStringLiteral("rawText"));
    rawText->setAccessibleName(tr("The message exactly as received"));

    auto *headerLayout = new QHBoxLayout(header);
    headerLayout->setContentsMargins(0, 0, 0, 0);
    headerLayout->setSpacing(Grid);
    headerLayout->addWidget(badge);
    headerLayout->addWidget(facts, 1);
    headerLayout->addWidget(segments);

    auto *rawLayout = new QVBoxLayout(rawPage);
    rawLayout->setContentsMargins(0, 0, 0, 0);
    rawLayout->setSpacing(Grid / 2);
    auto *rawCard = new Card(rawPage);
    rawCard->layout()->addWidget(rawText);
    rawLayout->addWidget(rawCaption);
    rawLayout->addWidget(rawCard, 1);
    QToolButton *copy = rawCaption->addButton(tr("Copy"), QStringLiteral("copyRaw"), tr("Copy the message"));
    connect(copy, &QToolButton::clicked, q,
            [this] { QGuiApplication::clipboard()->setText(decodedUtf8(outcome.message.raw())); });
    QToolButton *save =
        rawCaption->addButton(tr("Save as…"), QStringLiteral("saveRaw"), tr("Save the message as a file"));
    connect(save, &QToolButton::clicked, q, [this] {
        saveBytesAs(q, QStringLiteral("message.json"), outcome.message.raw(), [this](const QString &said, bool saved) {
            rawCaption->setNote(said, saved ? Tone::Ok : Tone::ProtocolError);
        });
    });

    for (QWidget *page : std::initializer_list<QWidget *>{emptyPage, runningPage, resultPage, structuredPage, rawPage})
        pages->addWidget(page);
    auto *layout = new QVBoxLayout(q);
    layout->setContentsMargins(2 * Grid, Grid + 4, 2 * Grid, Grid);
    layout->setSpacing(Grid);
    layout->addWidget(header);
    layout->addWidget(banner);
    layout->addWidget(findings);
    layout->addWidget(pages, 1);

    connect(segments, &SegmentedControl::currentChanged, q, [this](int segment) { showSegment(segment); });
    connect(runningPage, &RunningView::cancelRequested, q, &ResultView::cancelRequested);
}

void ResultView::Private::reset()
{
    ++generation;
    runningPage->watch(nullptr);
    findings->clear();
    banner->hide();
    structuredBlock = nullptr;
    structuredBadge = nullptr;
    structuredPage->setValue({});
    rawText->setText({});
    rawCaption->setNote({}, Tone::Neutral);
    auto *page = new QWidget;
    content = new QVBoxLayout(page);
    content->setContentsMargins(0, 0, 0, 0);
    content->setSpacing(Grid);
    page->setAutoFillBackground(false);
    resultPage->setWidget(page);
    resultPage->viewport()->setAutoFillBackground(false);
}

void ResultView::Private::showHeader()
{
    badge->setContent(badgeText(outcome), toneOf(outcome.kind));
    badge->setAccessibleName(titleOf(outcome));
    QStringList parts{durationText(outcome.durationNs)};
    if (outcome.bytes > 0)
        parts.append(sizeText(outcome.bytes));
    if (outcome.startedAt.isValid())
        parts.append(outcome.startedAt.toLocalTime().toString(QStringLiteral("HH:mm:ss.zzz")));
    facts->setText(parts.join(QStringLiteral(" · ")));
    facts->setAccessibleName(tr("Duration, size and time: %1").arg(facts->text()));
    segments->setSegmentVisible(StructuredSegment, false);
    segments->setCurrent(ResultSegment);
    segments->setVisible(!outcome.message.raw().isEmpty());
    header->show();
    showBanner();
}

void ResultView::Private::showBanner()
{
    banner->setVisible(outcome.kind != Outcome::Kind::Ok);
    banner->setContent(toneOf(outcome.kind), titleOf(outcome),
                       visibleText(explanationOf(outcome), {.keepNewlines = true, .maxLength = 2000}));
    banner->setAccessibleName(titleOf(outcome));
}

void ResultView::Private::build()
{
    for (const QString &finding : std::as_const(outcome.findings))
        addFinding(finding);
    const json::Value result = outcome.result();
    if (outcome.kind == Outcome::Kind::ProtocolError) {
        addProtocolError();
    } else if (outcome.kind == Outcome::Kind::NoAnswer) {
        addNoAnswer();
    } else if (subject == Subject::Tool) {
        addTool();
    } else if (subject == Subject::Prompt && result[u"messages"].isArray()) {
        addPrompt();
    } else if (subject == Subject::Resource && result[u"contents"].isArray()) {
        QList<Content> contents;
        for (const json::Value &each : result[u"contents"])
            contents.append(readResourceContents(each));
        addContents(contents, tr("The server answered without any contents."));
    } else {
        addText(json::indented(result), TextBlock::Pretty::Never, TextView::Highlight::Json);
    }
    content->addStretch(1);
    pages->setCurrentWidget(resultPage);
    fitTexts();
}

void ResultView::Private::addContents(const QList<Content> &contents, const QString &whenEmpty)
{
    if (contents.isEmpty())
        addDimText(whenEmpty);
    for (const Content &each : contents) {
        for (const QString &finding : each.findings)
            addFinding(finding);
        auto *block = new ContentBlock(each, contents.size() > 1);
        connect(block, &ContentBlock::found, q, [this](const QString &finding) { addFinding(finding); });
        connect(block, &ContentBlock::resourceActivated, q, &ResultView::resourceActivated);
        content->addWidget(block);
    }
}

void ResultView::Private::addTool()
{
    const json::Value result = outcome.result();
    const bool structured = result.contains(u"structuredContent");
    if (!result[u"content"].isArray() && !structured) {
        addFinding(tr("The result has neither content nor structuredContent."));
        addText(json::indented(result), TextBlock::Pretty::Never, TextView::Highlight::Json);
    } else if (!result[u"content"].isArray()) {
        addDimText(tr("The result has no content."));
    } else {
        addContents(readContents(result[u"content"]), tr("The content is empty: a model would read nothing."));
    }
    if (structured || outputSchema.exists())
        addStructured();
}

void ResultView::Private::addStructured()
{
    const json::Value value = outcome.result()[u"structuredContent"];
    const bool isError = outcome.kind == Outcome::Kind::ToolError;
    if (value.exists()) {
        structuredBadge = new Badge;
        structuredBadge->setObjectName(QStringLiteral("structuredBadge"));
        structuredBadge->hide();
        addHeading(QStringLiteral("structuredContent"), structuredBadge);
        structuredBlock = addText(json::indented(value), TextBlock::Pretty::Never, TextView::Highlight::Json);
        structuredBlock->view()->setAccessibleName(tr("Structured content"));
        segments->setSegmentVisible(StructuredSegment, true);
        structuredPage->setValue(value);
    }
    if (value.slice().size() <= BackgroundBytes) {
        showStructuredIssues(checkStructured(value, outputSchema, isError));
        return;
    }
    runInBackground<QList<StructuredIssue>>(
        q, [value, schema = outputSchema, isError] { return checkStructured(value, schema, isError); },
        [this, asked = generation](const QList<StructuredIssue> &issues) {
            if (asked == generation)
                showStructuredIssues(issues);
        });
}

void ResultView::Private::showStructuredIssues(const QList<StructuredIssue> &issues)
{
    for (const StructuredIssue &issue : issues)
        addFinding(issue.sentence());
    if (!structuredBlock || issues.isEmpty())
        return;
    const bool checked =
        std::any_of(issues.cbegin(), issues.cend(), [](const auto &issue) { return !issue.notChecked; });
    structuredBadge->setContent(sign(Tone::Finding) + QLatin1Char(' ') +
                                    (checked ? tr("does not match outputSchema") : tr("could not be checked")),
                                Tone::Finding);
    structuredBadge->show();

    QList<std::pair<json::Pointer, QString>> marks;
    QList<std::pair<qsizetype, QString>> remarks;
    const json::Value shown = json::parse(structuredBlock->view()->text());
    for (const StructuredIssue &issue : issues) {
        marks.append({issue.place, issue.message});
        json::Pointer place = issue.place;
        while (!place.isRoot() && !place.resolve(shown).exists())
            place = place.parent();
        const QString where =
            issue.place.isRoot() ? QString() : visibleLine(issue.place.toString(), 80) + QLatin1Char(' ');
        remarks.append({place.resolve(shown).offset(), where + issue.message});
    }
    structuredBlock->view()->setRemarks(remarks);
    structuredPage->setFindings(marks);
}

void ResultView::Private::addPrompt()
{
    const json::Value result = outcome.result();
    if (const QString description = result[u"description"].string(); !description.isEmpty())
        addDimText(description);
    if (result[u"messages"].isEmpty())
        addDimText(tr("The prompt has no messages."));
    for (const json::Value &message : result[u"messages"]) {
        const QString role = message[u"role"].string();
        auto *roleBadge = new Badge(role.isEmpty() ? tr("no role") : visibleLine(role, 40),
                                    role == QLatin1String("assistant") ? Tone::Asks : Tone::Accent);
        roleBadge->setObjectName(QStringLiteral("roleBadge"));
        roleBadge->setAccessibleName(tr("Role: %1").arg(roleBadge->text()));
        content->addWidget(roleBadge, 0, Qt::AlignLeft);
        // One block; some servers send a list of them.
        const json::Value body = message[u"content"];
        addContents(body.isArray() ? readContents(body) : QList<Content>{readContent(body)},
                    tr("This message is empty."));
    }
}

void ResultView::Private::addProtocolError()
{
    addText(outcome.error.message.toUtf8(), TextBlock::Pretty::WhenJson)
        ->caption()
        ->setCaption(QStringLiteral("message"));
    if (!outcome.error.hint.isEmpty())
        addDimText(outcome.error.hint);
    if (!outcome.error.data.exists())
        return;
    addHeading(QStringLiteral("data"));
    TextBlock *data = addText(json::indented(outcome.error.data), TextBlock::Pretty::Never, TextView::Highlight::Json);
    data->setObjectName(QStringLiteral("errorData"));
    data->view()->setAccessibleName(tr("Data of the error"));
}

void ResultView::Private::addNoAnswer()
{
    if (!outcome.error.hint.isEmpty())
        addDimText(outcome.error.hint);
    if (!outcome.error.detail.isEmpty())
        addText(outcome.error.detail.toUtf8(), TextBlock::Pretty::WhenJson)->caption()->setCaption(tr("evidence"));
    const QString tail = stderrTail.join(QLatin1Char('\n'));
    if (tail.isEmpty() || outcome.error.detail.contains(tail))
        return;
    TextBlock *block = addText(tail.toUtf8(), TextBlock::Pretty::Never);
    block->setObjectName(QStringLiteral("stderrTail"));
    block->caption()->setCaption(tr("stderr, the last %n line(s)", nullptr, int(stderrTail.size())));
}

void ResultView::Private::showSegment(int segment)
{
    if (segment == RawSegment && rawText->text().isEmpty()) {
        const QByteArray &raw = outcome.message.raw();
        rawCaption->setCaption(tr("%1, exactly as received").arg(sizeText(raw.size())));
        rawText->setText(raw, TextView::Highlight::Json);
    }
    pages->setCurrentWidget(segment == RawSegment          ? rawPage
                            : segment == StructuredSegment ? static_cast<QWidget *>(structuredPage)
                                                           : static_cast<QWidget *>(resultPage));
}

void ResultView::Private::addFinding(const QString &finding)
{
    findings->add(finding);
}

void ResultView::Private::addHeading(const QString &text, Badge *beside)
{
    auto *row = new QHBoxLayout;
    row->setSpacing(Grid);
    auto *label = new TextLabel(text);
    QFont bold = label->font();
    bold.setBold(true);
    label->setFont(bold);
    row->addWidget(label);
    if (beside)
        row->addWidget(beside);
    row->addStretch(1);
    content->addLayout(row);
}

void ResultView::Private::addDimText(const QString &text)
{
    auto *label = new TextLabel;
    label->setServerText(text);
    label->setDim(true);
    label->setWordWrap(true);
    content->addWidget(label);
}

TextBlock *ResultView::Private::addText(const QByteArray &text, TextBlock::Pretty pretty, TextView::Highlight highlight)
{
    auto *block = new TextBlock(text, pretty, highlight);
    content->addWidget(block);
    return block;
}

// One long text fills the page and scrolls within itself; the page scrolls over several.
void ResultView::Private::fitTexts()
{
    if (!resultPage->widget())
        return;
    const int height = qMax(200, resultPage->viewport()->height() - 4 * Grid);
    const QList<ContentBlock *> blocks = resultPage->widget()->findChildren<ContentBlock *>();
    for (ContentBlock *block : blocks)
        block->setMaxTextHeight(height);
    const QList<TextBlock *> texts = resultPage->widget()->findChildren<TextBlock *>();
    for (TextBlock *text : texts)
        text->setMaxHeight(height);
}

ResultView::ResultView(QWidget *parent) : QWidget(parent), d(std::make_unique<Private>(this))
{
    setObjectName(QStringLiteral("resultView"));
    setAccessibleName(tr("Result"));
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    showEmpty({});
}

ResultView::~ResultView() = default;

void ResultView::showEmpty(const QString &hint)
{
    d->reset();
    d->outcome = {};
    d->header->hide();
    d->emptyPage->setContent(tr("No result yet"), hint);
    d->pages->setCurrentWidget(d->emptyPage);
}

void ResultView::showRunning(Call *call)
{
    d->reset();
    d->outcome = {};
    d->badge->setContent(tr("… running"), Tone::Accent);
    d->facts->setText(call ? call->startedAt().toLocalTime().toString(QStringLiteral("HH:mm:ss.zzz")) : QString());
    d->segments->hide();
    d->header->show();
    d->runningPage->watch(call);
    d->pages->setCurrentWidget(d->runningPage);
}

void ResultView::showOutcome(Subject subject, const Outcome &outcome, const json::Value &outputSchema,
                             const QStringList &stderrTail)
{
    d->reset();
    d->subject = subject;
    d->outcome = outcome;
    d->outputSchema = outputSchema;
    d->stderrTail = stderrTail;
    d->showHeader();
    const QByteArray raw = outcome.message.raw();
    if (outcome.message.isParsed() || raw.size() <= BackgroundBytes) {
        d->build();
        return;
    }
    d->emptyPage->setContent(tr("Reading %1…").arg(sizeText(raw.size())), {});
    d->pages->setCurrentWidget(d->emptyPage);
    // A message of its own for the worker: one must not be shared before its tree is made.
    runInBackground<Message>(
        this, [raw] { return Message::parse(raw).parsed(); },
        [this, asked = d->generation](const Message &message) {
            if (asked != d->generation)
                return;
            d->outcome.message = message;
            d->build();
        });
}

const Outcome &ResultView::outcome() const
{
    return d->outcome;
}

QStringList ResultView::findings() const
{
    return d->findings->findings();
}

bool ResultView::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == d->resultPage->viewport() && event->type() == QEvent::Resize)
        d->fitTexts();
    return QWidget::eventFilter(watched, event);
}

}  // namespace sonde::ui
