// SPDX-License-Identifier: Apache-2.0
#include "ui/diff/differencetable.h"

#include "ui/diff/differencemodel.h"
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
#include <QStyledItemDelegate>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

using DifferenceColumn = DifferenceModel::Column;

constexpr int DifferencePadding = Grid - 2;
constexpr int MaxDifferenceRows = 14;  // then it scrolls within itself
constexpr int NarrowWidth = 440;
constexpr qsizetype ShownBesideCommon = 2;  // characters of a value before and after its first difference
constexpr int MaxNoteWidth = 20 * Grid;
constexpr int MinWhereWidth = 10 * Grid;
constexpr int MaxWhereWidth = 100 * Grid;  // more is in no window

// Of a row with the place above.
int valueHeight()
{
    return rowHeight() - 3;
}

class DifferenceDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const auto &model = static_cast<const DifferenceModel &>(*index.model());
        const json::Difference &difference = model.at(index.row()).difference;
        const bool isIgnored = model.isIgnored(index.row());
        const auto column = DifferenceColumn(index.column());
        const bool isSide = column == DifferenceColumn::Left || column == DifferenceColumn::Right;
        painter->save();
        QRect cell = option.rect;
        if (option.state.testFlag(QStyle::State_Selected))
            painter->fillRect(cell, colors().selection);
        if (cell.height() > rowHeight() && column == DifferenceColumn::Note)
            cell.adjust(0, (cell.height() - rowHeight()) / 2, 0, -(cell.height() - rowHeight()) / 2);
        else if (cell.height() > rowHeight())
            cell.setTop(cell.bottom() - valueHeight() + 1);
        if (isSide && !isIgnored && !option.state.testFlag(QStyle::State_Selected))
            painter->fillRect(cell, softColor(toneOf(difference, column)));
        QRect room = cell.adjusted(DifferencePadding, 0, -DifferencePadding, 0);
        if (column == DifferenceColumn::Note && !isIgnored && model.hasAction()) {
            paintButton(painter, room, index.data().toString(), option.state.testFlag(QStyle::State_MouseOver));
        } else {
            if (column == DifferenceColumn::Right)
                room.setRight(room.right() - paintBadge(painter, room, index, model.badge(index.row())));
            const bool isAbsent =
                isSide && !(column == DifferenceColumn::Left ? difference.left : difference.right).exists();
            const QFont font = column == DifferenceColumn::Note ? smallFont() : monoFont();
            painter->setFont(font);
            painter->setPen(isIgnored || isAbsent || column == DifferenceColumn::Note ? colors().dim : colors().text);
            const QFontMetrics metrics(font);
            const QString text = isSide ? fromTheDifference(index, metrics, room.width()) : index.data().toString();
            painter->drawText(room, int(Qt::AlignLeft | Qt::AlignVCenter) | Qt::TextSingleLine,
                              metrics.elidedText(text, elision(column), room.width()));
        }
        painter->restore();
    }

private:
    static Tone toneOf(const json::Difference &difference, DifferenceColumn side)
    {
        if (difference.kind == json::Difference::Kind::TextOnly)
            return Tone::Finding;
        return side == DifferenceColumn::Left ? Tone::ProtocolError : Tone::Ok;
    }

    // What both sides have in common at their beginning is left out where there would be no room for what differs.
    static QString fromTheDifference(const QModelIndex &index, const QFontMetrics &metrics, int width)
    {
        const QString text = index.data().toString();
        const auto side = DifferenceColumn(index.column());
        const auto other = side == DifferenceColumn::Left ? DifferenceColumn::Right : DifferenceColumn::Left;
        const QString otherText = index.siblingAtColumn(int(other)).data().toString();
        const auto differs = std::mismatch(text.begin(), text.end(), otherText.begin(), otherText.end()).first;
        qsizetype common = differs - text.begin();
        if (metrics.horizontalAdvance(text) <= width ||
            metrics.horizontalAdvance(text.left(common + ShownBesideCommon)) <= width)
            return text;
        common = qMax<qsizetype>(common - ShownBesideCommon, 0);
        if (common > 0 && text.at(common).isLowSurrogate())
            --common;
        return common > 0 ? u'…' + text.mid(common) : text;
    }

    // The end of a long place is more useful than its beginning.
    static Qt::TextElideMode elision(DifferenceColumn column)
    {
        return column == DifferenceColumn::Where ? Qt::ElideLeft : Qt::ElideRight;
    }

    // Returns the width that it takes. A long value and a long note get half of the room each.
    static int paintBadge(QPainter *painter, const QRect &room, const QModelIndex &index, const QString &note)
    {
        if (note.isEmpty())
            return 0;
        const QString text = sign(Tone::Finding) + u' ' + note;
        const int value = QFontMetrics(monoFont()).horizontalAdvance(index.data().toString()) + Grid / 2;
        const int width = qMin(Badge::widthFor(text), room.width() - qMin(value, room.width() / 2));
        Badge::paint(painter, QRect(room.right() - width + 1, room.top(), width, room.height()), text, Tone::Finding);
        return width + Grid / 2;
    }

    static void paintButton(QPainter *painter, const QRect &room, const QString &text, bool isHot)
    {
        const QFontMetrics metrics(smallFont());
        const int width = qMin(room.width(), metrics.horizontalAdvance(text) + 2 * Grid);
        const QRect box(room.left(), room.top() + 2, width, room.height() - 4);
        paintRoundedFrame(painter, box, isHot ? colors().accent : colors().border, colors().panel);
        painter->setFont(smallFont());
        painter->setPen(colors().text);
        painter->drawText(box, Qt::AlignCenter, metrics.elidedText(text, Qt::ElideRight, width - Grid));
    }
};

}  // namespace

DifferenceTable::DifferenceTable(QWidget *parent) : RowTable(0, parent), m_model(new DifferenceModel(this))
{
    setAccessibleName(tr("Differences"));
    setModel(m_model);
    setItemDelegate(new DifferenceDelegate(this));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    horizontalHeader()->setMinimumSectionSize(0);
    horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    horizontalHeader()->setFont(smallFont());
    connect(this, &QTableView::clicked, this, [this](const QModelIndex &index) {
        if (m_model->hasAction() && DifferenceColumn(index.column()) == DifferenceColumn::Note)
            showMenu(index.row(), viewport()->mapToGlobal(visualRect(index).bottomLeft()));
    });
    connect(m_model, &QAbstractItemModel::modelAboutToBeReset, this,
            [this] { m_rowBeforeReset = currentIndex().row(); });
    connect(m_model, &QAbstractItemModel::modelReset, this, &DifferenceTable::onReset);
}

void DifferenceTable::onReset()
{
    const QFontMetrics metrics(smallFont());
    m_noteWidth = metrics.horizontalAdvance(u"Ignore ▾"_s) + 2 * Grid;
    for (int row = 0; row < m_model->rowCount() && m_noteWidth < MaxNoteWidth; ++row)
        m_noteWidth = qMax(
            m_noteWidth, metrics.horizontalAdvance(m_model->index(row, int(DifferenceColumn::Note)).data().toString()));
    m_noteWidth = qMin(m_noteWidth, MaxNoteWidth) + 2 * DifferencePadding;
    const QFontMetrics mono(monoFont());
    m_whereWidth = MinWhereWidth;
    for (int row = 0; row < m_model->rowCount() && m_whereWidth < MaxWhereWidth; ++row)
        m_whereWidth = qMax(
            m_whereWidth, mono.horizontalAdvance(m_model->index(row, int(DifferenceColumn::Where)).data().toString()));
    m_whereWidth += 2 * DifferencePadding;
    layOutColumns();
    updateGeometry();
    // Differences are often ignored one after the other: select the next row.
    if (m_rowBeforeReset >= 0 && m_rowBeforeReset < m_model->rowCount() && hasFocus())
        setCurrentIndex(m_model->index(m_rowBeforeReset, 0));
}

QSize DifferenceTable::sizeHint() const
{
    const int rows = qBound(1, m_model->rowCount(), MaxDifferenceRows);
    return {400, horizontalHeader()->sizeHint().height() + rows * verticalHeader()->defaultSectionSize() + 2};
}

void DifferenceTable::changeEvent(QEvent *event)
{
    RowTable::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        onReset();
}

void DifferenceTable::resizeEvent(QResizeEvent *event)
{
    layOutColumns();
    RowTable::resizeEvent(event);
}

void DifferenceTable::layOutColumns()
{
    const int room = viewport()->width() - m_noteWidth;
    m_isNarrow = viewport()->width() < NarrowWidth;
    const int where = m_isNarrow ? 0 : qMin(m_whereWidth, room * 40 / 100);
    const int left = m_isNarrow ? room / 2 : (room - where) * 47 / 100;
    setColumnWidth(int(DifferenceColumn::Where), where);
    setColumnWidth(int(DifferenceColumn::Left), left);
    setColumnWidth(int(DifferenceColumn::Right), room - where - left);
    setColumnWidth(int(DifferenceColumn::Note), m_noteWidth);
    const int usual = ui::rowHeight();  // not that of one row of the table
    const int height = m_isNarrow ? 2 * usual - DifferencePadding : usual;
    if (verticalHeader()->defaultSectionSize() == height)
        return;
    verticalHeader()->setDefaultSectionSize(height);
    updateGeometry();
}

void DifferenceTable::paintEvent(QPaintEvent *event)
{
    RowTable::paintEvent(event);
    if (!m_isNarrow)
        return;
    QPainter painter(viewport());
    painter.setFont(monoFont());
    const QFontMetrics metrics(monoFont());
    for (int row = qMax(0, rowAt(0)); row < m_model->rowCount(); ++row) {
        const QRect left = visualRect(m_model->index(row, int(DifferenceColumn::Left)));
        if (left.top() > viewport()->height())
            break;
        const int right = columnViewportPosition(int(DifferenceColumn::Note));
        const QRect room(left.left() + DifferencePadding, left.top(), right - left.left() - 2 * DifferencePadding,
                         left.height() - valueHeight());
        painter.setPen(m_model->isIgnored(row) ? colors().dim : colors().text);
        painter.drawText(room, int(Qt::AlignLeft | Qt::AlignVCenter) | Qt::TextSingleLine,
                         metrics.elidedText(m_model->index(row, int(DifferenceColumn::Where)).data().toString(),
                                            Qt::ElideLeft, room.width()));
    }
}

void DifferenceTable::keyPressEvent(QKeyEvent *event)
{
    const int key = event->key();
    if ((key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Space) && currentIndex().isValid()) {
        const QRect place = visualRect(currentIndex().siblingAtColumn(int(DifferenceColumn::Note)));
        showMenu(currentIndex().row(), viewport()->mapToGlobal(place.bottomLeft()));
        return;
    }
    RowTable::keyPressEvent(event);
}

void DifferenceTable::contextMenuEvent(QContextMenuEvent *event)
{
    const QModelIndex index = event->reason() == QContextMenuEvent::Mouse ? indexAt(event->pos()) : currentIndex();
    if (index.isValid())
        showMenu(index.row(), event->globalPos());
}

void DifferenceTable::showMenu(int row, const QPoint &place)
{
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    setCurrentIndex(m_model->index(row, 0));
    Q_EMIT menuRequested(menu, row);
    menu->addSeparator();
    const auto copy = [menu, this](const QString &text, const QString &what) {
        menu->addAction(text, this, [what] { QGuiApplication::clipboard()->setText(what); });
    };
    const json::Difference &difference = m_model->at(row).difference;
    copy(tr("Copy path"), difference.pointer);
    if (difference.left.exists())
        copy(tr("Copy value before"), QString::fromUtf8(difference.left.bytes()));
    if (difference.right.exists())
        copy(tr("Copy value after"), QString::fromUtf8(difference.right.bytes()));
    menu->popup(place);
}

}  // namespace sonde::ui
