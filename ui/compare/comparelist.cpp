// SPDX-License-Identifier: Apache-2.0
#include "ui/compare/comparelist.h"

#include "ui/theme/lineinput.h"
#include "ui/theme/rowtable.h"
#include "ui/theme/widgets.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr int MinNoteWidth = 8 * Grid;  // less would only be the beginning of a word

class CompareDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const override { return {100, rowHeight()}; }

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const bool isSelected = option.state.testFlag(QStyle::State_Selected);
        painter->save();
        fillRow(painter, option);
        if (index.data(CompareModel::HeadingRole).toBool())
            paintHeading(painter, option, index);
        else
            paintEntry(painter, option, index, isSelected);
        painter->restore();
    }

private:
    static void paintHeading(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index)
    {
        const QRect room = option.rect.adjusted(Grid, 0, -Grid, 0);
        QFont bold = option.font;
        bold.setWeight(QFont::DemiBold);
        const QString text =
            (index.data(CompareModel::CollapsedRole).toBool() ? u"▸ "_s : u"▾ "_s) + index.data().toString();
        painter->setFont(bold);
        painter->setPen(colors().text);
        painter->drawText(room, Qt::AlignLeft | Qt::AlignVCenter, text);
        painter->setFont(option.font);
        painter->setPen(colors().dim);
        painter->drawText(room.adjusted(QFontMetrics(bold).horizontalAdvance(text) + Grid, 0, 0, 0),
                          Qt::AlignLeft | Qt::AlignVCenter, index.data(CompareModel::NoteRole).toString());
    }

    static void paintEntry(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index,
                           bool isSelected)
    {
        QRect room = option.rect.adjusted(Grid + 14, 0, -Grid, 0);
        room.setRight(room.right() - Grid -
                      Badge::paint(painter, room, index.data(CompareModel::BadgeTextRole).toString(),
                                   index.data(CompareModel::BadgeToneRole).value<Tone>(), Qt::AlignRight));
        QFont font = option.font;
        if (isSelected)
            font.setWeight(QFont::DemiBold);
        const QFontMetrics metrics(font);
        const QString note = index.data(CompareModel::NoteRole).toString();
        // The name comes first; the description gets the rest of the width.
        const QString name = metrics.elidedText(index.data().toString(), Qt::ElideRight, room.width());
        painter->setFont(font);
        painter->setPen(colors().text);
        painter->drawText(room, Qt::AlignLeft | Qt::AlignVCenter, name);
        room.setLeft(room.left() + metrics.horizontalAdvance(name) + Grid);
        if (room.width() < MinNoteWidth)
            return;
        painter->setFont(smallFont());
        painter->setPen(colors().dim);
        painter->drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                          QFontMetrics(smallFont()).elidedText(note, Qt::ElideRight, room.width()));
    }
};

}  // namespace

CompareList::CompareList(QWidget *parent)
    : QWidget(parent),
      m_model(new CompareModel(this)),
      m_filter(new LineInput),
      m_which(new SegmentedControl),
      m_none(new TextLabel),
      m_view(new RowListView)
{
    m_filter->setObjectName(u"compareFilter"_s);
    m_filter->setAccessibleName(tr("Filter the differences"));
    m_filter->setClearButtonEnabled(true);
    m_filter->installEventFilter(this);
    m_which->setObjectName(u"compareWhich"_s);
    m_which->addSegment(tr("All"), tr("All differences"));
    m_which->addSegment(tr("Breaking"), tr("Breaking differences only"));
    m_view->setObjectName(u"compareList"_s);
    m_view->setAccessibleName(tr("Differences"));
    m_view->setModel(m_model);
    m_view->setItemDelegate(new CompareDelegate(m_view));
    m_view->installEventFilter(this);
    m_none->setDim(true);
    m_none->setWordWrap(true);
    m_none->setContentsMargins(2 * Grid, Grid, Grid, Grid);
    m_none->hide();

    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto *line = new QHBoxLayout;
    line->setContentsMargins(Grid, Grid, Grid, Grid / 2);
    line->setSpacing(Grid);
    line->addWidget(m_filter, 1);
    line->addWidget(m_which);
    column->addLayout(line);
    column->addWidget(m_none);
    column->addWidget(m_view, 1);

    connect(m_filter, &QLineEdit::textChanged, this,
            [this](const QString &text) { refresh([this, &text] { m_model->setFilter(text); }); });
    connect(m_which, &SegmentedControl::currentChanged, this,
            [this](int index) { refresh([this, index] { m_model->setBreakingOnly(index == 1); }); });
    connect(m_view, &QListView::clicked, this, [this](const QModelIndex &index) {
        if (!m_model->entry(index))
            refresh([this, index] { m_model->toggle(index); });
    });
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this, &CompareList::currentChanged);
    // A click next to the rows clears the selection, but the details still show the current entry.
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        if (!m_view->selectionModel()->hasSelection() && m_view->currentIndex().isValid())
            m_view->selectionModel()->select(m_view->currentIndex(), QItemSelectionModel::Select);
    });
    updateCount();
}

void CompareList::setSides(std::shared_ptr<const ComparedSides> sides)
{
    // The old entries stay until the selection has moved on.
    const std::shared_ptr<const ComparedSides> before = std::exchange(m_sides, sides);
    refresh([this, &sides] { m_model->setSides(sides); });
}

const CompareEntry *CompareList::current() const
{
    return m_model->entry(m_view->currentIndex());
}

void CompareList::focusFilter()
{
    m_filter->setFocus(Qt::ShortcutFocusReason);
    m_filter->selectAll();
}

// A reset loses the selection and the scroll position; both are restored.
void CompareList::refresh(const std::function<void()> &change)
{
    const CompareEntry *shown = current();
    const CompareEntry kept = shown ? *shown : CompareEntry();
    const int row = m_view->currentIndex().row();
    const bool wasHeading = m_view->currentIndex().isValid() && !shown;
    change();
    QModelIndex index = shown ? m_model->indexOf(kept) : QModelIndex();
    if (wasHeading && row < m_model->rowCount())
        index = m_model->index(row);
    if (!index.isValid())
        index = m_model->firstEntry();
    m_view->setCurrentIndex(index);
    // After the layout: the list may just have been shown.
    QMetaObject::invokeMethod(
        m_view, [this] { m_view->scrollTo(m_view->currentIndex()); }, Qt::QueuedConnection);
    updateCount();
    Q_EMIT currentChanged();
}

void CompareList::updateCount()
{
    const qsizetype all = m_sides ? m_sides->entries.size() : 0;
    const qsizetype differences = all - (m_sides ? m_sides->count(CompareEntry::Kind::NotCompared) : 0);
    m_filter->setPlaceholderText(differences == 0
                                     ? tr("Filter")
                                     : counted(differences, tr("Filter 1 difference…"), tr("Filter %1 differences…")));
    const bool isEmpty = all > 0 && m_model->shownCount() == 0;
    m_none->setVisible(isEmpty);
    m_none->setText(m_filter->text().isEmpty() ? tr("No breaking differences.")
                                               : tr("No differences match the filter."));
}

bool CompareList::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent *>(event)->key();
    if (watched == m_filter && (key == Qt::Key_Down || key == Qt::Key_Return || key == Qt::Key_Enter)) {
        m_view->setFocus();
        return true;
    }
    if (watched == m_filter && key == Qt::Key_Escape && !m_filter->text().isEmpty()) {
        m_filter->clear();
        return true;
    }
    const bool isToggle = key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Space;
    if (watched == m_view && isToggle && m_view->currentIndex().isValid() && !current()) {
        refresh([this] { m_model->toggle(m_view->currentIndex()); });
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace sonde::ui
