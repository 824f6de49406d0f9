// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/callpanel.h"

#include "core/calls/exchange.h"
#include "core/client/requiredurls.h"
#include "core/connection/clicommand.h"
#include "core/connection/toolmemory.h"
#include "core/json/builder.h"
#include "core/protocol/visibletext.h"
#include "core/shape/shape.h"
#include "ui/diff/comparisonwindow.h"
#include "ui/form/formjson.h"
#include "ui/form/jsoncompletion.h"
#include "ui/form/jsoneditor.h"
#include "ui/form/schemaform.h"
#include "ui/panels/argumentsuggestions.h"
#include "ui/panels/callhistory.h"
#include "ui/panels/callquestion.h"
#include "ui/panels/collapsibletext.h"
#include "ui/panels/problemline.h"
#include "ui/panels/remoteissues.h"
#include "ui/panels/requiredurlsbanner.h"
#include "ui/panels/resourcewatch.h"
#include "ui/panels/savedcallsbar.h"
#include "ui/panels/schemawindow.h"
#include "ui/panels/subjecthead.h"
#include "ui/panels/taskchoice.h"
#include "ui/panels/unsentbanner.h"
#include "ui/result/outcometext.h"
#include "ui/result/taskfacts.h"
#include "ui/theme/announce.h"
#include "ui/theme/breakingrow.h"
#include "ui/theme/flowlayout.h"
#include "ui/theme/widgets.h"

#include <QApplication>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QMenu>
#include <QPlainTextEdit>
#include <QShortcut>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

enum Mode { FormMode, BothMode, JsonMode };
constexpr std::array Modes = {"form"_L1, "both"_L1, "json"_L1};
constexpr int MinSideWidth = 280;                          // px
constexpr int WidthForBoth = 3 * MinSideWidth + 5 * Grid;  // form, JSON and result side by side
constexpr int MinFormWidth = 350;                          // beside a result, which takes the rest in a narrow window
constexpr int MinBareWidth = 270;                          // of the head of the same without fields
constexpr int MinJsonHeight = 10 * Grid;
constexpr int LowHeight = 260;                // of a panel whose head has to be low
constexpr int LowDescriptionLines = 2;        // there
constexpr int LowResultHeight = 320;          // where what stands above a result has to be low
constexpr int HeightBesideDescription = 190;  // of the head, the buttons and what is between them

QString titleOf(const PastCall &call)
{
    return CallPanel::tr("Call at %1").arg(call.outcome.startedAt.toLocalTime().toString(u"HH:mm:ss"_s));
}

// Without what is different in every response, such as its ID.
QByteArray responseOf(const PastCall &call)
{
    const Message &message = call.outcome.message;
    return message.kind() == Message::Kind::Error ? message.error().bytes() : message.result().bytes();
}

// Where there is no room for both, the name of the server gives way to that of the tool.
class SubjectNames final : public QWidget {
public:
    SubjectNames(TextLabel *server, TextLabel *name) : m_server(server), m_name(name)
    {
        auto *row = new QHBoxLayout(this);
        row->setContentsMargins(0, 0, 0, 0);
        row->setSpacing(Grid);
        row->addWidget(server, 0, Qt::AlignTop);
        row->addWidget(name, 1, Qt::AlignTop);
    }

protected:
    bool event(QEvent *event) override
    {
        if (event->type() == QEvent::LayoutRequest || event->type() == QEvent::Resize) {
            const int name = m_name->wordWrap() ? 0 : m_name->fontMetrics().horizontalAdvance(m_name->text());
            const int room = width() - Grid - name;
            m_server->setVisible(room >= m_server->minimumWidth());
            m_server->setMaximumWidth(qMax(room, m_server->minimumWidth()));
        }
        return QWidget::event(event);
    }

private:
    TextLabel *m_server;
    TextLabel *m_name;
};

}  // namespace

CallPanel::CallPanel(const OfferRef &ref, Connection *connection, QWidget *parent)
    : QWidget(parent),
      m_connection(connection),
      m_head(new SubjectHead),
      m_about(new QWidget),
      m_server(new TextLabel),
      m_caption(new TextLabel),
      m_schema(new FlatButton({})),
      m_example(new FlatButton({})),
      m_description(new CollapsibleText),
      m_notCallable(new TextLabel),
      m_findings(new TextLabel),
      m_note(new TextLabel),
      m_recalled(makeRecalledLine()),
      m_leftOut(new TextLabel),
      m_modeSwitch(new SegmentedControl),
      m_editors(new QStackedWidget),
      m_sides(new QSplitter(Qt::Horizontal)),
      m_jsonPane(new QWidget),
      m_results(new QSplitter(Qt::Vertical)),
      m_blocked(new TextLabel),
      m_form(new SchemaForm),
      m_plain(nullptr),
      m_json(new JsonEditor),
      m_formJson(new FormJson(m_form, m_json, this)),
      m_preview(new TextLabel),
      m_actions(new QWidget),
      m_asTask(new TaskChoice),
      m_problems(new ProblemLine),
      m_callButton(new PrimaryButton({})),
      m_copyButton(new QToolButton),
      m_question(new CallQuestion),
      m_unsent(new UnsentBanner),
      m_requiredUrls(new RequiredUrlsBanner),
      m_result(new ResultView),
      m_history(new CallHistoryModel(this)),
      m_historyView(new CallHistoryView(m_history)),
      m_historyBox(new QWidget),
      m_splitter(new QSplitter(Qt::Horizontal))
{
    m_subject.ref = ref;
    if (ArgumentSuggestions::isFor(ref))
        m_suggestions = new ArgumentSuggestions(ref, connection, m_form);
    if (ref.kind == OfferRef::Kind::Resource)
        m_watch = new ResourceWatch(ref.key, connection, m_result);
    if (!ref.savedCall.isEmpty())
        makeSavedCallBar();
    if (ref.kind == OfferRef::Kind::Tool)
        m_historyView->offerSaving();
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    m_splitter->setHandleWidth(1);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->addWidget(makeFormSide());
    m_splitter->addWidget(m_results);
    makeResultSide();
    connect(m_splitter, &QSplitter::splitterMoved, this, [this] {
        const QList<int> sizes = m_splitter->sizes();
        m_formShare = double(sizes[0]) / qMax(1, sizes[0] + sizes[1]);
    });
    row->addWidget(m_splitter);

    connect(m_modeSwitch, &SegmentedControl::currentChanged, this, &CallPanel::showMode);
    connect(m_form, &SchemaForm::changed, this, &CallPanel::updatePreview);
    connect(m_form, &SchemaForm::issuesChanged, this, &CallPanel::updateProblems);
    connect(m_form, &SchemaForm::submitted, this, &CallPanel::call);
    connect(m_form, &SchemaForm::changed, this, &CallPanel::edited);
    connect(m_form, &SchemaForm::exampleFilled, this, &CallPanel::edited);
    m_json->setLineNumbers();
    m_json->setSearchable();
    new JsonCompletion(m_json, m_form);
    connect(qApp, &QApplication::focusChanged, this, &CallPanel::markFocused);
    connect(m_json->edit(), &QPlainTextEdit::cursorPositionChanged, this, &CallPanel::markFocused);
    connect(m_formJson, &FormJson::changed, this, &CallPanel::checkJson);
    connect(m_formJson, &FormJson::changed, this, &CallPanel::argumentsChanged);
    connect(m_json, &JsonEditor::changed, this, [this] {
        if (m_json->edit()->hasFocus())
            Q_EMIT edited();
    });
    connect(m_json, &JsonEditor::submitted, this, &CallPanel::call);
    connect(m_callButton, &QPushButton::clicked, this, &CallPanel::call);
    connect(m_problems, &QAbstractButton::clicked, this, &CallPanel::goToProblem);
    connect(m_question, &CallQuestion::confirmed, this, &CallPanel::onConfirmed);
    connect(m_question, &CallQuestion::declined, this, [this] {
        m_question->clear();
        updateQuestion();
        focusForm();
    });
    connect(m_question, &CallQuestion::seen, this, [this] {
        if (m_connection && tool())
            m_connection->toolMemory()->accept(*tool());
    });
    connect(connection->toolMemory(), &ToolMemory::changed, this, &CallPanel::updateQuestion);
    connect(m_unsent, &UnsentBanner::restartRequested, this, &CallPanel::restartRequested);
    connect(m_requiredUrls, &RequiredUrlsBanner::tryAgainRequested, this, &CallPanel::call);
    connect(m_result, &ResultView::cancelRequested, this, &CallPanel::cancel);
    // From where it could not be seen, and where nothing is typed.
    connect(m_result, &ResultView::requestCame, this, [this](Call *call) {
        if (window()->focusWidget() == this)
            Q_EMIT m_result->requestShown(call);
    });
    connect(m_result, &ResultView::resourceActivated, this, &CallPanel::resourceActivated);
    m_history->setSecretFinder([form = m_form](const json::Value &sent) { return form->secretFinder()(sent); });
    connect(m_historyView, &CallHistoryView::chosen, this, &CallPanel::showPast);
    connect(m_historyView, &CallHistoryView::compareRequested, this, &CallPanel::compareWithPast);
    connect(m_historyView, &CallHistoryView::saveRequested, this, &CallPanel::savePast);
    connect(m_historyView, &QListView::activated, this, [this](const QModelIndex &index) {
        setArguments(m_history->at(index.row()).arguments);
        showPast(index.row());
    });
    if (m_watch) {
        connect(m_watch, &ResourceWatch::liveChanged, this, &CallPanel::renamed);
        connect(m_watch, &ResourceWatch::readAgain, this, &CallPanel::onReadAgain);
    }
    connect(connection, &Connection::stateChanged, this, &CallPanel::refresh);
    connect(connection->catalog(), &Catalog::changed, this, &CallPanel::refresh);
    refresh();
}

CallPanel::~CallPanel()
{
    qApp->disconnect(this);  // the focus leaves what is deleted
}

// Where there is no room for both side by side, the result is below the form.
void CallPanel::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    const Qt::Orientation wanted = width() < 2 * MinSideWidth ? Qt::Vertical : Qt::Horizontal;
    if (wanted != m_splitter->orientation()) {
        m_splitter->setOrientation(wanted);
        m_formShare.reset();
    }
    fitHeight();
    if (m_mode == BothMode && isJsonAboveResult() == m_jsonPane->isHidden())
        placeAbout();
    divide();
    fitHistory();
}

// On a small screen the result needs the room more than the calls before it.
void CallPanel::fitHistory()
{
    const int share = height() / (height() < scaled(LowHeight) ? 6 : 4);
    const int rows = isJsonAboveResult() ? 1 : qMax(1, share / rowHeight());
    m_historyView->setMaximumHeight(rows * rowHeight() + 2);
}

// Where there is little height, the fields get it; where there are no fields, the description.
void CallPanel::fitHeight()
{
    const int side = m_splitter->orientation() == Qt::Vertical ? height() / 2 : height();
    const bool isLow = side < scaled(LowHeight);
    m_head->setLow(isLow);
    m_unsent->setBrief(side < scaled(LowResultHeight));
    if (m_saved)
        m_saved->setLow(isLow);
    const int margin = isLow ? Grid / 2 : Grid + 4;
    m_head->parentWidget()->layout()->setContentsMargins(2 * Grid, margin, 2 * Grid, margin);
    const bool hasFields = m_subject.ref.kind != OfferRef::Kind::Resource && m_form->hasFields();
    const int free = (side - scaled(HeightBesideDescription)) / m_description->fontMetrics().lineSpacing();
    m_description->setMaxLines(!hasFields ? qMax<int>(CollapsibleText::UsualLines, free)
                               : isLow    ? LowDescriptionLines
                                          : CollapsibleText::UsualLines);
    m_note->setVisible(!m_note->text().isEmpty() && !(hasSuggestions() && side < scaled(LowResultHeight)));
}

bool CallPanel::hasSuggestions() const
{
    return m_suggestions && m_suggestions->isOffered() && m_form->hasFields();
}

// Form and JSON side by side need more room than a form alone, and what has no fields leaves it to the result; but in a
// low place, its title needs it.
void CallPanel::divide()
{
    const Shape &shape = m_form->shape();
    const bool isBare = m_subject.ref.kind == OfferRef::Kind::Resource ||
                        (shape.kind == Shape::Kind::Object && shape.propertyNames().isEmpty() && !shape.isMap());
    const bool leavesRoom = isBare && height() >= scaled(LowHeight);
    m_head->setMinimumWidth(leavesRoom ? MinBareWidth : 0);
    m_splitter->widget(0)->setMinimumWidth(leavesRoom ? 0 : MinFormWidth);
    const bool isBeside = m_splitter->orientation() == Qt::Horizontal;
    const bool hasTwo = isBeside && m_mode == BothMode && !isJsonAboveResult();
    const double usual = hasTwo ? 0.6 : leavesRoom && m_mode == FormMode ? 0.4 : 0.5;
    const int all = isBeside ? width() : height();
    int form = int(all * m_formShare.value_or(usual));
    if (hasTwo)
        form = qMax(form, qMin(2 * MinSideWidth + 5 * Grid, all - MinSideWidth));
    m_splitter->setSizes({form, all - form});
}

QWidget *CallPanel::makeFormSide()
{
    auto *side = new QWidget;
    side->setObjectName(u"formSide"_s);
    side->setAutoFillBackground(true);
    side->setBackgroundRole(QPalette::Base);
    side->setMinimumWidth(MinFormWidth);
    auto *column = new QVBoxLayout(side);
    column->setContentsMargins(2 * Grid, Grid + 4, 2 * Grid, Grid + 4);
    column->setSpacing(Grid);

    m_modeSwitch->addSegment(tr("Form"));
    m_modeSwitch->addSegment(tr("Both"), tr("Form and JSON"));
    m_modeSwitch->addSegment(tr("JSON"));
    m_modeSwitch->setObjectName(u"modeSwitch"_s);
    m_head->addControl(m_modeSwitch);
    column->addWidget(m_head);
    if (m_saved)
        column->addWidget(m_saved);

    makeAbout();
    m_form->setObjectName(u"form"_s);
    m_json->setObjectName(u"jsonArguments"_s);
    m_json->setMinimumHeight(MinJsonHeight);
    auto *pane = new QWidget;
    auto *rows = new QVBoxLayout(pane);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(Grid);
    m_blocked->setObjectName(u"formBlocked"_s);
    m_blocked->setTone(Tone::ProtocolError);
    m_blocked->setWordWrap(true);
    m_blocked->setMinimumWidth(40);
    m_blocked->hide();
    rows->addWidget(m_blocked);
    rows->addWidget(m_form, 1);
    m_sides->setObjectName(u"formAndJson"_s);
    m_sides->setChildrenCollapsible(false);
    m_sides->setHandleWidth(Grid);
    m_sides->addWidget(pane);
    m_sides->installEventFilter(this);
    m_editors->addWidget(m_sides);
    auto *plain = new QWidget;
    m_plain = new QVBoxLayout(addScrolledPage(plain));
    m_plain->setContentsMargins(1, 0, Grid / 2, Grid);
    m_plain->addWidget(m_json, 1);
    m_plain->addStretch();
    m_editors->addWidget(plain);
    m_editors->setMinimumHeight(4 * Grid);  // it scrolls; a question below it does not
    column->addWidget(m_editors, 1);
    m_preview->setMinimumWidth(40);
    m_preview->setFont(monoFont());
    m_preview->setDim(true);
    m_preview->setWordWrap(true);
    m_preview->setObjectName(u"uriPreview"_s);
    column->addWidget(m_preview);

    if (m_watch)
        column->addWidget(m_watch->status());
    column->addWidget(new Line(Qt::Horizontal));
    column->addWidget(m_question);
    auto *callSide = new QVBoxLayout(m_actions);
    callSide->setContentsMargins(0, 0, 0, 0);
    callSide->setSpacing(Grid);
    callSide->addWidget(m_asTask);
    auto *actions = new QHBoxLayout;
    actions->setSpacing(Grid);
    m_callButton->setObjectName(u"callButton"_s);
    m_callButton->setMinimumHeight(28);
    m_callButton->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    actions->addWidget(m_callButton);
    m_copyButton->setText(tr("Copy as ▾"));
    m_copyButton->setObjectName(u"copyAs"_s);
    m_copyButton->setAccessibleName(tr("Copy as"));
    m_copyButton->setPopupMode(QToolButton::InstantPopup);
    m_copyButton->setMinimumHeight(28);
    auto *menu = new QMenu(m_copyButton);
    connect(menu->addAction(tr("Arguments as JSON")), &QAction::triggered, this, [this] { copyAs(false); });
    connect(menu->addAction(tr("sonde-cli command")), &QAction::triggered, this, [this] { copyAs(true); });
    if (m_subject.ref.kind == OfferRef::Kind::Tool) {
        menu->addSeparator();
        QAction *save = menu->addAction(tr("Save as saved call…"));
        save->setObjectName(u"saveCall"_s);
        connect(save, &QAction::triggered, this, &CallPanel::saveCall);
    }
    m_copyButton->setMenu(menu);
    actions->addWidget(m_copyButton);
    if (m_watch)
        actions->addWidget(m_watch->button());
    actions->addStretch(1);
    m_problems->setObjectName(u"problems"_s);
    actions->addWidget(m_problems);
    callSide->addLayout(actions);
    column->addWidget(m_actions);
    return side;
}

void CallPanel::makeAbout()
{
    auto *column = new QVBoxLayout(m_about);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(Grid);
    m_server->setDim(true);
    m_server->setObjectName(u"subjectServer"_s);
    m_server->setElided(true);
    m_server->setMinimumWidth(40);
    followFont(m_server, [this] {  // on one line with the name, whose font is higher
        const int difference = QFontMetrics(monoFont()).ascent() - m_server->fontMetrics().ascent();
        m_server->setContentsMargins(0, qMax(0, difference), 0, 0);
    });
    m_caption->setDim(true);
    m_caption->setObjectName(u"subjectCaption"_s);
    m_caption->setFont(monoFont());
    m_caption->setWordWrap(m_subject.ref.kind != OfferRef::Kind::Tool);
    m_caption->setElided(m_subject.ref.kind == OfferRef::Kind::Tool);
    m_caption->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);  // it gives way to the buttons
    m_schema->setObjectName(u"showSchema"_s);
    m_schema->setText(tr("Schema"));
    m_schema->setToolTip(tr("Show the inputSchema of this tool"));
    m_schema->setFont(smallFont());
    m_schema->setFlush(true);
    auto *buttons = new QWidget;
    auto *flow = new FlowLayout(buttons);  // longer texts take a second row
    flow->setContentsMargins(0, 0, 0, 0);
    flow->setSpacing(2 * Grid);
    flow->addWidget(m_schema);
    connect(m_schema, &FlatButton::clicked, this, &CallPanel::showSchema);
    m_example->setObjectName(u"fillExample"_s);
    m_example->setText(tr("Fill with example"));
    m_example->setToolTip(tr("Replace the arguments with a value that the schema allows"));
    m_example->setFont(smallFont());
    m_example->setFlush(true);
    flow->addWidget(m_example);
    connect(m_example, &FlatButton::clicked, this, [this] {
        if (hasObject())
            m_form->fillExample();
    });
    connect(m_form, &SchemaForm::exampleFilled, this, [this] {
        m_recalled->hide();
        focusForm();
    });
    connect(m_form, &SchemaForm::exampleMissing, this,
            [this] { m_problems->setError(tr("No example was found that this schema allows.")); });
    // Always below, they would push the first field out of sight.
    column->addWidget(new BreakingRow(new SubjectNames(m_server, m_caption), buttons));
    m_notCallable->setObjectName(u"notCallable"_s);
    m_notCallable->setTone(Tone::ProtocolError);
    m_notCallable->setWordWrap(true);
    column->addWidget(m_notCallable);
    m_description->setObjectName(u"subjectDescription"_s);
    column->addWidget(m_description);
    m_findings->setTone(Tone::Finding);
    m_findings->setWordWrap(true);
    // A long word must not push the result out of the window.
    for (TextLabel *label : {m_caption, m_notCallable, m_findings, m_note, m_leftOut})
        label->setMinimumWidth(40);
    column->addWidget(m_findings);
    m_note->setObjectName(u"subjectNote"_s);
    m_note->setDim(true);
    m_note->setFont(smallFont());
    m_note->setWordWrap(true);
    column->addWidget(m_note);
    column->addWidget(m_recalled);
    m_leftOut->setObjectName(u"argumentsLeftOut"_s);
    m_leftOut->setDim(true);
    m_leftOut->setFont(smallFont());
    m_leftOut->setWordWrap(true);
    m_leftOut->hide();
    column->addWidget(m_leftOut);
}

void CallPanel::showSchema()
{
    if (!m_schemaWindow) {
        m_schemaWindow = new SchemaWindow(name(), this);
        m_schemaWindow->setObjectName(u"schemaWindow"_s);
        m_schemaWindow->setSchema(m_subject.inputSchema);
    }
    m_schemaWindow->show();
    m_schemaWindow->raise();
    m_schemaWindow->activateWindow();
}

// To where the form scrolls with the values filled in.
void CallPanel::placeAbout()
{
    const bool isForm = m_mode != JsonMode && m_subject.ref.kind != OfferRef::Kind::Resource;
    m_editors->setCurrentIndex(isForm ? 0 : 1);
    m_form->setHeader(isForm ? m_about : nullptr);
    if (!isForm)
        m_plain->insertWidget(0, m_about);
    m_about->show();
    const bool isAboveResult = isJsonAboveResult();
    QWidget *place = isAboveResult ? m_jsonPane : m_mode == BothMode ? m_sides : m_plain->parentWidget();
    if (m_json->parentWidget() != place) {
        const bool hadFocus = m_json->edit()->hasFocus();
        if (isAboveResult)
            m_jsonPane->layout()->addWidget(m_json);
        else if (m_mode == BothMode)
            m_sides->addWidget(m_json);
        else
            m_plain->insertWidget(m_plain->count() - 1, m_json, 1);
        m_sides->setSizes({1000, 1000});
        m_jsonPane->setVisible(isAboveResult);
        m_results->setSizes({1000, 1500});  // below it are the calls before, too
        m_json->setVisible(m_mode != FormMode);
        if (hadFocus)
            m_json->edit()->setFocus();
    }
    m_json->setVisible(m_mode != FormMode);
    fitHistory();
}

bool CallPanel::isJsonAboveResult() const
{
    return m_mode == BothMode && width() < WidthForBoth && m_splitter->orientation() == Qt::Horizontal;
}

// One above the other where they are too narrow side by side.
bool CallPanel::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_sides && event->type() == QEvent::Resize) {
        const Qt::Orientation wanted = m_sides->width() < 2 * MinSideWidth ? Qt::Vertical : Qt::Horizontal;
        if (wanted != m_sides->orientation()) {
            m_sides->setOrientation(wanted);
            m_sides->setSizes({1000, 1000});
        }
    }
    return QWidget::eventFilter(watched, event);
}

QWidget *CallPanel::makeRecalledLine()
{
    auto *line = new QWidget;
    line->setObjectName(u"recalled"_s);
    auto *row = new QHBoxLayout(line);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(Grid);
    auto *words = new TextLabel(tr("Filled in from your last call."));
    words->setDim(true);
    words->setFont(smallFont());
    auto *empty = new QToolButton;
    empty->setObjectName(u"startEmpty"_s);
    empty->setText(tr("Clear"));
    empty->setFont(smallFont());
    connect(empty, &QToolButton::clicked, this, [this] {
        m_formJson->clear();
        m_recalled->hide();
        focusForm();
    });
    row->addWidget(words);
    row->addWidget(empty);
    row->addStretch(1);
    line->hide();
    return line;
}

void CallPanel::makeResultSide()
{
    auto *side = new QWidget;
    side->setAutoFillBackground(true);
    side->setBackgroundRole(QPalette::Base);
    side->setMinimumWidth(2 * MinSideWidth - MinFormWidth);
    auto *column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_unsent);
    column->addWidget(m_requiredUrls);
    if (m_saved)
        column->addWidget(m_saved->verdict());
    m_result->setObjectName(u"result"_s);
    if (m_watch)
        column->addWidget(m_watch);
    column->addWidget(m_result, 1);
    if (m_watch)
        column->addWidget(m_watch->difference(), 1);

    auto *box = new QVBoxLayout(m_historyBox);
    box->setContentsMargins(2 * Grid, 0, 2 * Grid, Grid);
    box->setSpacing(Grid / 2);
    auto *caption = new TextLabel(tr("Previous calls"));
    caption->setStrong();
    caption->setToolTip(tr("Click to show the response; double-click to restore the arguments"));
    box->addWidget(new Line(Qt::Horizontal));
    box->addWidget(caption);
    box->addWidget(m_historyView);
    m_historyBox->hide();
    column->addWidget(m_historyBox);

    m_jsonPane->setAutoFillBackground(true);
    m_jsonPane->setBackgroundRole(QPalette::Base);
    auto *above = new QVBoxLayout(m_jsonPane);
    above->setContentsMargins(2 * Grid, Grid + 4, 2 * Grid, Grid);
    m_jsonPane->hide();
    m_results->setObjectName(u"jsonAndResult"_s);
    m_results->setHandleWidth(1);
    m_results->setChildrenCollapsible(false);
    m_results->addWidget(m_jsonPane);
    m_results->addWidget(side);
}

QString CallPanel::name() const
{
    const QString name = visibleLine(m_saved && m_saved->isLoaded() ? m_saved->call().name : m_subject.name, 300);
    return name.trimmed().isEmpty() ? tr("(no name)") : name;
}

QString CallPanel::mark() const
{
    return m_watch && m_watch->isLive() ? u"● "_s : QString();
}

void CallPanel::refresh()
{
    if (!m_connection)
        return;
    m_unsent->refresh(*m_connection);
    m_result->setConnectionProblem(m_connection->trouble() ? m_connection->statusText() : QString());
    CallSubject fresh = subjectFor(m_subject.ref, *m_connection);
    // While a server restarts, its lists are empty for a moment: the form stays, so that nothing typed is lost.
    if (!fresh.exists && m_subject.exists)
        fresh = m_subject;
    m_subject = std::move(fresh);

    m_head->setContent(m_subject.title, m_subject.icons, m_connection->spec().name, m_subject.badges);
    const QString server = visibleLine(m_connection->spec().name, 60);
    m_server->setText(m_subject.caption.isEmpty() ? server : server + u" ·"_s);
    m_server->setMinimumWidth(qMin(40, m_server->sizeHint().width()));  // a short one is beside the name
    m_server->setToolTip(plainToolTip(server));
    m_caption->setServerText(visibleLine(m_subject.caption));
    m_caption->setToolTip(plainToolTip(visibleLine(m_subject.caption, 400)));
    m_description->setServerText(m_subject.description);
    const bool isCallable = m_subject.problem.isEmpty();
    m_notCallable->setServerText(isCallable ? QString()
                                            : tr("%1 This tool cannot be called over HTTP. %2")
                                                  .arg(sign(Tone::ProtocolError), visibleLine(m_subject.problem)));
    m_notCallable->setVisible(!isCallable);
    m_callButton->setEnabled(isCallable && !isRunning());
    QStringList findings;
    for (const QString &finding : std::as_const(m_subject.findings))
        findings << sign(Tone::Finding) + u' ' + finding;
    m_findings->setServerText(findings.join(u'\n'));
    m_findings->setVisible(!findings.isEmpty());

    updateQuestion();
    m_callButton->setText(tr("%1  Ctrl+↵").arg(m_subject.verb));
    m_callButton->setAccessibleName(m_subject.verb);
    setAccessibleName(visibleLine(m_subject.title, 200));  // it has the focus during a call

    const QByteArray schema = m_subject.inputSchema.bytes();
    if (schema != m_shownSchema || m_shownSchema.isNull()) {
        if (!m_shownSchema.isNull())
            (void)m_formJson->finish();
        const QByteArray typed = m_shownSchema.isNull() ? QByteArray() : m_form->value();
        m_shownSchema = schema;
        m_form->setSchema(m_subject.inputSchema);
        if (m_schemaWindow)
            m_schemaWindow->setSchema(m_subject.inputSchema);
        if (typed.isEmpty())
            m_formJson->formChanged();
        else
            m_formJson->setValue(typed);
    }
    const bool asks = m_subject.ref.kind != OfferRef::Kind::Resource;
    if (!asks)
        m_history->setNoArgumentsText(m_subject.verb);
    m_modeSwitch->setVisible(asks);
    m_schema->setVisible(m_subject.ref.kind == OfferRef::Kind::Tool);
    m_example->setVisible(asks && m_form->hasFields());
    m_copyButton->setVisible(asks);
    m_note->setServerText(hasSuggestions() ? tr("The server suggests values as you type. Ctrl+Space asks for them.")
                                           : m_subject.note);
    // Where the server decides there is nothing to choose.
    m_asTask->offer(m_subject.taskSupport, m_connection->taskSupport());
    placeAbout();
    if (m_result->outcome().startedAt.isNull() && !isRunning()) {
        m_result->showEmpty(!m_subject.exists ? tr("No longer offered by the server.")
                            : isCallable      ? tr("The result will appear here. Press Ctrl+Enter to call.")
                                              : tr("This tool cannot be called over HTTP."));
    }
    updateProblems();
    if (m_watch)
        m_watch->refresh();
    fitHeight();
    divide();
    Q_EMIT renamed();
}

QByteArray CallPanel::arguments() const
{
    return m_mode == FormMode || m_formJson->isTextBehind() ? m_form->value() : m_json->document().text();
}

void CallPanel::setArguments(const QByteArray &json)
{
    m_formJson->setValue(json);
}

void CallPanel::noteLeftOut(const QString &text)
{
    m_recalled->hide();
    m_leftOut->setText(text);
    m_leftOut->show();
}

CallDraft CallPanel::draft() const
{
    return {m_mode == FormMode || m_formJson->isTextBehind() ? m_form->value() : m_json->json(), mode()};
}

void CallPanel::restore(const CallDraft &draft)
{
    const QSignalBlocker quiet(this);
    setMode(draft.mode);
    if (draft.text.isEmpty() || m_subject.ref.kind == OfferRef::Kind::Resource)
        return;
    m_recalled->hide();
    const json::Document document = json::Document::parse(draft.text);
    if (document.isValid() && document.root().isObject())
        setArguments(draft.text);
    if (m_mode != FormMode)
        m_formJson->typeText(draft.text);
}

void CallPanel::setUndoSteps(const FormSteps &steps)
{
    m_form->setSteps(steps);
}

void CallPanel::recall(const QByteArray &json)
{
    json::Builder known;
    known.beginObject();
    for (const json::Value &member : json::parse(json)) {
        if (m_form->accepts(member.key()))
            known.rawKey(member.keySlice()).value(member);
    }
    const QByteArray kept = known.endObject().take();
    if (kept == "{}"_ba)
        return;
    setArguments(kept);
    m_recalled->show();
}

QString CallPanel::mode() const
{
    return Modes.at(size_t(m_mode));
}

void CallPanel::setMode(const QString &mode)
{
    const auto *found = std::find(Modes.cbegin(), Modes.cend(), mode);
    if (found != Modes.cend() && m_subject.ref.kind != OfferRef::Kind::Resource)
        m_modeSwitch->setCurrent(int(found - Modes.cbegin()));
}

void CallPanel::showMode(int mode)
{
    if (mode == m_mode)
        return;
    // Alone, the form would hide a text that it cannot show.
    if (mode == FormMode && !hasObject()) {
        m_modeSwitch->setCurrent(m_mode);
        return;
    }
    m_mode = mode;
    placeAbout();
    divide();
    m_formJson->setShown(m_mode != JsonMode, m_mode != FormMode);
    checkJson();
    Q_EMIT modeChanged();
}

void CallPanel::checkJson()
{
    // An edit there would be about a value that the text has not any more.
    const bool isBlocked = m_mode == BothMode && !m_formJson->isObject();
    m_form->setEnabled(!isBlocked);
    // For a moment only, so the form does not look different, which takes as long as painting all of it.
    m_form->setAttribute(Qt::WA_TransparentForMouseEvents, m_mode == BothMode && m_formJson->isReading());
    if (isBlocked) {
        m_blocked->setText(sign(Tone::ProtocolError) + u' ' +
                           (m_json->isValidJson()
                                ? tr("The JSON is no object. The form shows the last value that was one.")
                                : tr("Fix the JSON to edit the form: %1. The form shows the last valid value.")
                                      .arg(m_json->problemPlace())));
    }
    m_blocked->setVisible(isBlocked);
    // Said above the form then, and beside the button.
    m_json->setProblemShown(m_mode == JsonMode);
    m_json->setWrong(isBlocked);
    markFocused();
    updateProblems();
}

// The place that is edited, on the other side.
void CallPanel::markFocused()
{
    if (m_mode != BothMode)
        return;
    // Keys go to the form that says what the JSON says.
    if (m_formJson->isReading() && m_form->isAncestorOf(QApplication::focusWidget()))
        (void)m_formJson->finish();
    m_json->mark(m_form->focusedPlace());
    m_form->markPlace(m_json->edit()->hasFocus() ? m_json->placeAtCursor() : std::nullopt);
}

// False: what was typed as JSON is no value of the form, which is said.
bool CallPanel::hasObject()
{
    if (m_mode == FormMode || m_formJson->finish())
        return true;
    m_problems->setError(m_json->isValidJson() ? tr("The form needs a JSON object.")
                                               : tr("Fix the JSON first: %1").arg(m_json->problem()));
    m_json->goToProblem();
    return false;
}

// From the top down, what is wrong before what is only remarked upon.
QList<FormIssue> CallPanel::shownIssues() const
{
    QList<FormIssue> issues = m_form->knownIssues();
    std::stable_partition(issues.begin(), issues.end(), [](const FormIssue &issue) { return !issue.isRemark; });
    return issues;
}

void CallPanel::updateProblems()
{
    const QList<FormIssue> issues = shownIssues();
    m_json->setIssues(m_form->isBegun() ? issues : QList<FormIssue>());
    if (!m_subject.problem.isEmpty()) {
        m_problems->setError(tr("not callable over HTTP"));
    } else if (m_mode != FormMode && !m_json->isValidJson()) {
        m_problems->setError(tr("Not valid JSON: %1").arg(m_json->problem()));
    } else {
        // Neutral in tone: the fields show the problems, and the call can still be sent.
        m_problems->setIssues(issues);
    }
    updatePreview();
}

void CallPanel::updatePreview()
{
    QString preview;
    if (m_subject.ref.kind == OfferRef::Kind::Template) {
        const Result<PreparedCall> prepared = prepareCall(m_subject, arguments());
        preview = prepared ? tr("Reads %1").arg(visibleLine(json::parse(prepared->params)[u"uri"].string()))
                           : visibleLine(prepared.error().message);
    }
    m_preview->setText(preview);
    m_preview->setVisible(!preview.isEmpty());
}

CallOptions CallPanel::callOptions() const
{
    CallOptions options = m_connection->options().callOptions;
    options.task = m_asTask->options();
    return options;
}

void CallPanel::goToProblem()
{
    const QList<FormIssue> issues = shownIssues();
    if (m_mode != FormMode && !m_json->isValidJson())
        m_json->goToProblem();
    else if (!issues.isEmpty() && (m_mode == JsonMode || (m_mode == BothMode && !m_formJson->isObject())))
        m_json->goTo(issues.first().place, issues.first().path);
    else if (!issues.isEmpty())
        m_form->focusIssue(issues.first());
}

void CallPanel::call()
{
    if (!m_connection || m_call || !m_subject.problem.isEmpty() || (m_saved && m_saved->isSending()))
        return;
    if (m_mode != FormMode)
        (void)m_formJson->finish();
    if (m_mode != FormMode && !m_json->isValidJson()) {
        m_json->goToProblem();
        return;
    }
    m_isCancelledByUser = false;
    m_form->markSubmitted();
    m_unsent->sayNotSent(*m_connection);  // no call: it has no place among the others
    if (m_connection->state() != Connection::State::Connected)
        return;
    QByteArray sent = arguments();
    if (m_mode != FormMode)
        sent = json::compact(m_json->document().root());
    const Result<PreparedCall> prepared = prepareCall(m_subject, sent);
    if (!prepared) {
        Outcome failed;
        failed.error = prepared.error();
        failed.startedAt = QDateTime::currentDateTimeUtc();
        onFinished(failed, sent);
        return;
    }
    if (const Tool *called = tool(); called && m_connection->toolMemory()->asks(*called)) {
        m_question->ask(*called, m_connection->toolMemory()->formerDefinition(*called));
        m_callButton->setEnabled(false);
        m_actions->hide();
        return;
    }
    if (m_question->isAsking())
        m_question->clear();
    m_actions->show();
    m_form->setRemoteIssues({});
    m_recalled->hide();
    m_leftOut->hide();
    // A button that is switched off or hidden hands the focus to whatever comes next in the window.
    if (m_callButton->hasFocus() || m_requiredUrls->isAncestorOf(focusWidget()))
        setFocus();
    m_requiredUrls->watch(nullptr);
    m_callButton->setEnabled(false);
    if (m_saved)
        return m_saved->send(m_connection, sent, callOptions());
    Q_EMIT called(sent);
    followCall(m_connection->request(prepared->method, prepared->params, callOptions()), sent);
}

void CallPanel::followCall(Call *call, const QByteArray &arguments)
{
    m_call = call;
    if (m_suggestions)
        m_suggestions->drop();
    m_result->showRunning(m_call);
    connect(m_call, &Call::finished, this,
            [this, arguments](const Outcome &outcome) { onFinished(outcome, arguments); });
    Q_EMIT runningChanged();
}

QString CallPanel::task() const
{
    return isTaskRunning() ? m_call->task()->id : QString();
}

void CallPanel::showTask(const QString &id)
{
    const KnownTask *known = m_connection ? m_connection->tasks()->task(id) : nullptr;
    if (known && known->call)
        followCall(known->call, arguments());
    else if (known && known->outcome)
        onFinished(*known->outcome, arguments());
    else if (!known || known->isLost)
        m_result->showEmpty(lostText());
}

const Tool *CallPanel::tool() const
{
    const bool isTool = m_connection && m_subject.ref.kind == OfferRef::Kind::Tool;
    return isTool ? m_connection->catalog()->tool(m_subject.ref.key, m_subject.ref.number) : nullptr;
}

// A question goes with the definition that it was about; what has changed is said until it was seen.
void CallPanel::updateQuestion()
{
    const Tool *now = tool();
    const json::Value former = now ? m_connection->toolMemory()->formerDefinition(*now) : json::Value();
    if (m_question->isAsking() && now && now->value.bytes() != m_question->tool().value.bytes())
        m_question->ask(*now, former);
    else if (m_question->isAsking() && now)
        return;
    else if (former.exists())
        m_question->tellChange(*now, former);
    else
        m_question->clear();
    m_callButton->setEnabled(!m_question->isAsking() && m_subject.problem.isEmpty() && !isRunning());
    m_actions->setVisible(!m_question->isAsking());
}

void CallPanel::onConfirmed(bool always)
{
    const Tool *now = tool();
    if (!now || now->value.bytes() != m_question->tool().value.bytes())
        return updateQuestion();  // it is another one by now
    ToolMemory *memory = m_connection->toolMemory();
    memory->allowForSession(*now);
    if (always)
        memory->allowAlways(*now);
    if (m_question->isAncestorOf(focusWidget()))
        setFocus();
    m_question->clear();
    m_actions->show();
    memory->accept(*now);
    call();
}

void CallPanel::onFinished(const Outcome &outcome, const QByteArray &arguments)
{
    m_call.clear();
    m_callButton->setEnabled(m_subject.problem.isEmpty());
    if (hasFocus())
        m_callButton->setFocus();
    Outcome shown = outcome;
    if (outcome.kind == Outcome::Kind::NoResponse && outcome.error.kind == Error::Kind::Cancelled) {
        if (std::exchange(m_isCancelledByUser, false))
            shown.error.message = tr("Cancelled by you.");
        else if (m_connection && m_connection->trouble())
            shown.error.message = tr("Connection lost during the call.");
        else if (m_connection && m_connection->isRestarting())
            shown.error.message = tr("Interrupted: the server was restarted.");
    }
    const QStringList stderrTail = m_connection && outcome.kind == Outcome::Kind::NoResponse
                                       ? m_connection->stderrSince(outcome.startedAt)
                                       : QStringList();
    m_result->showOutcome(m_subject.resultKind, shown, stderrTail);
    announce(this, tr("%1: %2 %3").arg(m_subject.ref.key, titleOf(shown), durationText(shown.durationNs)));
    if (m_saved && m_connection)
        m_saved->judge(shown, *m_connection->session());
    m_history->add({arguments, shown});
    m_historyView->setCurrentIndex(m_history->index(0));
    if (m_watch) {
        m_watch->choose(0);
        m_watch->add(shown, m_history->rowCount());
    }
    // A single previous call is the result that is shown anyway.
    m_historyBox->setVisible(m_history->rowCount() > 1);
    QList<FormIssue> named = issuesNamedBy(outcome, arguments);
    const json::Value sent = named.isEmpty() ? json::Value() : json::parse(arguments);
    named.removeIf([this, &sent](const FormIssue &issue) {
        const QString name = issue.place.tokens().constFirst();
        return !m_form->accepts(name) && !sent.contains(name);
    });
    m_form->setRemoteIssues(named);
    if (m_connection)
        m_requiredUrls->watch(m_connection->askForRequiredUrls(outcome));
    updateProblems();
    Q_EMIT runningChanged();
}

// Read because the server reported a change. If an earlier version is shown, it stays.
void CallPanel::onReadAgain(const Outcome &outcome)
{
    const bool showsNewest = m_historyView->currentIndex().row() <= 0;
    m_history->add({arguments(), outcome});
    m_watch->add(outcome, m_history->rowCount());
    m_historyBox->setVisible(m_history->rowCount() > 1);
    if (!showsNewest || isRunning())
        return;
    m_historyView->setCurrentIndex(m_history->index(0));
    m_result->showOutcome(m_subject.resultKind, outcome);
}

bool CallPanel::showFreshRead()
{
    const std::optional<Outcome> outcome = m_connection->freshRead(m_subject.ref.key);
    if (!outcome)
        return false;
    m_history->add({arguments(), *outcome});
    m_watch->add(*outcome, m_history->rowCount());
    m_result->showFromCache(m_subject.resultKind, *outcome);
    return true;
}

QList<PastCall> CallPanel::pastCalls() const
{
    QList<PastCall> calls;
    for (int row = 0; row < m_history->rowCount(); ++row)
        calls.append(m_history->at(row));
    return calls;
}

void CallPanel::setPastCalls(const QList<PastCall> &calls)
{
    for (auto call = calls.crbegin(); call != calls.crend(); ++call) {
        m_history->add(*call);
        if (m_watch)
            m_watch->add(call->outcome, m_history->rowCount());
    }
    m_historyBox->setVisible(m_history->rowCount() > 1);
    m_historyView->setCurrentIndex(m_history->index(0));
    showPast(0);
}

void CallPanel::showPast(int row)
{
    if (row < 0 || row >= m_history->rowCount() || isRunning())
        return;
    if (m_watch)
        m_watch->choose(row);
    m_result->showOutcome(m_subject.resultKind, m_history->at(row).outcome);
}

// The one that is shown, with an earlier or later one; the earlier is on the left.
void CallPanel::compareWithPast(int row)
{
    const int shown = m_historyView->currentIndex().row();
    if (row < 0 || row >= m_history->rowCount() || shown < 0 || row == shown)
        return;
    const int leftRow = std::max(row, shown);
    const int rightRow = std::min(row, shown);
    const PastCall &left = m_history->at(leftRow);
    const PastCall &right = m_history->at(rightRow);
    auto *window = new ComparisonWindow(titleOf(left), titleOf(right), this);
    window->setObjectName(u"callComparison"_s);
    window->setParts({{tr("Response"), responseOf(left), responseOf(right)},
                      {tr("Arguments"), m_history->shownArguments(leftRow), m_history->shownArguments(rightRow)}});
    window->show();
}

void CallPanel::stepHistory(int direction)
{
    if (m_history->rowCount() == 0)
        return;
    const int row = qBound(0, m_historyView->currentIndex().row() - direction, m_history->rowCount() - 1);
    m_historyView->setCurrentIndex(m_history->index(row));
    setArguments(m_history->at(row).arguments);
    showPast(row);
}

void CallPanel::cancel()
{
    if (m_saved)
        m_saved->cancelSending();
    if (!m_call)
        return;
    m_isCancelledByUser = true;
    m_call->cancel(u"Cancelled by the user"_s);  // the server reads it, in English
}

void CallPanel::focusForm()
{
    if (m_mode == JsonMode)
        m_json->edit()->setFocus();
    else if (m_subject.ref.kind == OfferRef::Kind::Resource || !m_form->hasFields())
        (m_callButton->isEnabled() ? static_cast<QWidget *>(m_callButton) : this)->setFocus();
    else
        m_form->focusFirstField();
}

void CallPanel::focusPlace(const json::Pointer &place)
{
    if (m_mode == JsonMode)
        m_json->goTo(place);
    else
        m_form->focusPlace(place);
}

void CallPanel::makeSavedCallBar()
{
    m_form->setTakesPlaceholders();
    m_saved = new SavedCallBar([this] { return arguments(); });
    connect(m_formJson, &FormJson::changed, m_saved, &SavedCallBar::onArgumentsChanged);
    connect(m_saved, &SavedCallBar::saveRequested, this, &CallPanel::saveToFile);
    connect(m_saved, &SavedCallBar::argumentsRead, this, &CallPanel::setArguments);
    connect(m_saved, &SavedCallBar::renamed, this, &CallPanel::renamed);
    connect(m_saved, &SavedCallBar::unsavedChanged, this, &CallPanel::renamed);
    auto *save = new QShortcut(QKeySequence::Save, this);  // of a tab that is shown
    connect(save, &QShortcut::activated, this, [this] {
        if (isUnsaved())
            (void)saveToFile();
    });
    connect(m_saved, &SavedCallBar::sent, this, &CallPanel::followCall);
    connect(m_saved, &SavedCallBar::notSent, this, [this](const Error &why, const QByteArray &arguments) {
        Outcome failed;
        failed.error = why;
        failed.startedAt = QDateTime::currentDateTimeUtc();
        onFinished(failed, arguments);
    });
}

void CallPanel::setSavedCall(const Result<SavedCall> &file)
{
    if (!m_saved)
        return;
    m_saved->setFile(file);
    if (file)
        m_subject.ref.savedCall = file->path;  // it may have been renamed
}

const SavedCall *CallPanel::savedCall() const
{
    return m_saved && m_saved->isLoaded() ? &m_saved->call() : nullptr;
}

bool CallPanel::isAsInFile() const
{
    return m_saved && !m_saved->isEdited();
}

bool CallPanel::isUnsaved() const
{
    return m_saved && m_saved->isUnsaved();
}

bool CallPanel::saveToFile()
{
    return m_saved && hasObject() && m_saved->saveArguments(savedCallOf(m_subject.ref.key, arguments(), *m_form, true));
}

// With the outcome that these arguments had, if they were the last that were sent.
void CallPanel::saveCall()
{
    if (!hasObject())
        return;
    NewSavedCall made = savedCallOf(m_subject.ref.key, arguments(), *m_form, m_saved != nullptr);
    const bool isLast = m_history->rowCount() > 0 && json::compact(json::parse(m_history->at(0).arguments)) ==
                                                         json::compact(json::parse(arguments()));
    if (isLast && m_connection)
        expectOutcome(made, m_history->at(0).outcome, *m_connection->session());
    Q_EMIT saveAsRequested(made);
}

void CallPanel::savePast(int row)
{
    if (row < 0 || row >= m_history->rowCount() || !m_connection)
        return;
    const PastCall &past = m_history->at(row);
    NewSavedCall made = savedCallOf(m_subject.ref.key, past.arguments, *m_form, m_saved != nullptr);
    expectOutcome(made, past.outcome, *m_connection->session());
    Q_EMIT saveAsRequested(made);
}

void CallPanel::copyAs(bool asCommand)
{
    (void)m_formJson->finish();
    QString text = QString::fromUtf8(arguments());
    if (asCommand && m_connection) {
        const Result<PreparedCall> prepared = prepareCall(m_subject, arguments());
        if (!prepared)
            return;
        const Session &session = *m_connection->session();
        const qsizetype last = session.size() - 1;
        text = cliCommand(runningServerWords(session, last, m_connection->options().profile.servers.get(),
                                             openingRequestFactsOf(session, last)),
                          prepared->method, prepared->params);
    }
    QGuiApplication::clipboard()->setText(text);
}

}  // namespace sonde::ui
