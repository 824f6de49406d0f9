// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/details/rowcomparison.h"

#include "core/calls/recordedcalls.h"
#include "core/protocol/differencetext.h"
#include "core/protocol/visibletext.h"
#include "ui/diff/differencemodel.h"
#include "ui/diff/differencetable.h"
#include "ui/diff/sidebyside.h"
#include "ui/json/background.h"
#include "ui/theme/widgets.h"
#include "ui/timeline/details/recordwindow.h"

#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QKeyEvent>
#include <QSplitter>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

// The request and response of a row; the row itself if it is neither.
std::pair<qsizetype, qsizetype> halvesOf(const Session &session, qsizetype row)
{
    const RecordInfo &record = session.at(row);
    if (record.kind != WireEvent::Kind::Message || record.messageKind == Message::Kind::Batch)
        return {row, -1};
    const qsizetype partner = session.partnerOf(row);
    const bool isRequest = record.messageKind == Message::Kind::Request;
    return isRequest ? std::pair(row, partner) : std::pair(partner >= 0 ? partner : row, partner >= 0 ? row : -1);
}

// Of a batch, only the response to this request.
QByteArray responseBytes(const Session &session, qsizetype request, qsizetype response)
{
    const bool isShared = session.at(response).messageKind == Message::Kind::Batch;
    return isShared ? responseTo(session, request).raw() : session.bytes(response);
}

}  // namespace

RowComparison::RowComparison(const Session &session, qsizetype left, qsizetype right, QWidget *parent)
    : QWidget(parent, Qt::Dialog | Qt::WindowMinMaxButtonsHint | Qt::WindowCloseButtonHint),
      m_left(rowTitle(session, left)),
      m_right(rowTitle(session, right)),
      m_halves(new SegmentedControl),
      m_summary(new TextLabel),
      m_table(new DifferenceTable),
      m_sides(new SideBySide)
{
    layOut();
    const auto [leftRequest, leftResponse] = halvesOf(session, left);
    const auto [rightRequest, rightResponse] = halvesOf(session, right);
    const bool isWhole = leftResponse >= 0 && rightResponse >= 0;
    if (isWhole) {
        m_pairs.append(
            {responseBytes(session, leftRequest, leftResponse), responseBytes(session, rightRequest, rightResponse)});
        m_pairs.append({session.bytes(leftRequest), session.bytes(rightRequest)});
        m_halves->addSegment(tr("Response"));
        m_halves->addSegment(tr("Request"));
    } else {
        m_pairs.append({session.bytes(left), session.bytes(right)});
    }
    m_halves->setVisible(isWhole);
    connect(m_halves, &SegmentedControl::currentChanged, this, &RowComparison::compare);
    // Two requests are compared as requests.
    const bool asks = session.at(left).messageKind == Message::Kind::Request &&
                      session.at(right).messageKind == Message::Kind::Request;
    if (isWhole && asks)
        m_halves->setCurrent(1);
    else
        compare(0);
}

void RowComparison::layOut()
{
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(u"rowComparison"_s);
    setWindowTitle(tr("%1 and %2").arg(m_left, m_right));
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    resize(920, 640);
    m_halves->setObjectName(u"comparedHalves"_s);
    m_halves->setAccessibleName(tr("Compared part"));
    m_summary->setObjectName(u"comparisonSummary"_s);
    m_summary->setElided(true);
    m_summary->setMinimumWidth(40);
    m_table->setObjectName(u"differences"_s);
    m_table->differences()->setTitles(m_left, m_right);
    m_table->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    m_table->setMinimumHeight(4 * RowHeight);
    m_sides->setTitles(m_left, m_right);

    auto *head = new QHBoxLayout;
    head->setSpacing(Grid);
    head->addWidget(m_summary, 1);
    head->addWidget(m_halves);
    auto *splitter = new QSplitter(Qt::Vertical);
    splitter->setObjectName(u"comparisonSplitter"_s);
    splitter->setHandleWidth(Grid);
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(m_table);
    splitter->addWidget(m_sides);
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({170, 400});
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(Grid + 4, Grid, Grid + 4, Grid + 4);
    layout->setSpacing(Grid);
    layout->addLayout(head);
    layout->addWidget(splitter, 1);

    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex &now) { m_sides->showDifference(now.row()); });
    connect(m_sides, &SideBySide::differenceClicked, this,
            [this](qsizetype index) { m_table->setCurrentIndex(m_table->model()->index(int(index), 0)); });
}

RowComparison::Compared RowComparison::compared(const Pair &pair)
{
    Compared result{json::Document::parse(pair.left), json::Document::parse(pair.right), {}};
    if (result.left.isValid() && result.right.isValid())
        result.diff = json::diff(result.left.root(), result.right.root());
    return result;
}

void RowComparison::compare(int index)
{
    const Pair pair = m_pairs[index];
    m_comparing.reset();
    if (pair.left.size() + pair.right.size() <= BackgroundBytes) {
        showCompared(compared(pair));
        return;
    }
    m_summary->setText(tr("Comparing…"));
    m_comparing = std::make_unique<QObject>();
    runInBackground<Compared>(
        m_comparing.get(), [pair] { return compared(pair); }, [this](const Compared &result) { showCompared(result); });
}

void RowComparison::showCompared(const Compared &result)
{
    const QList<json::Difference> &differences = result.diff.differences;
    m_table->differences()->setDifferences(differences);
    m_table->setVisible(!differences.isEmpty());
    m_sides->setSides(result.left, result.right, differences);
    QString text;
    if (!result.left.isValid() || !result.right.isValid())
        text = tr("Not compared: both sides must be JSON.");
    else if (differences.isEmpty())
        text = result.left.text() == result.right.text() ? tr("Identical bytes")
                                                         : tr("Identical except for whitespace or key order");
    else
        text = countText(differences, result.diff.isCut);
    m_summary->setText(text);
}

void RowComparison::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape)
        close();
    else
        QWidget::keyPressEvent(event);
}

}  // namespace sonde::ui
