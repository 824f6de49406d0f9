// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/offertree.h"

#include "core/protocol/visibletext.h"
#include "ui/theme/keys.h"
#include "ui/theme/lineinput.h"
#include "ui/theme/quietview.h"
#include "ui/theme/widgets.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTreeView>
#include <QVBoxLayout>

namespace sonde::ui {

namespace {

constexpr int RowIconSide = 16;  // px

class OfferDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const override { return {100, rowHeight()}; }

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const Colors &c = colors();
        const bool isGroup = !index.parent().isValid();
        const bool selected = option.state.testFlag(QStyle::State_Selected);
        const bool isOffered = index.data(OfferModel::OfferedRole).toBool();
        painter->save();
        // A group is shown as selected only where the keyboard is.
        if (selected && (!isGroup || option.state.testFlag(QStyle::State_HasFocus)))
            painter->fillRect(QRect(0, option.rect.top(), option.rect.right() + 1, option.rect.height()), c.selection);
        else if (!isGroup && option.state.testFlag(QStyle::State_MouseOver))
            painter->fillRect(QRect(0, option.rect.top(), option.rect.right() + 1, option.rect.height()), c.field);

        QRect room = option.rect.adjusted(2, 0, -Grid, 0);
        if (!isGroup && index.data(OfferModel::HasIconsRole).toBool()) {
            const auto icon = index.data(Qt::DecorationRole).value<QPixmap>();
            const QSize size = icon.size().scaled(RowIconSide, RowIconSide, Qt::KeepAspectRatio);
            const QRect frame(room.left(), room.center().y() - RowIconSide / 2 + 1, RowIconSide, RowIconSide);
            QRect place({0, 0}, size);
            place.moveCenter(frame.center());
            painter->setRenderHint(QPainter::SmoothPixmapTransform);
            if (!icon.isNull())
                painter->drawPixmap(place, icon);
            room.setLeft(frame.right() + Grid - 1);
        }
        const QString badge = index.data(OfferModel::BadgeTextRole).toString();
        const QString note = index.data(OfferModel::NoteRole).toString();
        QFont font = option.font;
        if (isGroup || selected)
            font.setWeight(QFont::DemiBold);
        const bool isCallable = index.data(OfferModel::ProblemRole).toString().isEmpty();
        font.setStrikeOut(!isCallable);
        const QFontMetrics metrics(font);
        painter->setFont(font);
        const bool isAction = index.data(OfferModel::IsActionRole).toBool();
        const QString display = index.data(Qt::DisplayRole).toString();
        const int noteWidth = QFontMetrics(smallFont()).horizontalAdvance(note);
        const int neededWidth =
            isAction ? metrics.horizontalAdvance(display) + Grid + noteWidth : metrics.horizontalAdvance(note) * 2;

        int right = room.right();
        const QString badgeIcon = index.data(OfferModel::BadgeIconRole).toString();
        if (!badgeIcon.isEmpty()) {
            const Tone tone = index.data(OfferModel::BadgeToneRole).value<Tone>();
            const QRect place(room.right() - RowIconSide, room.center().y() - RowIconSide / 2 + 1, RowIconSide,
                              RowIconSide);
            // As dim as the name beside it; a neutral icon would be as bright as text.
            icon(badgeIcon, isOffered && isCallable && tone != Tone::Neutral ? tone : Tone::NoResponse)
                .paint(painter, place);
            right -= RowIconSide + Grid;
        } else if (!badge.isEmpty()) {
            const Tone tone = index.data(OfferModel::BadgeToneRole).value<Tone>();
            right -=
                Badge::paint(painter, room, badge, isOffered && isCallable ? tone : Tone::Neutral, Qt::AlignRight) +
                Grid;
        } else if (!isGroup && !note.isEmpty() && room.width() > neededWidth) {
            painter->setFont(smallFont());
            painter->setPen(c.dim);
            painter->drawText(room, Qt::AlignRight | Qt::AlignVCenter, note);
            painter->setFont(font);
            right -= noteWidth + Grid;
        }
        // Long names often differ in their last words.
        const auto kind = index.data(OfferModel::RefRole).value<OfferRef>().kind;
        const bool isName = kind != OfferRef::Kind::None && kind != OfferRef::Kind::Info;
        const QString text =
            metrics.elidedText(display, isName ? Qt::ElideMiddle : Qt::ElideRight, right - room.left());
        painter->setPen(isAction && isOffered ? c.accent : isGroup || (isOffered && isCallable) ? c.text : c.dim);
        painter->drawText(room, Qt::AlignLeft | Qt::AlignVCenter, text);
        if (isGroup) {
            painter->setFont(option.font);
            const Tone tone = index.data(OfferModel::NoteToneRole).value<Tone>();
            painter->setPen(tone == Tone::Neutral ? c.dim : color(tone));
            painter->drawText(room.adjusted(metrics.horizontalAdvance(text) + Grid, 0, 0, 0),
                              Qt::AlignLeft | Qt::AlignVCenter, note);
        }
        painter->restore();
    }
};

}  // namespace

OfferTree::OfferTree(QWidget *parent)
    : QWidget(parent),
      m_model(new OfferModel(this)),
      m_filter(new OfferFilter(this)),
      m_line(new LineInput),
      m_count(new TextLabel),
      m_tree(new QuietView<QTreeView>),
      m_empty(new EmptyState({}, {}))
{
    m_filter->setSourceModel(m_model);
    m_line->setObjectName(QStringLiteral("offerFilter"));
    m_line->setAccessibleName(tr("Filter the server's offering"));
    m_line->setClearButtonEnabled(true);
    m_line->installEventFilter(this);

    m_empty->setObjectName(QStringLiteral("offerEmpty"));
    m_tree->setObjectName(QStringLiteral("offerTree"));
    m_tree->setAccessibleName(tr("Server offering"));
    m_tree->setModel(m_filter);
    m_tree->setItemDelegate(new OfferDelegate(m_tree));
    m_tree->setHeaderHidden(true);
    m_tree->setFrameShape(QFrame::NoFrame);
    m_tree->setUniformRowHeights(true);
    m_tree->setIndentation(14);
    m_tree->setExpandsOnDoubleClick(false);
    m_tree->setMouseTracking(true);
    m_tree->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_tree->header()->setStretchLastSection(true);

    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(Grid / 2);
    auto *lineRow = new QHBoxLayout;
    lineRow->setContentsMargins(Grid, Grid / 2, Grid, Grid / 2);
    lineRow->setSpacing(Grid / 2);
    lineRow->addWidget(m_line, 1);
    m_count->setObjectName(QStringLiteral("offerCount"));
    m_count->setFont(smallFont());
    m_count->setDim(true);
    lineRow->addWidget(m_count);
    column->addLayout(lineRow);
    column->addWidget(m_tree, 1);
    column->addWidget(m_empty, 1);

    connect(m_line, &QLineEdit::textChanged, this, [this](const QString &text) {
        m_filter->setWords(text);
        updateState();
    });
    connect(m_tree, &QTreeView::clicked, this, [this](const QModelIndex &index) {
        if (!index.parent().isValid()) {
            m_tree->setExpanded(index, !m_tree->isExpanded(index));
            return;
        }
        activate(index, &OfferTree::previewed);
    });
    // The clicks before have done the rest.
    connect(m_tree, &QTreeView::doubleClicked, this, [this](const QModelIndex &index) {
        if (index.parent().isValid() && !index.data(OfferModel::IsActionRole).toBool() &&
            index.data(OfferModel::RefusalRole).toString().isEmpty())
            activate(index, &OfferTree::activated);
    });
    m_tree->installEventFilter(this);
    m_tree->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_tree, &QWidget::customContextMenuRequested, this, &OfferTree::askForMenu);
    connect(m_model, &OfferModel::iconsChanged, m_tree, [this] { m_tree->viewport()->update(); });
    // The view would do it later, and until then tell screen readers of rows that are gone, which crashes.
    connect(m_filter, &QAbstractItemModel::layoutChanged, m_tree, &QTreeView::doItemsLayout);
    connect(m_model, &QAbstractItemModel::rowsInserted, this, &OfferTree::updateState);
    connect(m_model, &QAbstractItemModel::dataChanged, this, &OfferTree::updateState);
    connect(m_model, &QAbstractItemModel::modelReset, this, &OfferTree::updateState);
    updateState();
}

void OfferTree::setCatalog(Catalog *catalog, const QString &server)
{
    if (catalog && catalog == m_model->catalog())
        return;
    // A filter for one server must not make another one look empty.
    const QString words = m_line->text();
    m_filters.insert(m_server, words);
    m_server = server;
    m_model->setCatalog(catalog, server);
    if (const QString own = m_filters.value(server); own != words)
        m_line->setText(own);
    else
        m_filter->invalidate();
    m_tree->expandAll();
}

void OfferTree::setEmptyText(const QString &title, const QString &text)
{
    m_emptyTitle = title;
    m_emptyText = text;
    updateState();
}

void OfferTree::focusFilter()
{
    m_line->setFocus(Qt::ShortcutFocusReason);
    m_line->selectAll();
}

void OfferTree::updateState()
{
    const QString summary = m_model->summary();
    m_line->setPlaceholderText(summary.isEmpty() ? tr("Filter") : tr("Filter %1…").arg(summary));
    const QString words = m_line->text().trimmed();
    const bool hasRows = m_filter->rowCount() > 0;
    m_tree->setVisible(hasRows);
    m_empty->setVisible(!hasRows);
    m_line->setEnabled(hasRows || !words.isEmpty());
    m_count->setVisible(!words.isEmpty() && m_model->rowCount() > 0);
    if (!m_count->isHidden()) {
        const OfferFilter::Counts counts = m_filter->counts();
        m_count->setText(tr("%1 of %2").arg(grouped(counts.shown), grouped(counts.all)));
    }
    if (!hasRows && !words.isEmpty() && m_model->rowCount() > 0)
        m_empty->setContent(tr("Nothing matches “%1”").arg(visibleLine(words, 60)), tr("Esc clears the filter."));
    else
        m_empty->setContent(m_emptyTitle, m_emptyText);
    for (int row = 0; row < m_filter->rowCount(); ++row)
        m_tree->expand(m_filter->index(row, 0));
    if (m_selected.kind != OfferRef::Kind::None)
        select(m_selected);
}

void OfferTree::activate(const QModelIndex &index, Signal signal)
{
    if (!index.flags().testFlag(Qt::ItemIsEnabled))  // it only says something
        return;
    if (index.data(OfferModel::IsActionRole).toBool()) {
        const QVariant id = index.data(OfferModel::ActionIdRole);
        if (id.isValid())
            Q_EMIT actionActivated(id.toString());
        else
            m_model->loadMore(m_filter->mapToSource(index));
        return;
    }
    if (const QString problem = index.data(OfferModel::RefusalRole).toString(); !problem.isEmpty()) {
        Q_EMIT savedCallRefused(problem);
        return;
    }
    m_selected = index.data(OfferModel::RefRole).value<OfferRef>();
    Q_EMIT(this->*signal)(m_selected);
}

void OfferTree::askForMenu(const QPoint &place)
{
    const QModelIndex index = m_tree->indexAt(place);
    const auto ref = index.data(OfferModel::RefRole).value<OfferRef>();
    const QModelIndex group = index.parent().isValid() ? index.parent() : index;
    const bool isSaved = group.isValid() && m_filter->mapToSource(group).row() == m_model->savedCallsRow();
    if (isSaved)
        Q_EMIT savedCallMenuRequested(ref, m_tree->viewport()->mapToGlobal(place));
    else if (ref.kind != OfferRef::Kind::None && ref.kind != OfferRef::Kind::Info)
        Q_EMIT menuRequested(ref, m_tree->viewport()->mapToGlobal(place));
}

bool OfferTree::pressOnSavedCall(const QKeyEvent *key)
{
    const QString path = m_tree->currentIndex().data(OfferModel::RefRole).value<OfferRef>().savedCall;
    if (path.isEmpty() || key->modifiers() != Qt::NoModifier)
        return false;
    if (key->key() == Qt::Key_F2)
        Q_EMIT savedCallRenameRequested(path);
    else if (key->key() == Qt::Key_Delete)
        Q_EMIT savedCallDeleteRequested(path);
    else
        return false;
    return true;
}

void OfferTree::select(const OfferRef &ref)
{
    m_selected = ref;
    if (const QModelIndex index = m_filter->mapFromSource(m_model->indexOf(ref)); index.isValid())
        m_tree->setCurrentIndex(index);
    else
        m_tree->clearSelection();
}

// Icons may be different ones for a dark and a light background.
void OfferTree::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        m_model->refreshIcons();
}

bool OfferTree::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const auto *key = static_cast<QKeyEvent *>(event);
    if (watched == m_tree && pressOnSavedCall(key))
        return true;
    if (watched == m_line && key->key() == Qt::Key_Down) {
        m_tree->setFocus();
        if (!m_tree->currentIndex().parent().isValid() && m_filter->rowCount() > 0)
            m_tree->setCurrentIndex(m_filter->index(0, 0, m_filter->index(0, 0)));
        return true;
    }
    if (watched == m_line && key->key() == Qt::Key_Escape && !m_line->text().isEmpty()) {
        m_line->clear();
        return true;
    }
    if (isEnter(key) && key->modifiers() == Qt::NoModifier) {
        QModelIndex index = watched == m_tree ? m_tree->currentIndex() : QModelIndex();
        // Enter in the filter line opens the first match.
        for (int group = 0; watched == m_line && !index.isValid() && group < m_filter->rowCount(); ++group) {
            index = m_filter->index(0, 0, m_filter->index(group, 0));
            if (index.data(OfferModel::IsActionRole).toBool())
                index = {};
        }
        if (index.isValid() && index.parent().isValid()) {
            m_tree->setCurrentIndex(index);
            activate(index, &OfferTree::activated);
        } else if (index.isValid()) {
            m_tree->setExpanded(index, !m_tree->isExpanded(index));
        }
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace sonde::ui
