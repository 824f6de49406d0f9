// SPDX-License-Identifier: Apache-2.0
#include "ui/dialogs/gotopalette.h"

#include "core/protocol/visibletext.h"
#include "ui/dialogs/gotomatch.h"
#include "ui/theme/lineinput.h"
#include "ui/theme/theme.h"
#include "ui/theme/widgets.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>
#include <tuple>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr int MaxShown = 200;
constexpr int VisibleEntries = 12;
enum { EntryDetailRole = Qt::UserRole + 1, EntryRole };

int entryHeight()
{
    return rowHeight() + 5;
}

class GotoDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    QSize sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const override { return {200, entryHeight()}; }
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        painter->save();
        if (option.state.testFlag(QStyle::State_Selected))
            painter->fillRect(option.rect, colors().selection);
        const QRect room = option.rect.adjusted(Grid, 0, -Grid, 0);
        index.data(Qt::DecorationRole).value<QIcon>().paint(painter, QRect(room.left(), room.center().y() - 7, 14, 14));
        const QString detail = index.data(EntryDetailRole).toString();
        const QFontMetrics small(smallFont());
        painter->setPen(colors().text);
        painter->setFont(option.font);
        const int detailWidth = qMin(small.horizontalAdvance(detail) + 1, room.width() / 2);
        const QRect text = room.adjusted(3 * Grid, 0, -detailWidth - Grid, 0);
        painter->drawText(text, Qt::AlignLeft | Qt::AlignVCenter,
                          option.fontMetrics.elidedText(index.data().toString(), Qt::ElideRight, text.width()));
        painter->setFont(smallFont());
        painter->setPen(colors().dim);
        painter->drawText(room, Qt::AlignRight | Qt::AlignVCenter,
                          small.elidedText(detail, Qt::ElideRight, detailWidth));
        painter->restore();
    }
};

}  // namespace

GotoPalette::GotoPalette(const QList<GotoEntry> &entries, QWidget *parent)
    : QDialog(parent, Qt::Dialog | Qt::FramelessWindowHint),
      m_entries(entries),
      m_line(new LineInput),
      m_list(new QListWidget),
      m_keys(new TextLabel),
      m_empty(new EmptyState({}, {}))
{
    setObjectName(u"gotoPalette"_s);
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Go to"));
    resize(560, 0);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(Grid, Grid, Grid, Grid);
    column->setSpacing(Grid);
    m_line->setPlaceholderText(tr("Go to tool, resource, prompt, server, session or command…"));
    m_line->setAccessibleName(tr("Go to"));
    m_line->setObjectName(u"gotoLine"_s);
    m_line->setMinimumHeight(32);
    m_line->installEventFilter(this);
    m_list->setObjectName(u"gotoList"_s);
    m_list->setAccessibleName(tr("Matches"));
    m_list->setItemDelegate(new GotoDelegate(m_list));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setUniformItemSizes(true);
    for (QWidget *list : {static_cast<QWidget *>(m_list), static_cast<QWidget *>(m_empty)})
        list->setFixedHeight(VisibleEntries * entryHeight());  // whole rows
    column->addWidget(m_line);
    column->addWidget(m_list, 1);
    m_empty->setObjectName(u"gotoEmpty"_s);
    m_empty->setAutoFillBackground(true);
    m_empty->setBackgroundRole(QPalette::Base);
    column->addWidget(m_empty, 1);
    m_keys->setObjectName(u"gotoKeys"_s);
    m_keys->setDim(true);
    m_keys->setFont(smallFont());
    m_keys->setMinimumHeight(QFontMetrics(smallFont()).height());  // also while it is empty
    column->addWidget(m_keys);
    connect(m_list, &QListWidget::currentRowChanged, this, &GotoPalette::showKeys);
    connect(m_line, &QLineEdit::textChanged, this, &GotoPalette::fill);
    connect(m_list, &QListWidget::itemClicked, this, &GotoPalette::choose);
    fill();
}

// Without a window frame it would blend into the content below.
void GotoPalette::paintEvent(QPaintEvent *event)
{
    QDialog::paintEvent(event);
    QPainter painter(this);
    painter.setPen(colors().dim);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void GotoPalette::fill()
{
    const QString typed = m_line->text().trimmed();
    const QStringList words = typed.split(u' ', Qt::SkipEmptyParts);
    struct Ranked {
        std::tuple<int, int, int> place;
        qsizetype index;
    };
    QList<Ranked> ranked;
    for (qsizetype i = 0; i < m_entries.size(); ++i) {
        const GotoEntry &entry = m_entries[i];
        const int elsewhere = entry.isCurrent ? 0 : 1;
        if (const std::optional<int> score = gotoScore(entry, words))
            ranked.append({words.isEmpty() ? std::tuple(0, -entry.recency, elsewhere)
                                           : std::tuple(*score, elsewhere, -entry.recency),
                           i});
    }
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const Ranked &left, const Ranked &right) { return left.place < right.place; });
    m_list->clear();
    for (const auto &[place, i] : ranked.first(qMin<qsizetype>(ranked.size(), MaxShown))) {
        const QString &iconName = m_entries[i].iconName;
        auto *item = new QListWidgetItem(iconName.isEmpty() ? QIcon() : icon(iconName, Tone::NoResponse),
                                         visibleLine(m_entries[i].text));
        const GotoEntry &entry = m_entries[i];
        item->setData(EntryDetailRole,
                      visibleLine(entry.title.isEmpty() ? entry.detail : entry.detail + u" · "_s + entry.title));
        item->setData(EntryRole, QVariant::fromValue(i));
        m_list->addItem(item);
    }
    m_list->setCurrentRow(0);
    m_list->setVisible(!ranked.isEmpty());
    m_empty->setVisible(ranked.isEmpty());
    if (ranked.isEmpty())
        m_empty->setContent(
            tr("Nothing matches “%1”").arg(visibleLine(typed, 60)),
            tr("Search by any part of the name of a server, session, tool, resource, prompt or command."));
}

void GotoPalette::choose()
{
    const GotoEntry *entry = selected();
    if (!entry)
        return;
    const QVariant target = entry->target;
    close();
    Q_EMIT chosen(target);
}

const GotoEntry *GotoPalette::selected() const
{
    const QListWidgetItem *item = m_list->currentItem();
    return item ? &m_entries[item->data(EntryRole).value<qsizetype>()] : nullptr;
}

void GotoPalette::showKeys()
{
    const GotoEntry *entry = selected();
    m_keys->setText(entry ? entry->keys : QString());
}

bool GotoPalette::eventFilter(QObject *watched, QEvent *event)
{
    if (watched != m_line || event->type() != QEvent::KeyPress)
        return QDialog::eventFilter(watched, event);
    const auto *pressed = static_cast<QKeyEvent *>(event);
    const int key = pressed->key();
    const int row = m_list->currentRow();
    const int by = key == Qt::Key_Down       ? 1
                   : key == Qt::Key_Up       ? -1
                   : key == Qt::Key_PageDown ? VisibleEntries
                   : key == Qt::Key_PageUp   ? -VisibleEntries
                                             : 0;
    if (by != 0) {
        if (m_list->count() > 0)
            m_list->setCurrentRow(qBound(0, row + by, m_list->count() - 1));
        return true;
    }
    const GotoEntry *entry = selected();
    const bool isEnter = key == Qt::Key_Return || key == Qt::Key_Enter;
    if (isEnter && pressed->modifiers().testFlag(Qt::ControlModifier) && entry && entry->canRun) {
        const QVariant target = entry->target;
        close();
        Q_EMIT runChosen(target);
        return true;
    }
    if (isEnter) {
        choose();
        return true;
    }
    return QDialog::eventFilter(watched, event);
}

}  // namespace sonde::ui
