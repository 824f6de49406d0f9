// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/recordedcallpanel.h"

#include "core/json/builder.h"
#include "core/protocol/worker.h"
#include "ui/json/jsontreeview.h"
#include "ui/panels/collapsibletext.h"
#include "ui/panels/subjecthead.h"
#include "ui/result/outcometext.h"
#include "ui/result/resultview.h"
#include "ui/theme/rowtable.h"
#include "ui/theme/tonedelegate.h"
#include "ui/theme/widgets.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QMenu>
#include <QSplitter>
#include <QTableWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

enum RecordedColumn { RecordedTime, RecordedOutcome, RecordedDuration, RecordedColumnCount };
constexpr int RecordedTimeWidth = 72;    // of a time of day, and of a duration
constexpr int MaxRecordedRows = 10'000;  // the newest; the timeline has them all

struct ReadCall {
    Message request;
    Message response;  // none: it was not recorded
};

ResultView::Subject resultKindOf(OfferRef::Kind kind)
{
    switch (kind) {
        case OfferRef::Kind::Tool:
            return ResultView::Subject::Tool;
        case OfferRef::Kind::Resource:
        case OfferRef::Kind::Template:
            return ResultView::Subject::Resource;
        case OfferRef::Kind::Prompt:
            return ResultView::Subject::Prompt;
        case OfferRef::Kind::Info:
        case OfferRef::Kind::None:
            break;
    }
    return ResultView::Subject::Other;
}

// Null: it is not listed in the session.
const Entry *entryOf(const Catalog &catalog, const OfferRef &ref)
{
    switch (ref.kind) {
        case OfferRef::Kind::Tool:
            return catalog.tool(ref.key, ref.number);
        case OfferRef::Kind::Prompt:
            return catalog.prompt(ref.key, ref.number);
        case OfferRef::Kind::Resource:
            return catalog.resource(ref.key, ref.number);
        case OfferRef::Kind::Template:
            return catalog.resourceTemplate(ref.key, ref.number);
        case OfferRef::Kind::Info:
        case OfferRef::Kind::None:
            break;
    }
    return nullptr;
}

// The outcome matters most; how long it took is above the result too.
class RecordedCallsTable final : public QTableWidget {
public:
    RecordedCallsTable() : QTableWidget(0, RecordedColumnCount) {}

protected:
    void resizeEvent(QResizeEvent *event) override
    {
        const int outcome = fontMetrics().horizontalAdvance(RecordedCallPanel::tr("Protocol error")) + 5 * Grid;
        const int others = columnWidth(RecordedTime) + scaled(RecordedTimeWidth);
        setColumnHidden(RecordedDuration, viewport()->width() < others + outcome);
        QTableWidget::resizeEvent(event);
    }
};

}  // namespace

RecordedCallPanel::RecordedCallPanel(const OfferRef &ref, RecordedOffers *offers, QWidget *parent)
    : QWidget(parent),
      m_ref(ref),
      m_name(ref.key),
      m_head(new SubjectHead),
      m_when(new TextLabel),
      m_description(new CollapsibleText),
      m_table(new RecordedCallsTable),
      m_arguments(new JsonTreeView),
      m_result(new ResultView),
      m_empty(new EmptyState(tr("Reading…"), {})),
      m_sides(new QSplitter(Qt::Horizontal)),
      m_again(new QToolButton),
      m_show(new QToolButton)
{
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(2 * Grid, Grid, 2 * Grid, Grid);
    column->setSpacing(Grid);
    column->addWidget(makeHead());
    m_sides->addWidget(makeCalls());
    m_sides->addWidget(m_result);
    m_sides->setStretchFactor(0, 2);
    m_sides->setStretchFactor(1, 3);
    m_sides->setChildrenCollapsible(false);
    column->addWidget(m_sides, 1);
    m_empty->setObjectName(u"recordedEmpty"_s);
    column->addWidget(m_empty, 1);
    for (QWidget *ofCalls : std::initializer_list<QWidget *>{m_sides, m_again, m_show})
        ofCalls->hide();
    connect(m_table, &QTableWidget::itemSelectionChanged, this, &RecordedCallPanel::showCall);
    setOffers(offers);
}

void RecordedCallPanel::setOffers(RecordedOffers *offers)
{
    m_offers = offers;
    m_wantedRow = -1;
    m_calls.clear();
    m_table->setRowCount(0);
    const Session *session = offers->session();
    m_head->setContent(m_name, {}, session ? session->serverName() : QString(), {});
    m_when->setText(
        session ? tr("Recorded %1; arguments and results as they were then.").arg(dateTimeText(session->createdAt()))
                : QString());
    if (offers->isRead())
        showOffer();
    else
        connect(offers, &RecordedOffers::read, this, &RecordedCallPanel::showOffer);
}

void RecordedCallPanel::showOffer()
{
    const Session *session = m_offers->session();
    const Entry *entry = entryOf(*m_offers->catalog(), m_ref);
    m_name = entry && !entry->name.isEmpty() ? entry->name : m_ref.key;
    const auto *tool = m_ref.kind == OfferRef::Kind::Tool ? static_cast<const Tool *>(entry) : nullptr;
    m_head->setContent(entry && !entry->title.isEmpty() ? entry->title : m_name,
                       entry ? entry->value[u"icons"] : json::Value(), session ? session->serverName() : QString(),
                       tool ? badgesOf(*tool) : QList<OfferBadge>());
    m_description->setServerText(entry ? entry->description : QString());
    m_calls = m_offers->callsOf(m_ref);
    if (m_ref.kind == OfferRef::Kind::Template)
        m_empty->setContent(tr("A template is not read itself"), tr("Its resources are in the timeline."));
    else
        m_empty->setContent(tr("Not called in this session"), tr("Its recorded calls would be listed here."));
    m_empty->setVisible(m_calls.isEmpty());
    for (QWidget *ofCalls : std::initializer_list<QWidget *>{m_sides, m_again, m_show})
        ofCalls->setVisible(!m_calls.isEmpty());
    fill();
    if (m_wantedRow >= 0)
        select(m_wantedRow);
    Q_EMIT renamed();
}

QWidget *RecordedCallPanel::makeHead()
{
    auto *box = new QWidget;
    auto *column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(Grid / 2);
    auto *row = new QHBoxLayout;
    row->addWidget(m_head, 1);
    m_show->setText(tr("Show in timeline"));
    m_show->setObjectName(u"recordedShow"_s);
    connect(m_show, &QToolButton::clicked, this, [this] {
        if (const RecordedCall *call = current())
            Q_EMIT rowRequested(call->row);
    });
    m_again->setText(tr("Call again on…"));
    m_again->setObjectName(u"recordedAgain"_s);
    m_again->setPopupMode(QToolButton::InstantPopup);
    auto *menu = new QMenu(m_again);
    connect(menu, &QMenu::aboutToShow, this, [this, menu] {
        menu->clear();
        Q_EMIT serversRequested(menu);
    });
    m_again->setMenu(menu);
    row->addWidget(m_show, 0, Qt::AlignTop);
    row->addWidget(m_again, 0, Qt::AlignTop);
    column->addLayout(row);
    m_when->setDim(true);
    m_when->setWordWrap(true);
    column->addWidget(m_when);
    column->addWidget(m_description);
    return box;
}

QWidget *RecordedCallPanel::makeCalls()
{
    auto *split = new QSplitter(Qt::Vertical);
    m_table->setObjectName(u"recordedCalls"_s);
    m_table->setAccessibleName(tr("Recorded calls"));
    m_table->setHorizontalHeaderLabels({tr("Time"), tr("Outcome"), tr("Duration")});
    setUpRows(m_table);
    m_table->setItemDelegateForColumn(RecordedOutcome, new ToneDelegate(m_table));
    m_table->horizontalHeader()->setSectionResizeMode(RecordedOutcome, QHeaderView::Stretch);
    m_table->horizontalHeader()->resizeSection(RecordedTime, scaled(RecordedTimeWidth));
    m_table->horizontalHeader()->resizeSection(RecordedDuration, scaled(RecordedTimeWidth));
    auto *arguments = new QWidget;
    auto *column = new QVBoxLayout(arguments);
    column->setContentsMargins(0, Grid, 0, 0);
    auto *caption = new TextLabel(tr("Arguments"));
    caption->setStrong();
    column->addWidget(caption);
    m_arguments->setObjectName(u"recordedArguments"_s);
    m_arguments->setAccessibleName(tr("Arguments"));
    column->addWidget(m_arguments, 1);
    split->addWidget(m_table);
    split->addWidget(arguments);
    split->setChildrenCollapsible(false);
    arguments->setVisible(m_ref.kind == OfferRef::Kind::Tool || m_ref.kind == OfferRef::Kind::Prompt);
    return split;
}

// Newest first.
void RecordedCallPanel::fill()
{
    const Session *session = m_offers->session();
    if (!session)
        return;
    std::reverse(m_calls.begin(), m_calls.end());
    m_calls.resize(std::min<qsizetype>(m_calls.size(), MaxRecordedRows));
    m_table->setRowCount(int(m_calls.size()));
    for (int row = 0; row < int(m_calls.size()); ++row) {
        const RecordedCall &call = m_calls[row];
        const RowOutcome outcome = session->at(call.row).outcome;
        const qint64 duration = session->durationNs(call.row);
        const QDateTime when = session->wallTime(call.row);
        auto *time = new QTableWidgetItem(when.toLocalTime().toString(u"HH:mm:ss"_s));
        time->setToolTip(dateTimeText(when));
        m_table->setItem(row, RecordedTime, time);
        auto *badge = new QTableWidgetItem(outcome == RowOutcome::ProtocolError
                                               ? sign(toneOf(outcome)) + u' ' + tr("Protocol error")
                                               : badgeText(outcome));
        badge->setData(ToneDelegate::ToneRole, int(toneOf(outcome)));
        m_table->setItem(row, RecordedOutcome, badge);
        m_table->setItem(row, RecordedDuration,
                         new QTableWidgetItem(duration < 0 ? QString() : durationText(duration)));
    }
    if (!m_calls.isEmpty())
        m_table->selectRow(0);
}

const RecordedCall *RecordedCallPanel::current() const
{
    const int row = m_table->currentRow();
    return row >= 0 && row < int(m_calls.size()) ? &m_calls[row] : nullptr;
}

qsizetype RecordedCallPanel::row() const
{
    const RecordedCall *call = current();
    return call ? call->row : m_wantedRow;
}

void RecordedCallPanel::select(qsizetype row)
{
    m_wantedRow = row;
    const auto found =
        std::find_if(m_calls.cbegin(), m_calls.cend(), [row](const RecordedCall &call) { return call.row == row; });
    if (found != m_calls.cend())
        m_table->selectRow(int(found - m_calls.cbegin()));
}

QByteArray RecordedCallPanel::arguments() const
{
    const json::Value arguments = m_params[u"arguments"];
    return arguments.exists() ? json::compact(arguments) : QByteArray();
}

// Both may be long.
void RecordedCallPanel::showCall()
{
    delete m_reading;
    m_params = {};
    m_arguments->setValue({});
    m_again->setEnabled(false);
    const RecordedCall *call = current();
    const Session *session = m_offers ? m_offers->session() : nullptr;
    if (!call || !session)
        return;
    m_result->showEmpty(tr("Reading…"));
    const bool isResponseApart = call->responseRow >= 0 && !call->response.isResponse();
    const auto read = [call = *call, request = session->bytesReader(call->row),
                       response = isResponseApart ? session->bytesReader(call->responseRow) : nullptr] {
        ReadCall found{call.request, call.response};
        if (found.request.kind() != Message::Kind::Request)
            found.request = Message::parse(request());
        if (response)
            found.response = Message::parse(response());
        if (found.response.kind() == Message::Kind::Batch)
            found.response = found.response.responseInBatch(found.request.id());
        return found;
    };
    m_reading = runOnWorker(this, read, [this, shown = *call](const std::optional<ReadCall> &found) {
        if (found)
            showRead(shown, found->request, found->response);
    });
}

void RecordedCallPanel::showRead(const RecordedCall &call, const Message &request, const Message &response)
{
    m_params = request.params();
    m_arguments->setValue(m_params[u"arguments"]);
    m_again->setEnabled(true);
    showOutcome(call, response);
}

void RecordedCallPanel::showOutcome(const RecordedCall &call, const Message &response)
{
    const Session *session = m_offers ? m_offers->session() : nullptr;
    if (!session)
        return;
    Outcome outcome;
    outcome.startedAt = session->wallTime(call.row);
    if (!response.isResponse()) {
        outcome.error = Error::of(Error::Kind::Local, tr("No response was recorded."));
    } else {
        outcome.message = response;
        outcome.durationNs = qMax<qint64>(0, session->durationNs(call.row));
        outcome.bytes = session->at(call.responseRow).wireLength;
        outcome.kind = Outcome::Kind::Ok;
        if (response.kind() == Message::Kind::Error) {
            outcome.kind = Outcome::Kind::ProtocolError;
            outcome.error = response.toError();
        } else if (response.result()[u"isError"].toBool()) {
            outcome.kind = Outcome::Kind::ToolError;
        }
    }
    m_result->showOutcome(resultKindOf(m_ref.kind), outcome);
}

void RecordedCallPanel::focusCalls()
{
    if (!m_calls.isEmpty())
        m_table->setFocus();
}

}  // namespace sonde::ui
