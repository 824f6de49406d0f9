// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/callhistory.h"

#include "core/json/builder.h"
#include "core/protocol/visibletext.h"
#include "ui/result/outcometext.h"
#include "ui/theme/widgets.h"

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QStyledItemDelegate>

namespace sonde::ui {

namespace {

constexpr int MaxCalls = 100;
constexpr int MinShownCalls = 3;  // unless the maximum height is lower
constexpr int CompareWidth = 22;
constexpr qint64 MaxKeptBytes = qint64(64) * 1024 * 1024;  // of responses

QRect compareRect(const QRect &row)
{
    return {row.right() - CompareWidth - Grid / 4, row.top(), CompareWidth, row.height()};
}

constexpr int BadgeWidth = 34;
constexpr int LeastArguments = 12;  // characters

class PastCallDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const override { return {200, rowHeight()}; }

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const auto *model = static_cast<const CallHistoryModel *>(index.model());
        const Outcome &outcome = model->at(index.row()).outcome;
        const Colors &c = colors();
        painter->save();
        fillRow(painter, option);
        const auto *view = static_cast<const CallHistoryView *>(option.widget);
        const QRect room = option.rect.adjusted(Grid / 2, 0, -CompareWidth - Grid / 2, 0);
        if (view->currentIndex().isValid() && index.row() != view->currentIndex().row())
            icon(QStringLiteral("compare")).paint(painter, compareRect(option.rect).adjusted(4, 4, -4, -4));
        Badge::paint(painter, QRect(room.left(), room.top(), 26, room.height()), sign(toneOf(outcome.kind)),
                     toneOf(outcome.kind));
        painter->setFont(smallFont());
        painter->setPen(c.dim);
        const QFontMetrics small(smallFont());
        const QString time = outcome.startedAt.toLocalTime().toString(QStringLiteral("HH:mm:ss"));
        const int timeWidth = small.horizontalAdvance(time) + Grid;
        const int durationWidth = small.horizontalAdvance(QStringLiteral("000.0 ms")) + Grid;
        // What tells the calls apart comes first.
        QRect text = room.adjusted(BadgeWidth, 0, 0, 0);
        const int least = QFontMetrics(monoFont()).averageCharWidth() * LeastArguments;
        if (text.width() - timeWidth >= least) {
            painter->drawText(text, Qt::AlignRight | Qt::AlignVCenter, time);
            text.setRight(text.right() - timeWidth - Grid);
        }
        if (text.width() - durationWidth >= least) {
            painter->drawText(text, Qt::AlignRight | Qt::AlignVCenter, durationText(outcome.durationNs));
            text.setRight(text.right() - durationWidth);
        }
        painter->setFont(monoFont());
        painter->setPen(c.text);
        painter->drawText(
            text, Qt::AlignLeft | Qt::AlignVCenter,
            QFontMetrics(monoFont()).elidedText(index.data(Qt::DisplayRole).toString(), Qt::ElideRight, text.width()));
        painter->restore();
    }
};

}  // namespace

void CallHistoryModel::add(const PastCall &call)
{
    qint64 bytes = call.outcome.bytes;
    int kept = 0;
    while (kept < qMin(int(m_calls.size()), MaxCalls - 1)) {
        bytes += m_calls[kept].outcome.bytes;
        // The one before it can always be compared with.
        if (bytes > MaxKeptBytes && kept > 0)
            break;
        ++kept;
    }
    if (kept < m_calls.size()) {
        beginRemoveRows({}, kept, int(m_calls.size()) - 1);
        m_calls.resize(kept);
        m_summaries.resize(kept);
        endRemoveRows();
    }
    beginInsertRows({}, 0, 0);
    m_calls.prepend(call);
    m_summaries.prepend(summaryOf(0));
    endInsertRows();
}

QByteArray CallHistoryModel::shownArguments(int row) const
{
    const QByteArray &arguments = m_calls[row].arguments;
    if (!m_findSecrets)
        return arguments;
    QByteArray shown;
    qsizetype at = 0;
    const QList<json::Value> secrets = m_findSecrets(json::parse(arguments));
    for (const json::Value &secret : secrets) {
        shown += arguments.sliced(at, secret.offset() - at) + json::quoted(QStringLiteral("•••"));
        at = secret.offset() + secret.slice().size();
    }
    return secrets.isEmpty() ? arguments : shown + arguments.sliced(at);
}

// "limit=10 database=production", elided if long; values as sent.
QString CallHistoryModel::summaryOf(int row) const
{
    const json::Document document = json::Document::parse(shownArguments(row));
    QString text;
    for (const json::Value &member : document.root()) {
        if (text.size() > 200)
            break;
        if (!text.isEmpty())
            text += u' ';
        const QByteArrayView slice = member.slice();
        const QString shown = member.isString() && slice.size() < 200
                                  ? member.string()
                                  : QString::fromUtf8(slice.first(qMin<qsizetype>(slice.size(), 80)));
        text += member.key() + u'=' + shown;
    }
    return visibleLine(text, 240);
}

QString CallHistoryModel::summaryText(int row) const
{
    return m_summaries[row].isEmpty() ? m_noArguments : m_summaries[row];
}

int CallHistoryModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_calls.size());
}

QVariant CallHistoryModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())  // as when Ctrl+C is pressed without a current row
        return {};
    const PastCall &call = m_calls[index.row()];
    if (role == Qt::DisplayRole)
        return summaryText(index.row());
    if (role == Qt::AccessibleTextRole)
        return tr("%1, %2").arg(badgeText(call.outcome), summaryText(index.row()));
    return {};
}

CallHistoryView::CallHistoryView(CallHistoryModel *model, QWidget *parent) : RowListView(parent)
{
    setObjectName(QStringLiteral("previousCalls"));
    setAccessibleName(tr("Previous calls"));
    setModel(model);
    setItemDelegate(new PastCallDelegate(this));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Maximum);
    connect(model, &QAbstractItemModel::rowsInserted, this, [this] { updateGeometry(); });
    connect(this, &QListView::clicked, this, [this](const QModelIndex &index) { Q_EMIT chosen(index.row()); });
    connect(selectionModel(), &QItemSelectionModel::currentChanged, viewport(), qOverload<>(&QWidget::update));
}

QModelIndex CallHistoryView::comparableAt(const QPoint &place) const
{
    const QModelIndex index = indexAt(place);
    const bool isOther = index.isValid() && currentIndex().isValid() && index.row() != currentIndex().row();
    return isOther && compareRect(visualRect(index)).contains(place) ? index : QModelIndex();
}

void CallHistoryView::keyPressEvent(QKeyEvent *event)
{
    const QPersistentModelIndex before = currentIndex();
    RowListView::keyPressEvent(event);
    if (currentIndex().isValid() && currentIndex() != before)
        Q_EMIT chosen(currentIndex().row());
}

// A click on the button, or for the menu, leaves the current row what it is.
void CallHistoryView::mousePressEvent(QMouseEvent *event)
{
    m_pressed = event->button() == Qt::LeftButton ? comparableAt(event->position().toPoint()) : QModelIndex();
    if (!m_pressed.isValid() && event->button() == Qt::LeftButton)
        RowListView::mousePressEvent(event);
}

void CallHistoryView::mouseReleaseEvent(QMouseEvent *event)
{
    if (!m_pressed.isValid()) {
        RowListView::mouseReleaseEvent(event);
        return;
    }
    const QModelIndex released = comparableAt(event->position().toPoint());
    const bool isSame = released.isValid() && released == m_pressed;
    m_pressed = QModelIndex();
    if (isSame)
        Q_EMIT compareRequested(released.row());
}

void CallHistoryView::contextMenuEvent(QContextMenuEvent *event)
{
    const QModelIndex index = event->reason() == QContextMenuEvent::Keyboard ? currentIndex() : indexAt(event->pos());
    if (!index.isValid())
        return;
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(QStringLiteral("previousCallMenu"));
    const int row = index.row();
    // By keyboard the row is the current one, to be compared with the call before it.
    const int other = row != currentIndex().row() ? row : row + 1;
    QAction *compare =
        menu->addAction(other == row ? tr("Compare with the shown response") : tr("Compare with the call before it"),
                        this, [this, other] { Q_EMIT compareRequested(other); });
    compare->setEnabled(currentIndex().isValid() && other < model()->rowCount());
    menu->addAction(tr("Restore arguments"), this, [this, row] { Q_EMIT activated(model()->index(row, 0)); });
    if (m_offersSaving)
        menu->addAction(tr("Save as saved call…"), this, [this, row] { Q_EMIT saveRequested(row); });
    menu->popup(event->globalPos());
}

bool CallHistoryView::viewportEvent(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        const QPoint place = static_cast<QHelpEvent *>(event)->pos();
        viewport()->setToolTip(comparableAt(place).isValid() ? tr("Compare with the shown response") : QString());
    }
    return RowListView::viewportEvent(event);
}

QSize CallHistoryView::minimumSizeHint() const
{
    return {100, qBound(1, model()->rowCount(), MinShownCalls) * rowHeight() + 2};
}

QSize CallHistoryView::sizeHint() const
{
    return {200, qBound(1, model()->rowCount(), 5) * rowHeight() + 2};
}

}  // namespace sonde::ui
