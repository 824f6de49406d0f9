// SPDX-License-Identifier: Apache-2.0
#include "ui/json/jsontable.h"

#include "ui/json/background.h"
#include "ui/json/bytestext.h"
#include "ui/json/copyactions.h"
#include "ui/json/findsource.h"
#include "ui/json/foundmarks.h"
#include "ui/json/jsontablemodel.h"
#include "ui/theme/linepainter.h"
#include "ui/theme/rowtable.h"
#include "ui/theme/widgets.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>

namespace sonde::ui {

namespace {

constexpr int RowsMeasured = 20;
constexpr int MinColumnWidth = 48;
constexpr int MaxColumnWidth = 320;
constexpr int TableCellMargin = Grid / 2;

class CellDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    FindWord found;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        painter->save();
        fillRow(painter, option);
        const auto kind = json::Kind(index.data(JsonTableModel::KindRole).toInt());
        const bool isNumber = kind == json::Kind::Number;
        // null is where the number would be.
        const QVariant head = index.model()->headerData(index.column(), Qt::Horizontal, Qt::TextAlignmentRole);
        const bool isAtRight = isNumber || (kind == json::Kind::Null && head.toInt() & Qt::AlignRight);
        const bool isPlain = isNumber || kind == json::Kind::String;
        painter->setFont(monoFont());
        painter->setPen(isPlain ? colors().text : colors().dim);
        const QRect room = option.rect.adjusted(TableCellMargin, 0, -TableCellMargin, 0);
        const QString text = index.data().toString();
        if (!found.isEmpty()) {
            const int width = QFontMetrics(monoFont()).horizontalAdvance(text);
            const int left = isAtRight ? std::max(room.left(), room.right() + 1 - width) : room.left();
            painter->setClipRect(room);
            paintFoundMarks(painter, QRect(left, room.top(), width, room.height()), text, found);
        }
        paintLine(painter, room, text, isAtRight ? Qt::AlignRight : Qt::AlignLeft);
        painter->restore();
    }
};

// Each cell that has the word, by rows as they are sorted: row * columns + column.
class TableScan final : public FindScan {
public:
    TableScan(std::shared_ptr<const JsonRows> rows, RowOrder order, QList<int> columns, FindWord word)
        : m_rows(std::move(rows)), m_order(std::move(order)), m_columns(std::move(columns)), m_word(std::move(word))
    {}

    bool next(FindPlaces *places) override
    {
        qsizetype bytes = 0;
        for (int cells = 0; m_row < m_order.size() && cells < ValuesAtOnce && bytes < BytesAtOnce; ++m_row) {
            for (const int column : std::as_const(m_columns)) {
                const json::Value value = m_rows->cell(m_order[m_row], column);
                bytes += value.slice().size();
                if (value.exists() && isInJson(value.slice(), m_word))
                    places->push_back(quint32(m_row) * quint32(m_rows->columns.size()) + quint32(column));
            }
            cells += int(m_columns.size()) + 1;
        }
        return m_row < m_order.size();
    }

private:
    const std::shared_ptr<const JsonRows> m_rows;
    const RowOrder m_order;
    const QList<int> m_columns;
    const FindWord m_word;
    size_t m_row = 0;
};

// An ampersand would mark a key of a menu.
QString columnMenuText(QString text)
{
    return text.replace(u'&', QStringLiteral("&&"));
}

}  // namespace

class JsonTable::View final : public QTableView {
public:
    explicit View(JsonTable *table) : QTableView(table), m_table(table)
    {
        setUpRows(this);
        setObjectName(QStringLiteral("jsonTable"));
        setAccessibleName(JsonTable::tr("Table"));
        setFrameShape(NoFrame);
        setSelectionBehavior(SelectItems);
        setVerticalScrollMode(ScrollPerPixel);
        setHorizontalScrollMode(ScrollPerPixel);
        viewport()->setAutoFillBackground(false);
        setItemDelegate(new CellDelegate(this));
        QHeaderView *header = horizontalHeader();
        header->setContextMenuPolicy(Qt::CustomContextMenu);
        header->setMinimumSectionSize(MinColumnWidth);
        header->setSectionsClickable(true);
        header->setSortIndicatorShown(true);
        header->setSortIndicatorClearable(true);
        header->setSortIndicator(-1, Qt::AscendingOrder);
    }

protected:
    void keyPressEvent(QKeyEvent *event) override
    {
        const json::Value value = static_cast<JsonTableModel *>(model())->value(currentIndex());
        if (!copyOnKey(event, value, m_table->m_shown))
            QTableView::keyPressEvent(event);
    }

    void contextMenuEvent(QContextMenuEvent *event) override
    {
        const bool isMouse = event->reason() == QContextMenuEvent::Mouse;
        const QModelIndex cell = isMouse ? indexAt(event->pos()) : currentIndex();
        if (cell.isValid()) {
            setCurrentIndex(cell);
            m_table->showCellMenu(
                cell, isMouse ? event->globalPos() : viewport()->mapToGlobal(visualRect(cell).bottomLeft()));
        } else {
            event->ignore();  // what the table is part of may have a menu
        }
    }

private:
    JsonTable *m_table;
};

class JsonTable::Source final : public FindSource {
public:
    explicit Source(JsonTable *table) : FindSource(table->m_view), m_table(table) {}

    std::shared_ptr<FindScan> scan(const FindWord &word) const override
    {
        const JsonTableModel *model = m_table->m_model;
        return std::make_shared<TableScan>(model->rows(), model->order(), m_table->shownColumns(), word);
    }

    void mark(const FindWord &word, const std::shared_ptr<const FindPlaces> &) override
    {
        static_cast<CellDelegate *>(m_table->m_view->itemDelegate())->found = word;
        m_table->m_view->viewport()->update();
    }

    QRect show(quint32 place) override
    {
        const auto columns = quint32(m_table->m_model->columnCount());
        const QModelIndex index = m_table->m_model->index(int(place / columns), int(place % columns));
        m_table->m_view->setCurrentIndex(index);
        m_table->m_view->scrollTo(index);
        return m_table->m_view->visualRect(index);
    }

    void deselect() override { m_table->m_view->clearSelection(); }

private:
    JsonTable *m_table;
};

JsonTable::JsonTable(QWidget *parent)
    : QWidget(parent),
      m_model(new JsonTableModel(this)),
      m_view(new View(this)),
      m_source(nullptr),
      m_count(new TextLabel({}, this)),
      m_csv(new FlatButton(tr("CSV"), this)),
      m_markdown(new FlatButton(tr("Markdown"), this))
{
    m_view->setModel(m_model);
    m_view->setSortingEnabled(true);
    m_source = new Source(this);
    m_count->setObjectName(QStringLiteral("tableCount"));
    m_count->setDim(true);
    m_count->setFont(smallFont());
    m_count->setElided(true);
    m_count->setMinimumWidth(20);
    m_csv->setObjectName(QStringLiteral("copyCsv"));
    m_csv->setAccessibleName(tr("Copy as CSV"));
    m_markdown->setObjectName(QStringLiteral("copyMarkdown"));
    m_markdown->setAccessibleName(tr("Copy as Markdown"));
    auto *copying = new TextLabel(tr("Copy as"), this);
    copying->setDim(true);
    copying->setFont(smallFont());
    copying->setElided(true);
    copying->setMinimumWidth(1);
    auto *foot = new QHBoxLayout;
    foot->setContentsMargins(Grid, 0, Grid / 2, 0);
    foot->setSpacing(Grid / 2);
    foot->addWidget(m_count, 1);
    foot->addWidget(copying);
    foot->addWidget(m_csv);
    foot->addWidget(m_markdown);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(1, 1, 1, Grid / 2);
    layout->setSpacing(Grid / 2);
    layout->addWidget(m_view, 1);
    layout->addLayout(foot);

    connect(m_csv, &QAbstractButton::clicked, this, [this] { copyAs(true); });
    connect(m_markdown, &QAbstractButton::clicked, this, [this] { copyAs(false); });
    connect(m_model, &QAbstractItemModel::layoutChanged, this, [this] { m_source->setChanged(); });
    connect(m_view->horizontalHeader(), &QWidget::customContextMenuRequested, this, &JsonTable::showHeaderMenu);
}

void JsonTable::setArray(const json::Value &array, const json::Value &shown)
{
    using Rows = std::shared_ptr<const JsonRows>;
    m_shown = shown.exists() ? shown : array;
    m_count->setText(tr("Reading…"));
    const auto take = [this](const Rows &rows) {
        m_model->setRows(rows);
        showRows();
    };
    if (array.slice().size() <= BackgroundBytes)
        take(readJsonRows(array));
    else
        runInBackground<Rows>(
            this, [array] { return readJsonRows(array); }, take);
}

void JsonTable::showRows()
{
    fitColumns();
    sayHowMany();
    m_source->setChanged();
    Q_EMIT heightChanged();
}

// As wide as the first rows need. The last column gets the rest, if there is any.
void JsonTable::fitColumns()
{
    const QFontMetrics cells(monoFont());
    const QFontMetrics titles(m_view->horizontalHeader()->font());
    const int measured = std::min(RowsMeasured, m_model->rowCount());
    for (int column = 0; column < m_model->columnCount(); ++column) {
        int width = titles.horizontalAdvance(m_model->columnName(column)) + 3 * Grid;
        for (int row = 0; row < measured && width < MaxColumnWidth; ++row) {
            const QString text = m_model->index(row, column).data().toString();
            width = std::max(width, cells.averageCharWidth() * int(text.size()) + 2 * Grid);
        }
        m_view->setColumnWidth(column, std::clamp(width, MinColumnWidth, MaxColumnWidth));
    }
}

void JsonTable::sayHowMany()
{
    const auto hidden = m_model->columnCount() - int(shownColumns().size());
    QStringList parts{counted(m_model->rowCount(), tr("1 row"), tr("%1 rows")),
                      counted(m_model->columnCount(), tr("1 column"), tr("%1 columns"))};
    if (hidden > 0)
        parts.append(counted(hidden, tr("1 hidden"), tr("%1 hidden")));
    if (const qsizetype leftOut = m_model->rows()->leftOut; leftOut > 0)
        parts.append(counted(leftOut, tr("1 more key not shown"), tr("%1 more keys not shown")));
    m_count->setText(parts.join(QStringLiteral(" · ")));
    m_count->setToolTip(m_count->text());
}

QList<int> JsonTable::shownColumns() const
{
    QList<int> columns;
    for (int column = 0; column < m_model->columnCount(); ++column) {
        if (!m_view->isColumnHidden(column))
            columns.append(column);
    }
    return columns;
}

int JsonTable::heightForRows(int maxHeight) const
{
    const QMargins margins = layout()->contentsMargins();
    const int around = margins.top() + margins.bottom() + layout()->spacing() + m_csv->sizeHint().height() +
                       m_view->horizontalHeader()->sizeHint().height();
    const int row = m_view->verticalHeader()->defaultSectionSize();
    int width = 0;
    for (const int column : shownColumns())
        width += m_view->columnWidth(column);
    const int bar = width > m_view->viewport()->width() ? m_view->horizontalScrollBar()->sizeHint().height() : 0;
    const int fitting = std::max(2, (maxHeight - around - bar) / row);
    return around + bar + row * std::clamp(m_model->rowCount(), 1, fitting);
}

void JsonTable::setColumnHidden(int column, bool isHidden)
{
    m_view->setColumnHidden(column, isHidden);
    sayHowMany();
    m_source->setChanged();
    Q_EMIT heightChanged();
}

void JsonTable::addColumnActions(QMenu *menu, int column)
{
    const QList<int> shown = shownColumns();
    if (column >= 0) {
        const QHeaderView *header = m_view->horizontalHeader();
        const auto addSort = [&](const QString &text, int section, Qt::SortOrder order) {
            QAction *sort =
                menu->addAction(text, this, [this, section, order] { m_view->sortByColumn(section, order); });
            sort->setCheckable(true);
            sort->setChecked(header->sortIndicatorSection() == section &&
                             (section < 0 || header->sortIndicatorOrder() == order));
        };
        addSort(tr("Sort ascending"), column, Qt::AscendingOrder);
        addSort(tr("Sort descending"), column, Qt::DescendingOrder);
        addSort(tr("Order as received"), -1, Qt::AscendingOrder);
        menu->addSeparator();
        menu->addAction(tr("Copy name"), this,
                        [name = m_model->columnName(column)] { QGuiApplication::clipboard()->setText(name); });
        QAction *hide = menu->addAction(tr("Hide “%1”").arg(columnMenuText(m_model->columnName(column))), this,
                                        [this, column] { setColumnHidden(column, true); });
        hide->setEnabled(shown.size() > 1);
    }
    QAction *all = menu->addAction(tr("Show all columns"), this, [this] {
        for (int each = 0; each < m_model->columnCount(); ++each)
            m_view->setColumnHidden(each, false);
        setColumnHidden(0, false);
    });
    all->setEnabled(shown.size() < m_model->columnCount());
    menu->addSeparator();
    for (int each = 0; each < m_model->columnCount(); ++each) {
        const bool isShown = shown.contains(each);
        QAction *choice = menu->addAction(columnMenuText(m_model->columnName(each)), this,
                                          [this, each, isShown] { setColumnHidden(each, isShown); });
        choice->setCheckable(true);
        choice->setChecked(isShown);
        choice->setEnabled(!isShown || shown.size() > 1);
    }
}

void JsonTable::showHeaderMenu(const QPoint &place)
{
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(QStringLiteral("columnMenu"));
    addColumnActions(menu, m_view->horizontalHeader()->logicalIndexAt(place));
    menu->popup(m_view->horizontalHeader()->mapToGlobal(place));
}

void JsonTable::showCellMenu(const QModelIndex &cell, const QPoint &globalPlace)
{
    const json::Value value = m_model->value(cell);
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(QStringLiteral("cellMenu"));
    addCopyActions(menu, value, m_shown);
    menu->addSeparator();
    menu->addAction(tr("Copy table as CSV"), this, [this] { copyAs(true); });
    menu->addAction(tr("Copy table as Markdown"), this, [this] { copyAs(false); });
    addColumnActions(menu->addMenu(tr("Columns")), cell.column());
    Q_EMIT menuRequested(menu, value);
    menu->popup(globalPlace);
}

// All rows as they are sorted, with the columns that are shown.
void JsonTable::copyAs(bool isCsv)
{
    runInBackground<QString>(
        this,
        [rows = m_model->rows(), order = m_model->order(), columns = shownColumns(), isCsv] {
            return decodedUtf8(isCsv ? rowsAsCsv(*rows, order, columns) : rowsAsMarkdown(*rows, order, columns));
        },
        [](const QString &text) { QGuiApplication::clipboard()->setText(text); });
}

}  // namespace sonde::ui
