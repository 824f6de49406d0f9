// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/recorddetails.h"

#include "ui/json/background.h"
#include "ui/json/bytestext.h"
#include "ui/json/jsontreeview.h"
#include "ui/json/textview.h"
#include "ui/result/findingslist.h"
#include "ui/result/outcometext.h"
#include "ui/theme/widgets.h"
#include "ui/timeline/timelinetext.h"

#include <QHBoxLayout>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace sonde::ui {

namespace {

enum Segment { AnswerSegment, RequestSegment, RecordSegment, FactsSegment };

bool isOurs(const RecordInfo &record)
{
    return record.kind == WireEvent::Kind::Message && record.direction == Direction::ToServer;
}

}  // namespace

RecordDetails::RecordDetails(QWidget *parent)
    : QWidget(parent),
      m_segments(new SegmentedControl(this)),
      m_send(new QToolButton(this)),
      m_edit(new QToolButton(this)),
      m_findings(new FindingsList(this)),
      m_pages(new QStackedWidget(this)),
      m_empty(new EmptyState(tr("No record selected"), tr("Select a row to see it as a tree and as its exact bytes."))),
      m_splitter(new QSplitter(Qt::Vertical)),
      m_tree(new JsonTreeView),
      m_raw(new TextView),
      m_facts(new TextView)
{
    layOut();
    connect(m_segments, &SegmentedControl::currentChanged, this, [this](int segment) {
        if (!m_choosing)
            choose(segment);
    });
    connect(m_tree, &JsonTreeView::currentValueChanged, this, [this](const json::Value &value) {
        m_raw->setMarkedRange(value.offset(), value.exists() ? value.slice().size() : 0);
    });
    connect(m_send, &QToolButton::clicked, this, [this] { Q_EMIT sendRequested(m_session->bytes(sendableRow())); });
    connect(m_edit, &QToolButton::clicked, this,
            [this] { Q_EMIT editAndSendRequested(m_session->bytes(sendableRow())); });
    clear();
}

void RecordDetails::layOut()
{
    setObjectName(QStringLiteral("recordDetails"));
    setAccessibleName(tr("Details of the selected record"));
    m_segments->setObjectName(QStringLiteral("detailSegments"));
    m_segments->setAccessibleName(tr("What is shown of the record"));
    m_segments->addSegment(tr("Response"));
    m_segments->addSegment(tr("Request"));
    m_segments->addSegment(tr("Record"));
    m_segments->addSegment(tr("Facts"), tr("Times, sizes, headers and findings"));
    m_send->setObjectName(QStringLiteral("sendAgain"));
    m_send->setText(tr("Resend"));
    m_send->setAccessibleName(tr("Send again"));
    m_send->setToolTip(tr("Send this message again, as it is"));
    m_edit->setObjectName(QStringLiteral("editAndSend"));
    m_edit->setText(tr("Edit…"));
    m_edit->setAccessibleName(tr("Edit and send…"));
    m_edit->setToolTip(tr("Edit this message, then send it"));
    m_tree->setObjectName(QStringLiteral("recordTree"));
    m_tree->setAccessibleName(tr("The record as a tree"));
    m_raw->setObjectName(QStringLiteral("recordBytes"));
    m_raw->setAccessibleName(tr("The exact bytes of the record"));
    m_facts->setObjectName(QStringLiteral("recordFacts"));
    m_facts->setAccessibleName(tr("What is known about the record"));

    m_splitter->setObjectName(QStringLiteral("recordSplitter"));
    m_splitter->setChildrenCollapsible(true);
    m_splitter->setHandleWidth(Grid - 1);
    m_splitter->addWidget(m_tree);
    m_splitter->addWidget(m_raw);
    m_splitter->setStretchFactor(0, 3);
    m_splitter->setStretchFactor(1, 2);
    m_splitter->setSizes({300, 200});
    for (QWidget *page : std::initializer_list<QWidget *>{m_empty, m_splitter, m_facts})
        m_pages->addWidget(page);

    auto *row = new QHBoxLayout;
    row->setSpacing(Grid / 2);
    row->addWidget(m_segments);
    row->addStretch(1);
    row->addWidget(m_send);
    row->addWidget(m_edit);
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
    }
    m_canSend = canSend;
    const bool sendable = canSend && sendableRow() >= 0;
    m_send->setEnabled(sendable);
    m_edit->setEnabled(sendable);
}

void RecordDetails::clear()
{
    ++m_generation;
    m_row = m_request = m_answer = -1;
    m_tree->setValue({});
    m_raw->setText({});
    m_facts->setText({});
    m_findings->clear();
    m_segments->hide();
    m_send->hide();
    m_edit->hide();
    m_pages->setCurrentWidget(m_empty);
}

qsizetype RecordDetails::sendableRow() const
{
    if (!m_session || m_row < 0)
        return -1;
    if (isOurs(m_session->at(m_row)))
        return m_row;
    return m_request >= 0 && isOurs(m_session->at(m_request)) ? m_request : -1;
}

void RecordDetails::showRow(qsizetype row, bool preferAnswer)
{
    if (!m_session || row < 0 || row >= m_session->size()) {
        clear();
        return;
    }
    const RecordInfo &record = m_session->at(row);
    const bool isMessage = record.kind == WireEvent::Kind::Message;
    const bool isRequest = isMessage && record.messageKind == Message::Kind::Request;
    const bool isAnswer =
        isMessage && (record.messageKind == Message::Kind::Result || record.messageKind == Message::Kind::Error);
    m_row = row;
    m_request = isRequest ? row : isAnswer ? m_session->partnerOf(row) : -1;
    m_answer = isAnswer ? row : isRequest ? m_session->partnerOf(row) : -1;

    const bool hasBytes = record.wireLength > 0;
    int segment = m_segments->current();
    m_choosing = true;
    m_segments->show();
    m_segments->setSegmentVisible(AnswerSegment, m_answer >= 0);
    m_segments->setSegmentVisible(RequestSegment, m_request >= 0);
    m_segments->setSegmentVisible(RecordSegment, !isRequest && !isAnswer && hasBytes);
    if (segment != FactsSegment || m_pages->currentWidget() == m_empty) {
        segment = isAnswer || (isRequest && preferAnswer && m_answer >= 0) ? AnswerSegment
                  : isRequest                                              ? RequestSegment
                  : hasBytes                                               ? RecordSegment
                                                                           : FactsSegment;
    }
    m_segments->setCurrent(segment);
    m_choosing = false;
    const bool sendable = sendableRow() >= 0;
    m_send->setVisible(sendable);
    m_edit->setVisible(sendable);
    m_send->setEnabled(m_canSend);
    m_edit->setEnabled(m_canSend);
    choose(segment);
}

void RecordDetails::refresh()
{
    if (m_row < 0 || !m_session)
        return;
    const qsizetype partner = m_session->partnerOf(m_row);
    if (partner >= 0 && (m_request < 0 || m_answer < 0))
        showRow(m_row, false);
    else if (m_segments->current() == FactsSegment)
        m_facts->setText(factsText(*m_session, m_row));
}

void RecordDetails::choose(int segment)
{
    if (!m_session || m_row < 0)
        return;
    if (segment == FactsSegment) {
        m_facts->setText(factsText(*m_session, m_row));
        m_findings->clear();
        m_pages->setCurrentWidget(m_facts);
        return;
    }
    showRecord(segment == AnswerSegment ? m_answer : segment == RequestSegment ? m_request : m_row);
}

RecordDetails::Loaded RecordDetails::load(const QByteArray &bytes, bool isJson)
{
    Loaded loaded;
    loaded.isText = isValidUtf8(bytes);
    loaded.shown = loaded.isText ? bytes : hexDump(bytes);
    if (isJson)
        loaded.document = json::Document::parse(bytes);
    return loaded;
}

void RecordDetails::showRecord(qsizetype row)
{
    ++m_generation;
    const RecordInfo &record = m_session->at(row);
    const QByteArray bytes = m_session->bytes(row);
    const char first = bytes.trimmed().isEmpty() ? '\0' : bytes.trimmed().front();
    const bool isJson = record.kind == WireEvent::Kind::Message || first == '{' || first == '[';
    if (bytes.size() <= BackgroundBytes) {
        show(load(bytes, isJson), row);
        return;
    }
    m_tree->setValue({});
    m_raw->setText(tr("Reading %1…").arg(sizeText(bytes.size())).toUtf8());
    m_findings->clear();
    m_pages->setCurrentWidget(m_splitter);
    runInBackground<Loaded>(
        this, [bytes, isJson] { return load(bytes, isJson); },
        [this, row, asked = m_generation](const Loaded &loaded) {
            if (asked == m_generation && m_session)
                show(loaded, row);
        });
}

void RecordDetails::show(const Loaded &loaded, qsizetype row)
{
    const json::Value root = loaded.document.root();
    m_tree->setVisible(root.exists());
    m_tree->setValue(root);
    const bool colored = loaded.isText && loaded.document.isValid();
    m_raw->setText(loaded.shown, colored ? TextView::Highlight::Json : TextView::Highlight::None);
    m_raw->setWordWrap(loaded.isText);

    m_findings->clear();
    const RecordInfo &record = m_session->at(row);
    for (const json::Finding &finding : loaded.document.findings())
        m_findings->add(tr("byte %1: %2").arg(finding.offset).arg(finding.reason));
    if (record.hasProblems && record.kind == WireEvent::Kind::Message && loaded.shown.size() <= BackgroundBytes) {
        const QStringList problems = m_session->message(row).problems();
        for (const QString &problem : problems)
            m_findings->add(problem);
    }
    m_pages->setCurrentWidget(m_splitter);
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
