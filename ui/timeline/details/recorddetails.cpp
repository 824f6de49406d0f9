// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/details/recorddetails.h"

#include "ui/json/background.h"
#include "ui/json/bytestext.h"
#include "ui/json/jsontreeview.h"
#include "ui/json/textview.h"
#include "ui/result/findingslist.h"
#include "ui/result/outcometext.h"
#include "ui/theme/fittingsegments.h"
#include "ui/theme/pagearea.h"
#include "ui/theme/widgets.h"
#include "ui/timeline/calls/callindex.h"
#include "ui/timeline/calls/callwords.h"
#include "ui/timeline/details/recordfindings.h"
#include "ui/timeline/details/recordhttp.h"

#include <QHBoxLayout>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace sonde::ui {

namespace {

enum Segment { ResponseSegment, RequestSegment, RecordSegment, HeadersSegment, FindingsSegment, FactsSegment };

// The segments that show the record itself rather than facts about it.
bool isRecordSegment(int segment)
{
    return segment == ResponseSegment || segment == RequestSegment || segment == RecordSegment;
}

bool isOurs(const RecordInfo &record)
{
    return record.kind == WireEvent::Kind::Message && record.direction == Direction::ToServer;
}

}  // namespace

RecordDetails::RecordDetails(QWidget *parent)
    : QWidget(parent),
      m_segments(new FittingSegments(QStringLiteral("detailSegments"), tr("Record view"), this)),
      m_send(new QToolButton(this)),
      m_edit(new QToolButton(this)),
      m_window(new QToolButton(this)),
      m_close(new QToolButton(this)),
      m_findings(new FindingsList(this)),
      m_pages(new QStackedWidget(this)),
      m_splitter(new QSplitter(Qt::Vertical)),
      m_tree(new JsonTreeView),
      m_raw(new TextView),
      m_text(new TextView),
      m_findingsPage(new PageArea),
      m_allFindings(new FindingsList),
      m_noFindings(new EmptyState(tr("No findings"), tr("No JSON, JSON-RPC or MCP violations found.")))
{
    layOut();
    connect(m_segments, &FittingSegments::currentChanged, this, [this](int segment) {
        if (!m_choosing)
            choose(segment);
    });
    connect(m_findings, &FindingsList::allRequested, this, [this] { m_segments->setCurrent(FindingsSegment); });
    connect(m_tree, &JsonTreeView::currentValueChanged, this, [this](const json::Value &value) {
        m_raw->setMarkedRange(value.offset(), value.exists() && m_showsBytes ? value.slice().size() : 0);
    });
    connect(m_raw, &TextView::clicked, this, [this](qsizetype offset) {
        if (m_showsBytes)
            m_tree->selectAt(offset);
    });
    connect(m_window, &QToolButton::clicked, this, [this] { Q_EMIT windowRequested(m_row); });
    connect(m_close, &QToolButton::clicked, this, &RecordDetails::closeRequested);
    connect(m_send, &QToolButton::clicked, this, [this] { Q_EMIT sendRequested(m_session->bytes(sendableRow())); });
    connect(m_edit, &QToolButton::clicked, this, [this] {
        Q_EMIT editAndSendRequested(m_session->bytes(sendableRow()), requestFactsOf(*m_session, sendableRow()));
    });
    clear();
}

void RecordDetails::layOut()
{
    setObjectName(QStringLiteral("recordDetails"));
    setFocusProxy(m_raw);  // rather than a button that sends
    setAccessibleName(tr("Details of the selected record"));
    m_segments->addSegment(tr("Response"));
    m_segments->addSegment(tr("Request"));
    m_segments->addSegment(tr("Record"));
    m_segments->addSegment(tr("Headers"), tr("Headers of the HTTP request and response"));
    m_segments->addSegment(tr("Findings"));
    m_segments->addSegment(tr("Info"), tr("Times, sizes and other information"));
    m_send->setObjectName(QStringLiteral("sendAgain"));
    m_send->setText(tr("Send again"));
    m_send->setIcon(icon(QStringLiteral("send")));
    m_send->setAccessibleName(tr("Send again"));
    m_send->setToolTip(tr("Send again; a request gets a new ID"));
    m_edit->setObjectName(QStringLiteral("editAndSend"));
    m_edit->setText(tr("Edit…"));
    m_edit->setIcon(icon(QStringLiteral("edit")));
    m_edit->setAccessibleName(tr("Edit and send…"));
    m_edit->setToolTip(tr("Edit this message, then send it"));
    m_tree->setObjectName(QStringLiteral("recordTree"));
    m_tree->setAccessibleName(tr("Record as a tree"));
    m_raw->setObjectName(QStringLiteral("recordBytes"));
    m_raw->setAccessibleName(tr("Exact bytes of the record"));
    m_window->setObjectName(QStringLiteral("detailsWindow"));
    m_window->setIcon(icon(QStringLiteral("popout")));
    m_window->setAccessibleName(tr("Open in a window"));
    m_window->setToolTip(tr("Open in a separate window (Enter on the row)"));
    m_close->setObjectName(QStringLiteral("detailsClose"));
    m_close->setIcon(icon(QStringLiteral("close")));
    m_close->setAccessibleName(tr("Close the details"));
    m_close->setToolTip(tr("Close the details (Esc on the row)"));
    m_close->setAutoRaise(true);
    m_text->setObjectName(QStringLiteral("recordFacts"));
    m_text->setAccessibleName(tr("Record info"));
    m_findings->setBrief();
    m_allFindings->setObjectName(QStringLiteral("recordFindings"));
    auto *inside = new QWidget;
    m_findingsPage->setWidget(inside);
    m_findingsPage->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto *findings = new QVBoxLayout(inside);
    findings->setContentsMargins(0, 0, 0, 0);
    findings->addWidget(m_allFindings);
    findings->addWidget(m_noFindings, 1);
    findings->addStretch(0);

    m_splitter->setObjectName(QStringLiteral("recordSplitter"));
    m_splitter->setChildrenCollapsible(true);
    m_splitter->setHandleWidth(Grid - 1);
    m_splitter->addWidget(m_tree);
    m_splitter->addWidget(m_raw);
    m_splitter->setStretchFactor(0, 3);
    m_splitter->setStretchFactor(1, 2);
    m_splitter->setSizes({300, 200});
    for (QWidget *page : std::initializer_list<QWidget *>{m_splitter, m_text, m_findingsPage})
        m_pages->addWidget(page);

    auto *row = new QHBoxLayout;
    row->setSpacing(Grid / 2);
    row->addWidget(m_segments, 1);
    row->addWidget(m_send);
    row->addWidget(m_edit);
    row->addWidget(m_window);
    row->addWidget(m_close);
    for (QToolButton *button : {m_send, m_edit})
        button->setMinimumWidth(button->iconSize().width() + Grid);  // its words give way
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(Grid, Grid - 2, Grid, Grid / 2);
    layout->setSpacing(Grid / 2);
    layout->addLayout(row);
    layout->addWidget(m_findings);
    layout->addWidget(m_pages, 1);
}

void RecordDetails::setSession(Session *session, bool canSend)
{
    if (m_session != session) {
        if (m_session)
            disconnect(m_session, nullptr, this, nullptr);
        clear();
        m_session = session;
        if (session)
            connect(session, &QObject::destroyed, this, &RecordDetails::clear);
        if (session)
            connect(session, &Session::changed, this, [this](qsizetype row) {
                if (m_row < 0 || (row != m_row && row != m_request && row != m_response))
                    return;
                refresh();
                offerSegments();  // with the mark of what was found since
            });
    }
    m_canSend = canSend;
    const bool sendable = canSend && sendableRow() >= 0;
    m_send->setEnabled(sendable);
    m_edit->setEnabled(sendable);
}

void RecordDetails::setCalls(CallIndex *calls)
{
    if (m_calls)
        m_calls->disconnect(this);
    m_calls = calls;
    if (!calls)
        return;
    connect(calls, &CallIndex::advanced, this, [this](const std::vector<qsizetype> &, qsizetype first, qsizetype last) {
        if (m_row >= first && m_row <= last && m_segments->current() == FactsSegment)
            refresh();
    });
}

void RecordDetails::clear()
{
    ++m_generation;
    m_row = m_request = m_response = -1;
    m_awaitsResponse = false;
    m_tree->setValue({});
    m_raw->setText({});
    m_text->setText({});
    m_findings->clear();
    Q_EMIT rowChanged();
}

qsizetype RecordDetails::sendableRow() const
{
    if (!m_session || m_row < 0)
        return -1;
    if (isOurs(m_session->at(m_row)))
        return m_row;
    return m_request >= 0 && isOurs(m_session->at(m_request)) ? m_request : -1;
}

void RecordDetails::showRow(qsizetype row, bool preferResponse)
{
    if (!m_session || row < 0 || row >= m_session->size()) {
        clear();
        return;
    }
    const RecordInfo &record = m_session->at(row);
    const bool isMessage = record.kind == WireEvent::Kind::Message;
    const bool isRequest = isMessage && record.messageKind == Message::Kind::Request;
    const bool isResponse =
        isMessage && (record.messageKind == Message::Kind::Result || record.messageKind == Message::Kind::Error);
    const bool wasEmpty = m_row < 0;
    m_row = row;
    m_request = isRequest ? row : isResponse ? m_session->partnerOf(row) : -1;
    m_response = isResponse ? row : isRequest ? m_session->partnerOf(row) : -1;

    m_awaitsResponse = false;
    offerSegments();
    int segment = m_segments->current();
    if (isRecordSegment(segment) || wasEmpty) {
        segment = isResponse || (isRequest && preferResponse && m_response >= 0) ? ResponseSegment
                  : isRequest                                                    ? RequestSegment
                  : record.wireLength > 0                                        ? RecordSegment
                                                                                 : FactsSegment;
    }
    m_choosing = true;
    m_segments->setCurrent(segment);
    m_choosing = false;
    choose(m_segments->current());
    Q_EMIT rowChanged();
}

// If the current segment is not offered any more, another one is chosen.
void RecordDetails::offerSegments()
{
    const RecordInfo &record = m_session->at(m_row);
    const bool hasHeads = httpExchangeOf(*m_session, m_row).request >= 0;
    const bool isWhole = m_request < 0 && m_response < 0 && record.wireLength > 0;
    m_choosing = true;
    m_segments->setSegmentVisible(ResponseSegment, m_response >= 0);
    m_segments->setSegmentVisible(RequestSegment, m_request >= 0);
    m_segments->setSegmentVisible(RecordSegment, isWhole);
    m_segments->setSegmentVisible(HeadersSegment, hasHeads);
    const auto isMarked = [this](qsizetype row) { return row >= 0 && m_session->at(row).hasProblems; };
    const bool hasFindings = isMarked(m_row) || isMarked(m_request) || isMarked(m_response);
    m_segments->setSegmentText(FindingsSegment,
                               hasFindings ? sign(Tone::Finding) + QLatin1Char(' ') + tr("Findings") : tr("Findings"));
    if (m_segments->current() == HeadersSegment && !hasHeads)
        m_segments->setCurrent(FactsSegment);
    m_choosing = false;
    const bool sendable = sendableRow() >= 0;
    m_send->setVisible(sendable);
    m_edit->setVisible(sendable);
    m_send->setEnabled(m_canSend);
    m_edit->setEnabled(m_canSend);
    fitButtons();
}

// The button texts are hidden first, then the segments become a menu: nothing is cut off.
void RecordDetails::fitButtons()
{
    int room = width() - 2 * Grid - m_segments->sizeHint().width();
    for (QToolButton *button : {m_send, m_edit, m_window, m_close}) {
        if (button->isHidden())
            continue;
        room -= Grid / 2 + button->iconSize().width() + Grid;
        if (button == m_send || button == m_edit)
            room -= button->fontMetrics().horizontalAdvance(button->text());
    }
    for (QToolButton *button : {m_send, m_edit})
        button->setToolButtonStyle(room >= 0 ? Qt::ToolButtonTextOnly : Qt::ToolButtonIconOnly);
}

void RecordDetails::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    fitButtons();
}

void RecordDetails::setStandsAlone()
{
    m_window->hide();
    m_close->hide();
}

void RecordDetails::showResponseOnceThere()
{
    m_awaitsResponse = true;
    refresh();
}

void RecordDetails::refresh()
{
    if (m_row < 0 || !m_session)
        return;
    const qsizetype partner = m_session->partnerOf(m_row);
    const bool wantsResponse = std::exchange(m_awaitsResponse, m_awaitsResponse && partner < 0) && partner >= 0;
    if (wantsResponse || (partner >= 0 && (m_request < 0 || m_response < 0)))
        showRow(m_row, wantsResponse);
    else if (!isRecordSegment(m_segments->current()))
        choose(m_segments->current());
}

void RecordDetails::choose(int segment)
{
    if (!m_session || m_row < 0)
        return;
    m_findings->clear();
    if (segment == FactsSegment) {
        showFacts();
    } else if (segment == HeadersSegment) {
        m_text->setText(headersText(*m_session, httpExchangeOf(*m_session, m_row)));
        m_pages->setCurrentWidget(m_text);
    } else if (segment == FindingsSegment) {
        showFindings();
    } else {
        showRecord(segment == ResponseSegment ? m_response : segment == RequestSegment ? m_request : m_row);
    }
}

void RecordDetails::showFacts()
{
    QList<std::pair<QString, QString>> place;
    if (m_calls && m_calls->session() == m_session && m_calls->operations()) {
        const Operations &operations = *m_calls->operations();
        const qsizetype operation = operations.operationOf(m_row);
        const qsizetype request = operation >= 0 ? operations.requestRow(operation) : -1;
        if (request >= 0 && request != m_row)
            place.append({tr("call"), callTitle(*m_session, request)});
        if (request != m_row)
            place.append({tr("link"), explain(operations.reason(m_row))});
    }
    m_text->setText(factsText(*m_session, m_row, place));
    m_pages->setCurrentWidget(m_text);
}

RecordDetails::Loaded RecordDetails::load(const QByteArray &bytes, bool isMessage)
{
    Loaded loaded;
    loaded.isText = isValidUtf8(bytes);
    loaded.shown = loaded.isText ? bytes : hexDump(bytes);
    const char first = bytes.trimmed().isEmpty() ? '\0' : bytes.trimmed().front();
    if (isMessage || first == '{' || first == '[')
        loaded.document = json::Document::parse(bytes);
    loaded.findings = findingsIn(loaded.document, isMessage ? bytes : QByteArray());
    return loaded;
}

void RecordDetails::showRecord(qsizetype row)
{
    ++m_generation;
    const bool isMessage = m_session->at(row).kind == WireEvent::Kind::Message;
    const bool isShared = row == m_response && m_request >= 0 && m_session->at(row).messageKind == Message::Kind::Batch;
    m_answered = isShared ? m_session->message(m_request).id() : RequestId();
    m_pages->setCurrentWidget(m_splitter);
    if (m_session->at(row).lineLength <= BackgroundBytes) {
        showLoaded(load(m_session->bytes(row), isMessage));
        return;
    }
    m_showsBytes = false;
    m_tree->setValue({});
    m_raw->setText(tr("Reading %1…").arg(sizeText(m_session->at(row).wireLength)).toUtf8());
    runInBackground<Loaded>(
        this, [read = m_session->bytesReader(row), isMessage] { return load(read(), isMessage); },
        [this, asked = m_generation](const Loaded &loaded) {
            if (asked == m_generation && m_session)
                showLoaded(loaded);
        });
}

void RecordDetails::showLoaded(const Loaded &loaded)
{
    const json::Value root = loaded.document.root();
    m_showsBytes = loaded.isText;
    m_tree->setVisible(root.exists());
    m_tree->setValue(root);
    const bool colored = loaded.isText && loaded.document.isValid();
    m_raw->setText(loaded.shown, colored ? TextView::Highlight::Json : TextView::Highlight::None);
    m_raw->setWordWrap(loaded.isText);
    for (const json::Value &element : m_answered.isMatchable() ? root : json::Value()) {
        if (RequestId::fromValue(element[u"id"]) == m_answered && !element[u"method"].exists())
            m_tree->selectAt(element.offset());
    }
    m_findings->clear();
    for (const QString &finding : loaded.findings)
        m_findings->add(finding);
}

// For request and response, with the recorded notes about them.
void RecordDetails::showFindings()
{
    ++m_generation;
    m_pages->setCurrentWidget(m_findingsPage);
    m_allFindings->clear();
    m_noFindings->setVisible(true);
    const auto add = [this](const QString &half, const QStringList &findings) {
        for (const QString &finding : findings)
            m_allFindings->add(half.isEmpty() ? finding : half + QStringLiteral(": ") + finding);
        m_noFindings->setVisible(m_allFindings->findings().isEmpty());
    };
    QList<std::pair<qsizetype, QString>> halves;
    if (m_request >= 0)
        halves.append({m_request, tr("request")});
    if (m_response >= 0)
        halves.append({m_response, tr("response")});
    if (halves.isEmpty())
        halves.append({m_row, QString()});
    for (const auto &[row, half] : std::as_const(halves)) {
        add(half, notesOn(*m_session, row));
        const bool isMessage = m_session->at(row).kind == WireEvent::Kind::Message;
        runInBackground<Loaded>(
            this, [read = m_session->bytesReader(row), isMessage] { return load(read(), isMessage); },
            [add, this, half = half, asked = m_generation](const Loaded &loaded) {
                if (asked == m_generation)
                    add(half, loaded.findings);
            });
    }
}

QByteArray RecordDetails::saveState() const
{
    return m_splitter->saveState();
}

void RecordDetails::restoreState(const QByteArray &state)
{
    m_splitter->restoreState(state);
}

}  // namespace sonde::ui
