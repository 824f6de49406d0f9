// SPDX-License-Identifier: Apache-2.0
#include "ui/result/resultview.h"

#include "core/protocol/numbertext.h"
#include "core/protocol/visibletext.h"
#include "ui/json/background.h"
#include "ui/json/copyactions.h"
#include "ui/json/findbar.h"
#include "ui/json/jsontreeview.h"
#include "ui/json/pagefind.h"
#include "ui/result/contentblock.h"
#include "ui/result/findingslist.h"
#include "ui/result/foldedjson.h"
#include "ui/result/outcometext.h"
#include "ui/result/rawpage.h"
#include "ui/result/resultheader.h"
#include "ui/result/resultmenus.h"
#include "ui/result/runningview.h"
#include "ui/result/textblock.h"
#include "ui/theme/firstlines.h"
#include "ui/theme/pagearea.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QScrollArea>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <functional>

namespace sonde::ui {

namespace {

using TextFindings = QList<std::pair<qsizetype, QString>>;

// The lines of `text` that the issues are about, or those of the nearest existing parent.
TextFindings findingsAt(const QList<StructuredIssue> &issues, const QByteArray &text)
{
    TextFindings findings;
    const json::Value shown = json::parse(text);
    for (const StructuredIssue &issue : issues) {
        json::Pointer place = issue.place;
        while (!place.isRoot() && !place.resolve(shown).exists())
            place = place.parent();
        const QString where =
            issue.place.isRoot() ? QString() : visibleLine(issue.place.toString(), 80) + QLatin1Char(' ');
        findings.append({place.resolve(shown).offset(), where + issue.message});
    }
    return findings;
}

constexpr int BlocksAtOnce = 50;
constexpr int MinPageHeight = 100;   // below a whole banner and the findings
constexpr int BriefPageHeight = 60;  // below a brief banner, if its title can be shorter
constexpr int LowPageHeight = 40;    // in any case
constexpr int MaxBriefTitleLines = 6;
constexpr int LowHeight = 320;  // of a place with room for one finding

int wrappedHeight(const QString &text, const QFont &font, int width)
{
    return QFontMetrics(font).boundingRect(QRect(0, 0, width, QWIDGETSIZE_MAX), Qt::TextWordWrap, text).height();
}

TextLabel *dimLabel(const QString &text)
{
    auto *label = new TextLabel;
    label->setServerText(text);
    label->setDim(true);
    label->setWordWrap(true);
    return label;
}

}  // namespace

class ResultView::Private {
public:
    explicit Private(ResultView *view);

    void layOut();
    void connectMenus();
    void addTextBlock(TextBlock *block);
    void addRawActions(QMenu *menu, qsizetype offset);
    void showHeader();
    void showBanner();
    void fitAbove();
    void fitBanner(int room, int width);
    void place(QWidget *above, bool isOnPage);
    void build();
    void addBlock(const std::function<void()> &add);
    void showMoreBlocks();
    void sayHowMany();
    // repeated: what a text among them may say again.
    // They are the list of this name in the result.
    void addContents(QStringView name, const QList<Content> &contents, const QString &whenEmpty,
                     const json::Value &repeated = {});
    void addTool();
    void addPrompt();
    void addProtocolError();
    void addNoResponse();
    void addStructured();
    void addMeta(const json::Value &meta);
    void showStructuredIssues();
    void showSegment(int segment);
    void addFinding(const QString &finding);
    void addDimText(const QString &text);
    TextBlock *addJson(const json::Value &value);
    TextBlock *addText(const QByteArray &text, TextBlock::Pretty pretty,
                       TextView::Highlight highlight = TextView::Highlight::None);
    void fitTexts();
    void scrollTo(QWidget *canvas, const QRect &where);
    void reset();

    ResultView *q;
    Subject subject = Subject::Other;
    Outcome outcome;
    QStringList stderrTail;
    int generation = 0;  // of what is shown; a response of a worker for an earlier one is dropped

    ResultHeader *header;
    Banner *banner;
    FindingsList *findings;
    FindBar *findBar;
    PageFind *find;
    ResultMenus *menus;
    QStackedWidget *pages;
    EmptyState *emptyPage;
    RunningView *runningPage;
    QScrollArea *resultPage;
    JsonTreeView *structuredPage;
    RawPage *rawPage;
    QVBoxLayout *outer = nullptr;
    QVBoxLayout *content = nullptr;  // of the result page
    QVBoxLayout *top = nullptr;      // within it: what has no room above the page
    TextLabel *bannerRest = nullptr;
    QString bannerText;             // that is shown
    QVBoxLayout *blocks = nullptr;  // within it
    int blockCount = 0;
    QPushButton *more = nullptr;           // below them
    QList<std::function<void()>> waiting;  // to be added to them
    TextBlock *structuredBlock = nullptr;
    Badge *structuredBadge = nullptr;
};

ResultView::Private::Private(ResultView *view)
    : q(view),
      header(new ResultHeader(view)),
      banner(new Banner(view)),
      findings(new FindingsList(view)),
      findBar(new FindBar(view)),
      find(new PageFind(view, findBar)),
      menus(new ResultMenus(view)),
      pages(new QStackedWidget(view)),
      emptyPage(new EmptyState({}, {}, pages)),
      runningPage(new RunningView(pages)),
      resultPage(new PageArea(pages)),
      structuredPage(new JsonTreeView(pages)),
      rawPage(new RawPage(pages))
{}

void ResultView::Private::layOut()
{
    banner->setObjectName(QStringLiteral("outcomeBanner"));
    resultPage->setObjectName(QStringLiteral("resultPage"));
    resultPage->setAccessibleName(tr("Response"));
    resultPage->viewport()->installEventFilter(q);
    structuredPage->setObjectName(QStringLiteral("structuredTree"));
    structuredPage->setAccessibleName(tr("Structured content"));
    for (QWidget *page : std::initializer_list<QWidget *>{emptyPage, runningPage, resultPage, structuredPage, rawPage})
        pages->addWidget(page);
    pages->setMinimumHeight(LowPageHeight);  // it scrolls; what is above it does not
    outer = new QVBoxLayout(q);
    outer->setContentsMargins(2 * Grid, Grid + 4, 2 * Grid, Grid);
    outer->setSpacing(Grid);
    outer->addWidget(header);
    outer->addWidget(banner);
    outer->addWidget(findings);
    outer->addWidget(findBar);
    outer->addWidget(pages, 1);
    q->installEventFilter(q);

    connect(find, &PageFind::shown, q, [this](QWidget *canvas, const QRect &where) { scrollTo(canvas, where); });
    connect(header, &ResultHeader::segmentChosen, q, [this](int segment) { showSegment(segment); });
    connect(runningPage, &RunningView::cancelRequested, q, &ResultView::cancelRequested);
    connect(runningPage, &RunningView::requestShown, q, &ResultView::requestShown);
    connect(runningPage, &RunningView::requestCame, q, &ResultView::requestCame);
    connectMenus();
}

void ResultView::Private::connectMenus()
{
    connect(menus, &ResultMenus::timelineFilterRequested, q, &ResultView::timelineFilterRequested);
    connect(menus, &ResultMenus::valueMenuRequested, q, &ResultView::valueMenuRequested);
    connect(header, &ResultHeader::menuRequested, q, [this](QMenu *menu) { menus->complete(menu); });
    connect(findings, &FindingsList::menuRequested, q, [this](QMenu *menu) { menus->complete(menu); });
    connect(structuredPage, &JsonTreeView::menuRequested, q, [this](QMenu *menu, const json::Value &value) {
        menus->complete(menu, {value, {}, {}, {}});
    });
    connect(rawPage, &RawPage::menuRequested, q,
            [this](QMenu *menu, qsizetype offset) { addRawActions(menu, offset); });
}

// Without a tree, a large message would take too long to be read while a menu opens.
void ResultView::Private::addRawActions(QMenu *menu, qsizetype offset)
{
    MenuPlace place;
    if (outcome.message.isParsed()) {
        const json::Value root = outcome.message.root();
        place.value = innermostAt(root, offset, root);
        menu->addSeparator();
        addCopyActions(menu, place.value, root);
    }
    place.words = rawPage->selectedText();
    menus->complete(menu, place);
}

void ResultView::Private::reset()
{
    ++generation;
    runningPage->watch(nullptr);
    findings->clear();
    menus->setOutcome({});
    banner->hide();
    bannerText.clear();
    for (QWidget *above : std::initializer_list<QWidget *>{banner, findings})
        place(above, false);  // the page is deleted
    structuredBlock = nullptr;
    structuredBadge = nullptr;
    structuredPage->setValue({});
    auto *page = new QWidget;
    content = new QVBoxLayout(page);
    content->setContentsMargins(0, 0, 0, 0);
    content->setSpacing(Grid);
    page->setAutoFillBackground(false);
    waiting.clear();
    find->setUnsearched({});
    find->startOver();
    top = new QVBoxLayout;
    top->setSpacing(Grid);
    bannerRest = dimLabel({});
    bannerRest->setObjectName(QStringLiteral("bannerRest"));
    bannerRest->hide();
    top->addWidget(bannerRest);
    content->addLayout(top);
    blocks = new QVBoxLayout;
    blocks->setSpacing(Grid);
    content->addLayout(blocks);
    more = nullptr;
    blockCount = 0;
    resultPage->setWidget(page);
    resultPage->viewport()->setAutoFillBackground(false);
}

void ResultView::Private::showHeader()
{
    header->showOutcome(outcome);
    rawPage->setMessage(outcome.message.raw());
    header->show();
    showBanner();
}

void ResultView::Private::showBanner()
{
    banner->setVisible(outcome.kind != Outcome::Kind::Ok);
    fitAbove();
}

// In a low place the page needs the room that a long banner and the findings would take: they are on the page then.
// Measured as a whole each time, so that it does not matter what is there now.
void ResultView::Private::fitAbove()
{
    if (!top)
        return;
    const QMargins margins = outer->contentsMargins();
    const int width = q->width() - margins.left() - margins.right();
    int room = q->height() - margins.top() - margins.bottom() - header->sizeHint().height() - Grid;
    if (!findBar->isHidden())
        room -= findBar->sizeHint().height() + Grid;
    if (!banner->isHidden())
        fitBanner(room, width);
    if (!banner->isHidden() && !resultPage->isAncestorOf(banner))
        room -= banner->heightForWidth(width) + Grid;
    findings->setLow(q->height() < scaled(LowHeight));
    if (!findings->isHidden())
        place(findings, room - findings->heightForWidth(width) - Grid < scaled(MinPageHeight));
}

// Its title stays in sight as long as possible.
void ResultView::Private::fitBanner(int room, int width)
{
    const QString title = titleOf(outcome);
    const QString text = visibleText(explanationOf(outcome), {.keepNewlines = true, .maxLength = 2000});
    QFont bold = q->font();
    bold.setWeight(QFont::DemiBold);
    const int inner = width - 4 * Grid;
    const int whole =
        wrappedHeight(title, bold, inner) + (text.isEmpty() ? 0 : wrappedHeight(text, q->font(), inner) + 2);
    const bool isWhole = room - whole - 3 * Grid >= scaled(MinPageHeight);
    const int lines = (room - 3 * Grid - scaled(BriefPageHeight)) / QFontMetrics(bold).lineSpacing();
    const QString begin = firstLines(title, bold, inner, qBound(1, lines, MaxBriefTitleLines));
    const bool isBrief = !isWhole && room - wrappedHeight(begin, bold, inner) - 3 * Grid >= LowPageHeight;
    const bool isTitleWhole = begin.simplified() == title.simplified();
    place(banner, !isWhole && !isBrief);
    const QString shown = (isBrief ? begin : title) + (isBrief ? QString() : text);
    if (shown == bannerText)
        return;
    bannerText = shown;
    banner->setContent(toneOf(outcome.kind), isBrief && !isTitleWhole ? begin : title, isBrief ? QString() : text);
    banner->setAccessibleName(title);
    banner->setAccessibleDescription(text);
    const QString rest = isTitleWhole ? text : title + QLatin1Char('\n') + text;
    bannerRest->setServerText(isBrief ? rest.trimmed() : QString());
    bannerRest->setHidden(bannerRest->text().isEmpty());
}

void ResultView::Private::place(QWidget *above, bool isOnPage)
{
    if (resultPage->isAncestorOf(above) == isOnPage)
        return;
    const bool isShown = !above->isHidden();
    if (isOnPage)
        top->insertWidget(above == banner ? 0 : -1, above);
    else
        outer->insertWidget(above == banner ? 1 : outer->indexOf(findBar), above);
    above->setVisible(isShown);
}

void ResultView::Private::build()
{
    menus->setOutcome(outcome);
    for (const QString &finding : std::as_const(outcome.findings))
        addFinding(finding);
    const json::Value result = outcome.result();
    if (outcome.kind == Outcome::Kind::ProtocolError) {
        addProtocolError();
    } else if (outcome.kind == Outcome::Kind::NoResponse) {
        addNoResponse();
    } else if (subject == Subject::Tool) {
        addTool();
    } else if (subject == Subject::Prompt && result[u"messages"].isArray()) {
        addPrompt();
    } else if (subject == Subject::Resource && result[u"contents"].isArray()) {
        QList<Content> contents;
        for (const json::Value &each : result[u"contents"])
            contents.append(readResourceContents(each));
        addContents(u"contents", contents, tr("The server returned no contents."));
    } else {
        addJson(result);
    }
    addMeta(result[u"_meta"]);
    content->addStretch(1);
    if (more)
        sayHowMany();
    pages->setCurrentWidget(resultPage);
    fitTexts();
}

void ResultView::Private::addContents(QStringView name, const QList<Content> &contents, const QString &whenEmpty,
                                      const json::Value &repeated)
{
    if (contents.isEmpty())
        addBlock([this, whenEmpty] { blocks->addWidget(dimLabel(whenEmpty)); });
    const bool isOneOfMany = contents.size() > 1;
    qsizetype index = 0;
    for (const Content &each : contents) {
        const QString where = isOneOfMany ? QStringLiteral("%1[%2]: ").arg(name).arg(index++) : QString();
        for (const QString &finding : each.findings)
            addFinding(where + finding);
        addBlock([this, each, repeated, isOneOfMany, where] {
            auto *block = new ContentBlock(each, isOneOfMany);
            block->foldIfSameAs(repeated);
            connect(block, &ContentBlock::found, q,
                    [this, where](const QString &finding) { addFinding(where + finding); });
            connect(block, &ContentBlock::resourceActivated, q, &ResultView::resourceActivated);
            connect(block, &ContentBlock::linkActivated, q, &ResultView::linkActivated);
            connect(block, &ContentBlock::menuRequested, menus, &ResultMenus::complete);
            blocks->addWidget(block);
        });
    }
}

// Each block is several widgets: thousands of them would freeze the window. A button shows the rest.
void ResultView::Private::addBlock(const std::function<void()> &add)
{
    if (blockCount++ < BlocksAtOnce) {
        add();
        return;
    }
    waiting.append(add);
    if (!more) {
        more = new QPushButton;
        more->setObjectName(QStringLiteral("moreBlocks"));
        more->setAccessibleName(tr("Show more of the response"));
        connect(more, &QPushButton::clicked, q, [this] { showMoreBlocks(); });
        content->addWidget(more, 0, Qt::AlignLeft);
    }
}

void ResultView::Private::showMoreBlocks()
{
    for (int i = 0; i < BlocksAtOnce && !waiting.isEmpty(); ++i)
        waiting.takeFirst()();
    sayHowMany();
    fitTexts();
}

void ResultView::Private::sayHowMany()
{
    find->setUnsearched(
        waiting.isEmpty() ? QString() : counted(waiting.size(), tr("1 block not shown"), tr("%1 blocks not shown")));
    more->setVisible(!waiting.isEmpty());
    more->setText(
        tr("Show %1 more of %2").arg(grouped(qMin<qsizetype>(BlocksAtOnce, waiting.size())), grouped(waiting.size())));
}

void ResultView::Private::addTool()
{
    const json::Value result = outcome.result();
    const bool structured = result.contains(u"structuredContent");
    if (!result[u"content"].isArray() && (!structured || result.contains(u"content"))) {
        // A task (2025-11-25), content that is not a list, an unknown member: everything is shown.
        addJson(result);
    } else if (!result[u"content"].isArray()) {
        addDimText(tr("The result has no content."));
    } else {
        addContents(u"content", readContents(result[u"content"]),
                    structured ? tr("No content blocks. Hosts that read only content show the model nothing.")
                               : tr("Empty content; a model would see nothing."),
                    result[u"structuredContent"]);
    }
    if (structured)
        addStructured();
}

void ResultView::Private::addStructured()
{
    const json::Value value = outcome.result()[u"structuredContent"];
    structuredBadge = new Badge;
    structuredBadge->setObjectName(QStringLiteral("structuredBadge"));
    structuredBadge->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    structuredBadge->hide();
    structuredBlock = addJson(value);
    structuredBlock->caption()->setHeading(QStringLiteral("structuredContent"));
    structuredBlock->caption()->addControl(structuredBadge);
    structuredBlock->view()->setAccessibleName(tr("Structured content"));
    header->setStructuredVisible(true);
    structuredPage->setValue(value);
    if (!outcome.structuredIssues.isEmpty())
        showStructuredIssues();
}

// What the server says of the whole result, as the blocks show what it says of them.
void ResultView::Private::addMeta(const json::Value &meta)
{
    const bool isShown = subject == Subject::Other || !meta.isContainer() || meta.isEmpty();
    if (isShown)
        return;
    auto *line = new FoldedJson(QStringLiteral("_meta"), meta);
    line->setObjectName(QStringLiteral("resultMeta"));
    connect(line, &FoldedJson::menuRequested, menus, [this](QMenu *menu, const json::Value &value) {
        menus->complete(menu, {value, {}, {}, {}});
    });
    content->addWidget(line);
}

// In the content, at the places that they are about.
void ResultView::Private::showStructuredIssues()
{
    const QList<StructuredIssue> &issues = outcome.structuredIssues;
    const bool checked =
        std::any_of(issues.cbegin(), issues.cend(), [](const auto &issue) { return !issue.notChecked; });
    structuredBadge->setContent(
        sign(Tone::Finding) + QLatin1Char(' ') + (checked ? tr("does not match outputSchema") : tr("not checked")),
        Tone::Finding);
    structuredBadge->show();

    QList<std::pair<json::Pointer, QString>> marks;
    for (const StructuredIssue &issue : issues)
        marks.append({issue.place, issue.message});
    structuredPage->setFindings(marks);
    structuredBlock->setTreeFindings(marks);
    if (structuredBlock->isComplete())
        structuredBlock->view()->setFindings(findingsAt(issues, structuredBlock->text()));
    else
        connect(structuredBlock, &TextBlock::completed, structuredBlock, [block = structuredBlock, issues] {
            const QByteArray text = block->text();
            runInBackground<TextFindings>(
                block, [issues, text] { return findingsAt(issues, text); },
                [block](const TextFindings &found) { block->view()->setFindings(found); });
        });
}

void ResultView::Private::addPrompt()
{
    const json::Value result = outcome.result();
    if (const QString description = result[u"description"].string(); !description.isEmpty())
        blocks->addWidget(dimLabel(description));
    if (result[u"messages"].isEmpty())
        addDimText(tr("The prompt has no messages."));
    for (const json::Value &message : result[u"messages"]) {
        const QString role = message[u"role"].string();
        addBlock([this, role] {
            auto *roleBadge = new Badge(role.isEmpty() ? tr("no role") : visibleLine(role, 40),
                                        role == QLatin1String("assistant") ? Tone::Asks : Tone::Accent);
            roleBadge->setObjectName(QStringLiteral("roleBadge"));
            roleBadge->setAccessibleName(tr("Role: %1").arg(roleBadge->text()));
            blocks->addWidget(roleBadge, 0, Qt::AlignLeft);
        });
        // One block; some servers send a list of blocks.
        const json::Value body = message[u"content"];
        addContents(u"content", body.isArray() ? readContents(body) : QList<Content>{readContent(body)},
                    tr("Empty message."));
    }
}

void ResultView::Private::addProtocolError()
{
    addText(outcome.error.message.toUtf8(), TextBlock::Pretty::WhenJson)
        ->caption()
        ->setHeading(QStringLiteral("message"));
    if (!outcome.error.hint.isEmpty())
        addDimText(outcome.error.hint);
    if (!outcome.error.data.exists())
        return;
    TextBlock *data = addJson(outcome.error.data);
    data->caption()->setHeading(QStringLiteral("data"));
    data->setObjectName(QStringLiteral("errorData"));
    data->view()->setAccessibleName(tr("Error data"));
}

void ResultView::Private::addNoResponse()
{
    if (!outcome.error.hint.isEmpty())
        addDimText(outcome.error.hint);
    if (!outcome.error.detail.isEmpty())
        addText(outcome.error.detail.toUtf8(), TextBlock::Pretty::WhenJson)->caption()->setCaption(tr("Diagnostics"));
    const QString tail = stderrTail.join(QLatin1Char('\n'));
    if (tail.isEmpty() || outcome.error.detail.contains(tail))
        return;
    TextBlock *block = addText(tail.toUtf8(), TextBlock::Pretty::Never);
    block->setObjectName(QStringLiteral("stderrTail"));
    block->caption()->setCaption(counted(stderrTail.size(), tr("Last line of stderr"), tr("Last %1 lines of stderr")));
}

void ResultView::Private::showSegment(int segment)
{
    find->startOver();
    pages->setCurrentWidget(segment == ResultHeader::RawSegment          ? static_cast<QWidget *>(rawPage)
                            : segment == ResultHeader::StructuredSegment ? static_cast<QWidget *>(structuredPage)
                                                                         : static_cast<QWidget *>(resultPage));
}

void ResultView::Private::addFinding(const QString &finding)
{
    findings->add(finding);
    fitAbove();
}

void ResultView::Private::addDimText(const QString &text)
{
    content->addWidget(dimLabel(text));
}

TextBlock *ResultView::Private::addText(const QByteArray &text, TextBlock::Pretty pretty, TextView::Highlight highlight)
{
    auto *block = new TextBlock(text, pretty, highlight);
    addTextBlock(block);
    return block;
}

void ResultView::Private::addTextBlock(TextBlock *block)
{
    content->addWidget(block);
    connect(block, &TextBlock::linkActivated, q, &ResultView::linkActivated);
    connect(block, &TextBlock::menuRequested, q, [this, block](QMenu *menu, const json::Value &value) {
        menus->complete(menu, {value, {}, block->selectedText(), {}});
    });
}

TextBlock *ResultView::Private::addJson(const json::Value &value)
{
    auto *block = new TextBlock(value);
    addTextBlock(block);
    return block;
}

// A single long text fills the page and scrolls by itself; several blocks scroll with the page.
void ResultView::Private::fitTexts()
{
    if (!resultPage->widget())
        return;
    const int height = qMax(200, resultPage->viewport()->height() - 4 * Grid);
    const QList<ContentBlock *> shown = resultPage->widget()->findChildren<ContentBlock *>();
    for (ContentBlock *block : shown)
        block->setMaxTextHeight(height);
    const QList<TextBlock *> texts = resultPage->widget()->findChildren<TextBlock *>();
    for (TextBlock *text : texts)
        text->setMaxHeight(height);
}

// What a block shows, to where the page shows it.
void ResultView::Private::scrollTo(QWidget *canvas, const QRect &where)
{
    QWidget *page = resultPage->widget();
    if (!page || !page->isAncestorOf(canvas))
        return;
    const QPoint place = canvas->mapTo(page, where.center());
    resultPage->ensureVisible(place.x(), place.y(), 0, resultPage->viewport()->height() / 4);
}

ResultView::ResultView(QWidget *parent) : QWidget(parent), d(std::make_unique<Private>(this))
{
    d->layOut();  // newer versions of Qt send events meanwhile, which come to eventFilter()
    setObjectName(QStringLiteral("resultView"));
    setAccessibleName(tr("Result"));
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    showEmpty({});
}

ResultView::~ResultView() = default;

void ResultView::showEmpty(const QString &hint, const QString &title)
{
    d->reset();
    d->outcome = {};
    d->header->hide();
    d->emptyPage->setContent(title, hint);
    d->pages->setCurrentWidget(d->emptyPage);
}

void ResultView::setInputCheck(std::function<std::optional<AwaitedInput>(const Call &)> check)
{
    d->runningPage->setInputCheck(std::move(check));
}

void ResultView::setConnectionProblem(const QString &problem)
{
    d->runningPage->setConnectionProblem(problem);
    if (d->pages->currentWidget() == d->runningPage)
        d->header->setResuming(!problem.isEmpty());
}

void ResultView::showRunning(Call *call)
{
    d->reset();
    d->outcome = {};
    d->header->showRunning(call ? call->startedAt() : QDateTime());
    d->header->show();
    d->runningPage->setConnectionProblem({});  // whatever happened before it
    d->runningPage->watch(call);
    d->pages->setCurrentWidget(d->runningPage);
}

void ResultView::showOutcome(Subject subject, const Outcome &outcome, const QStringList &stderrTail)
{
    d->reset();
    d->subject = subject;
    d->outcome = outcome;
    d->stderrTail = stderrTail;
    d->showHeader();
    const QByteArray raw = outcome.message.raw();
    if (outcome.message.isParsed() || raw.size() <= BackgroundBytes) {
        d->build();
        return;
    }
    d->emptyPage->setContent(tr("Reading %1…").arg(sizeText(raw.size())), {});
    d->pages->setCurrentWidget(d->emptyPage);
    // A separate message for the worker: a message must not be shared before its tree is built.
    runInBackground<Message>(
        this, [raw] { return Message::parse(raw).parsed(); },
        [this, asked = d->generation](const Message &message) {
            if (asked != d->generation)
                return;
            d->outcome.message = message;
            d->build();
        });
}

void ResultView::showFromCache(Subject subject, const Outcome &outcome)
{
    showOutcome(subject, outcome);
    d->header->showOutcome(outcome, true);
}

const Outcome &ResultView::outcome() const
{
    return d->outcome;
}

QStringList ResultView::findings() const
{
    return d->findings->findings();
}

// Of what has no menu of its own.
void ResultView::contextMenuEvent(QContextMenuEvent *event)
{
    if (d->header->isHidden())
        return QWidget::contextMenuEvent(event);
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(QStringLiteral("resultMenu"));
    if (!d->banner->isHidden()) {
        const QString error = titleOf(d->outcome) + QLatin1Char('\n') + explanationOf(d->outcome);
        menu->addAction(tr("Copy error text"), this, [error] { QApplication::clipboard()->setText(error); });
    }
    d->menus->complete(menu);
    menu->popup(event->globalPos());
}

// The Menu key makes such an event everywhere, this one only on some platforms.
void ResultView::keyPressEvent(QKeyEvent *event)
{
    QWidget *focus = QApplication::focusWidget();
    if (event->key() != Qt::Key_F10 || event->modifiers() != Qt::ShiftModifier || !focus || !isAncestorOf(focus))
        return QWidget::keyPressEvent(event);
    const QPoint place = focus->rect().center();
    QContextMenuEvent menu(QContextMenuEvent::Keyboard, place, focus->mapToGlobal(place));
    QCoreApplication::sendEvent(focus, &menu);
}

bool ResultView::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == d->resultPage->viewport() && event->type() == QEvent::Resize)
        d->fitTexts();
    if (watched == this && (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest))
        d->fitAbove();
    return QWidget::eventFilter(watched, event);
}

}  // namespace sonde::ui
