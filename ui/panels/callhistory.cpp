// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/callhistory.h"

#include "core/protocol/visibletext.h"
#include "ui/result/outcometext.h"
#include "ui/theme/widgets.h"

#include <QPainter>
#include <QStyledItemDelegate>

namespace sonde::ui {

namespace {

constexpr int MaxCalls = 100;
constexpr qint64 MaxKeptBytes = qint64(64) * 1024 * 1024;  // of responses

class PastCallDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const override { return {200, RowHeight}; }

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const auto *model = static_cast<const CallHistoryModel *>(index.model());
        const Outcome &outcome = model->at(index.row()).outcome;
        const Colors &c = colors();
        painter->save();
        fillRow(painter, option);
        const QRect room = option.rect.adjusted(Grid / 2, 0, -Grid, 0);
        Badge::paint(painter, QRect(room.left(), room.top(), 26, room.height()), sign(toneOf(outcome.kind)),
                     toneOf(outcome.kind));
        painter->setFont(smallFont());
        painter->setPen(c.dim);
        const QFontMetrics small(smallFont());
        const QString time = outcome.startedAt.toLocalTime().toString(QStringLiteral("HH:mm:ss"));
        const int timeWidth = small.horizontalAdvance(time) + Grid;
        painter->drawText(room, Qt::AlignRight | Qt::AlignVCenter, time);
        const QRect duration = room.adjusted(0, 0, -timeWidth - Grid, 0);
        painter->drawText(duration, Qt::AlignRight | Qt::AlignVCenter, durationText(outcome.durationNs));
        const int right = duration.right() - small.horizontalAdvance(QStringLiteral("000.0 ms")) - Grid;
        const QRect text(room.left() + 34, room.top(), right - room.left() - 34, room.height());
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
        endRemoveRows();
    }
    beginInsertRows({}, 0, 0);
    m_calls.prepend(call);
    endInsertRows();
}

// "limit=10 database=production", elided if long; values as sent.
QString CallHistoryModel::summaryOf(const QByteArray &arguments) const
{
    const json::Document document = json::Document::parse(arguments);
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
    return text.isEmpty() ? m_noArguments : visibleLine(text, 240);
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
        return summaryOf(call.arguments);
    if (role == Qt::AccessibleTextRole)
        return tr("%1, %2").arg(badgeText(call.outcome), summaryOf(call.arguments));
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
}

QSize CallHistoryView::minimumSizeHint() const
{
    return {100, RowHeight + 2};
}

QSize CallHistoryView::sizeHint() const
{
    return {200, qBound(1, model()->rowCount(), 5) * RowHeight + 2};
}

}  // namespace sonde::ui
