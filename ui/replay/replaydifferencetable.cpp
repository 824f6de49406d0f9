// SPDX-License-Identifier: Apache-2.0
#include "ui/replay/replaydifferencetable.h"

#include "core/protocol/visibletext.h"
#include "ui/theme/roundedframe.h"
#include "ui/theme/widgets.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QFontMetrics>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QRegularExpression>
#include <QStyledItemDelegate>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr int CellPadding = Grid - 2;
constexpr int MaxShownRows = 14;  // then it scrolls within itself
constexpr int NarrowWidth = 440;
constexpr int ValueHeight = RowHeight - 3;  // of a row with the place above

class DifferenceDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        painter->save();
        const bool isIgnored = index.data(ReplayDifferenceModel::IgnoredRole).toBool();
        const auto column = ReplayDifferenceModel::Column(index.column());
        const bool isSelected = option.state.testFlag(QStyle::State_Selected);
        QRect cell = option.rect;
        if (isSelected)
            painter->fillRect(cell, colors().selection);
        if (cell.height() > RowHeight && column == ReplayDifferenceModel::Column::Note)
            cell.adjust(0, (cell.height() - RowHeight) / 2, 0, -(cell.height() - RowHeight) / 2);
        else if (cell.height() > RowHeight)
            cell.setTop(cell.bottom() - ValueHeight + 1);
        if (!isSelected && !isIgnored && column == ReplayDifferenceModel::Column::Left)
            painter->fillRect(cell, softColor(Tone::ProtocolError));
        else if (!isSelected && !isIgnored && column == ReplayDifferenceModel::Column::Right)
            painter->fillRect(cell, softColor(Tone::Ok));
        QRect room = cell.adjusted(CellPadding, 0, -CellPadding, 0);
        const bool isDim = isIgnored || index.data(ReplayDifferenceModel::AbsentRole).toBool();
        if (column == ReplayDifferenceModel::Column::Note && !isIgnored) {
            paintButton(painter, room, index.data().toString(), option.state.testFlag(QStyle::State_MouseOver));
        } else {
            QString note = index.data(ReplayDifferenceModel::BadgeRole).toString();
            if (!note.isEmpty()) {
                note.prepend(sign(Tone::Finding) + u' ');
                // A long value and a long note get half of the room each.
                const int value = QFontMetrics(monoFont()).horizontalAdvance(index.data().toString()) + Grid / 2;
                const int width = qMin(Badge::widthFor(note), room.width() - qMin(value, room.width() / 2));
                Badge::paint(painter, QRect(room.right() - width + 1, room.top(), width, room.height()), note,
                             Tone::Finding);
                room.setRight(room.right() - width - Grid / 2);
            }
            const QFont font = column == ReplayDifferenceModel::Column::Note ? smallFont() : monoFont();
            painter->setFont(font);
            painter->setPen(isDim ? colors().dim : colors().text);
            painter->drawText(room, int(Qt::AlignLeft | Qt::AlignVCenter) | Qt::TextSingleLine,
                              QFontMetrics(font).elidedText(index.data().toString(), elision(column), room.width()));
        }
        painter->restore();
    }

private:
    // The end of a long place is more useful than its beginning.
    static Qt::TextElideMode elision(ReplayDifferenceModel::Column column)
    {
        return column == ReplayDifferenceModel::Column::Where ? Qt::ElideLeft : Qt::ElideRight;
    }

    static void paintButton(QPainter *painter, const QRect &room, const QString &text, bool isHot)
    {
        const QFontMetrics metrics(smallFont());
        const int width = qMin(room.width(), metrics.horizontalAdvance(text) + 2 * Grid);
        const QRect box(room.left(), room.top() + 2, width, room.height() - 4);
        paintRoundedFrame(painter, box, isHot ? colors().accent : colors().line, colors().panel);
        painter->setFont(smallFont());
        painter->setPen(colors().text);
        painter->drawText(box, Qt::AlignCenter, metrics.elidedText(text, Qt::ElideRight, width - Grid));
    }
};

bool holds(const ReplayRule &rule, const json::Difference &difference, const QString &method, const QString &target)
{
    ReplayRules rules;
    return !rules.add(rule) && rules.ignores(difference, method, target);
}

// The pointer with indexes replaced by *, so that it applies to every element of the lists.
QString withoutIndexes(const QString &pointer)
{
    static const QRegularExpression index(u"/\\d+(?=/|#|$)"_s);
    return QString(pointer).replace(index, u"/*"_s);
}

}  // namespace

ReplayDifferenceTable::ReplayDifferenceTable(QWidget *parent)
    : RowTable(RowHeight, parent), m_model(new ReplayDifferenceModel(this))
{
    setObjectName(u"replayDifferences"_s);
    setAccessibleName(tr("Differences"));
    setModel(m_model);
    setItemDelegate(new DifferenceDelegate(this));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    horizontalHeader()->setMinimumSectionSize(0);
    horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    horizontalHeader()->setFont(smallFont());
    connect(this, &QTableView::clicked, this, [this](const QModelIndex &index) {
        if (ReplayDifferenceModel::Column(index.column()) == ReplayDifferenceModel::Column::Note)
            showMenu(index.row(), viewport()->mapToGlobal(visualRect(index).bottomLeft()));
    });
}

void ReplayDifferenceTable::setDifferences(const ReplayDifferences &differences, const QString &method,
                                           const QString &target)
{
    const int row = currentIndex().row();
    m_method = method;
    m_target = target;
    m_model->setRows(differences.rows);
    m_hasRules = differences.sideRows.size() < differences.rows.size();
    layOutColumns();
    updateGeometry();
    // Rules are often added one after the other: select the next row.
    if (row >= 0 && row < m_model->rowCount() && hasFocus())
        setCurrentIndex(m_model->index(row, 0));
}

QSize ReplayDifferenceTable::sizeHint() const
{
    const int rows = qBound(1, m_model->rowCount(), MaxShownRows);
    return {400, horizontalHeader()->sizeHint().height() + rows * verticalHeader()->defaultSectionSize() + 2};
}

void ReplayDifferenceTable::resizeEvent(QResizeEvent *event)
{
    layOutColumns();
    RowTable::resizeEvent(event);
}

// If there is no room for three columns, the place is above its values.
void ReplayDifferenceTable::layOutColumns()
{
    const QFontMetrics metrics(smallFont());
    const int rule = metrics.horizontalAdvance(u"rule: timestamps"_s);
    const int button = metrics.horizontalAdvance(u"Ignore ▾"_s) + 2 * Grid;
    const int noteWidth = (m_hasRules ? qMax(rule, button) : button) + 2 * CellPadding;
    const int room = viewport()->width() - noteWidth;
    m_isNarrow = viewport()->width() < NarrowWidth;
    const int where = m_isNarrow ? 0 : room * 40 / 100;
    const int recorded = m_isNarrow ? room / 2 : (room - where) * 47 / 100;
    setColumnWidth(int(ReplayDifferenceModel::Column::Where), where);
    setColumnWidth(int(ReplayDifferenceModel::Column::Left), recorded);
    setColumnWidth(int(ReplayDifferenceModel::Column::Right), room - where - recorded);
    setColumnWidth(int(ReplayDifferenceModel::Column::Note), noteWidth);
    const int height = m_isNarrow ? 2 * RowHeight - CellPadding : RowHeight;
    if (verticalHeader()->defaultSectionSize() == height)
        return;
    verticalHeader()->setDefaultSectionSize(height);
    updateGeometry();
}

void ReplayDifferenceTable::paintEvent(QPaintEvent *event)
{
    RowTable::paintEvent(event);
    if (!m_isNarrow)
        return;
    QPainter painter(viewport());
    painter.setFont(monoFont());
    const QFontMetrics metrics(monoFont());
    for (int row = qMax(0, rowAt(0)); row < m_model->rowCount(); ++row) {
        const QRect left = visualRect(m_model->index(row, int(ReplayDifferenceModel::Column::Left)));
        if (left.top() > viewport()->height())
            break;
        const QModelIndex where = m_model->index(row, int(ReplayDifferenceModel::Column::Where));
        const int right = columnViewportPosition(int(ReplayDifferenceModel::Column::Note));
        const QRect room(left.left() + CellPadding, left.top(), right - left.left() - 2 * CellPadding,
                         left.height() - ValueHeight);
        painter.setPen(where.data(ReplayDifferenceModel::IgnoredRole).toBool() ? colors().dim : colors().text);
        painter.drawText(room, int(Qt::AlignLeft | Qt::AlignVCenter) | Qt::TextSingleLine,
                         metrics.elidedText(where.data().toString(), Qt::ElideLeft, room.width()));
    }
}

void ReplayDifferenceTable::keyPressEvent(QKeyEvent *event)
{
    const int key = event->key();
    if ((key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Space) && currentIndex().isValid()) {
        const QRect place = visualRect(currentIndex().siblingAtColumn(int(ReplayDifferenceModel::Column::Note)));
        showMenu(currentIndex().row(), viewport()->mapToGlobal(place.bottomLeft()));
        return;
    }
    RowTable::keyPressEvent(event);
}

void ReplayDifferenceTable::contextMenuEvent(QContextMenuEvent *event)
{
    const QModelIndex index = event->reason() == QContextMenuEvent::Mouse ? indexAt(event->pos()) : currentIndex();
    if (index.isValid())
        showMenu(index.row(), event->globalPos());
}

void ReplayDifferenceTable::showMenu(int row, const QPoint &place)
{
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(u"ignoreMenu"_s);
    setCurrentIndex(m_model->index(row, 0));
    const ReplayDifference shown = m_model->row(row);
    if (shown.isIgnored)
        menu->addAction(tr("Ignored: %1").arg(visibleLine(shown.wholeRule, 80)))->setEnabled(false);
    else
        fillMenu(menu, shown.difference);
    menu->addSeparator();
    const auto copy = [menu, this](const QString &text, const QString &what) {
        menu->addAction(text, this, [what] { QGuiApplication::clipboard()->setText(what); });
    };
    copy(tr("Copy path"), shown.difference.pointer);
    if (shown.difference.left.exists())
        copy(tr("Copy value before"), QString::fromUtf8(shown.difference.left.bytes()));
    if (shown.difference.right.exists())
        copy(tr("Copy value after"), QString::fromUtf8(shown.difference.right.bytes()));
    menu->popup(place);
}

void ReplayDifferenceTable::fillMenu(QMenu *menu, const json::Difference &difference)
{
    const auto offer = [&](const QString &text, ReplayRule::Kind kind, const QString &pointer, bool everywhere) {
        ReplayRule rule;
        rule.kind = kind;
        rule.pointer = pointer;
        if (!everywhere) {
            rule.method = m_method;
            rule.target = m_target;
        }
        QAction *action = menu->addAction(text, this, [this, rule] { Q_EMIT ruleRequested(rule); });
        action->setEnabled(holds(rule, difference, m_method, m_target));
    };
    const QString name = visibleLine(m_target.isEmpty() ? m_method : m_target, 40).replace(u'&', u"&&"_s);
    const QString pointer = difference.pointer.isEmpty() ? u"/**"_s : difference.pointer;
    const QString everyElement = withoutIndexes(pointer);
    offer(tr("This path in responses of %1").arg(name), ReplayRule::Kind::Anything, pointer, false);
    if (everyElement != pointer)
        offer(tr("This path in all items, in responses of %1").arg(name), ReplayRule::Kind::Anything, everyElement,
              false);
    offer(tr("This path in every response"), ReplayRule::Kind::Anything, pointer, true);
    menu->addSeparator();
    offer(tr("Timestamps here"), ReplayRule::Kind::Timestamp, pointer, false);
    offer(tr("Timestamps everywhere"), ReplayRule::Kind::Timestamp, {}, true);
    offer(tr("UUIDs here"), ReplayRule::Kind::Uuid, pointer, false);
    offer(tr("UUIDs everywhere"), ReplayRule::Kind::Uuid, {}, true);
    menu->addAction(tr("Text matching…"), this, [this, pointer] {
        ReplayRule rule;
        rule.kind = ReplayRule::Kind::Regex;
        rule.pointer = pointer;
        rule.method = m_method;
        rule.target = m_target;
        Q_EMIT ruleDrafted(rule);
    });
}

}  // namespace sonde::ui
