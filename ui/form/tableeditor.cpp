// SPDX-License-Identifier: Apache-2.0
#include "ui/form/tableeditor.h"

#include "core/json/builder.h"
#include "core/protocol/numbertext.h"
#include "core/protocol/visibletext.h"
#include "core/shape/typehint.h"
#include "ui/form/celltext.h"
#include "ui/form/choiceeditor.h"
#include "ui/form/inputs.h"
#include "ui/form/stacklayouts.h"
#include "ui/form/tablemodel.h"
#include "ui/json/background.h"
#include "ui/theme/keys.h"
#include "ui/theme/linepainter.h"
#include "ui/theme/rowtable.h"
#include "ui/theme/widgets.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QFocusEvent>
#include <QHeaderView>
#include <QInputMethodEvent>
#include <QLineEdit>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <algorithm>
#include <numeric>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr int ExtraRowHeight = 5;  // as high as an input
constexpr int MaxShownRows = 14;
constexpr int RowsFitted = 20;  // that decide how wide a column is
constexpr int LeastColumn = 64;
constexpr int LeastTextColumn = 72;  // of which one can read something
constexpr int WidestColumn = 260;
constexpr int CellMargin = 6;
constexpr int NumbersWidth = 48;  // of the row numbers, at least

class FormCellDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        painter->save();
        const bool isSelected = option.state.testFlag(QStyle::State_Selected);
        const bool isWrong = !index.data(TableModel::IssueRole).toString().isEmpty();
        const bool isRemark = !isWrong && !index.data(TableModel::RemarkRole).toString().isEmpty();
        if (isSelected)
            painter->fillRect(option.rect, colors().selection);
        else if (isWrong || isRemark)
            painter->fillRect(option.rect, softColor(isWrong ? Tone::ProtocolError : Tone::Finding));
        const auto kind = json::Kind(index.data(TableModel::KindRole).toInt());
        const QString text = index.data().toString();
        const bool isNumber = kind == json::Kind::Number;
        const bool isPlain =
            isNumber || kind == json::Kind::Bool || (kind == json::Kind::String && !isEmptyString(index, kind));
        painter->setFont(isNumber ? monoFont() : option.font);
        painter->setPen(isWrong ? color(Tone::ProtocolError) : isPlain ? colors().text : colors().dim);
        const QRect room = option.rect.adjusted(CellMargin, 0, -CellMargin, 0);
        const QString shown = isWrong ? sign(Tone::ToolError) + u' ' + text : text;
        paintLine(painter, room, shown, isNumber ? Qt::AlignRight : Qt::AlignLeft);
        painter->setPen(colors().line);
        painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
        painter->drawLine(option.rect.topRight(), option.rect.bottomRight());
        const auto *view = qobject_cast<const QAbstractItemView *>(option.widget);
        if (view && view->currentIndex() == index && (view->hasFocus() || view->viewport()->hasFocus())) {
            painter->setPen(QPen(colors().accent, 2));
            painter->drawRect(option.rect.adjusted(1, 1, -1, -1));
        }
        painter->restore();
    }

private:
    static bool isEmptyString(const QModelIndex &index, json::Kind kind)
    {
        const auto *model = static_cast<const TableModel *>(index.model());
        return kind == json::Kind::String && model->value(index).slice().size() == 2;
    }
};

QStringList cellTextsOf(const QByteArray &item, const QList<TableColumn> &columns, int first, int last)
{
    const json::Value value = json::parse(item);
    QStringList texts;
    for (int column = first; column <= last; ++column) {
        const json::Value cell = value.isObject() ? value[columns.at(column).name] : json::Value();
        texts.append(cell.isString() ? cell.string() : QString::fromUtf8(cell.bytes()));
    }
    return texts;
}

}  // namespace

class TableEditor::View final : public QTableView {
public:
    explicit View(TableEditor *owner) : QTableView(owner), m_owner(owner)
    {
        setUpRows(this, ExtraRowHeight);
        setSelectionBehavior(SelectItems);
        setSelectionMode(ContiguousSelection);
        setVerticalScrollMode(ScrollPerPixel);
        setHorizontalScrollMode(ScrollPerPixel);
        setContextMenuPolicy(Qt::DefaultContextMenu);
        setAttribute(Qt::WA_InputMethodEnabled);
        setItemDelegate(new FormCellDelegate(this));
        setCornerButtonEnabled(false);
        verticalHeader()->show();
        verticalHeader()->setHighlightSections(false);
        verticalHeader()->setMinimumWidth(NumbersWidth);
        verticalHeader()->setDefaultAlignment(Qt::AlignRight | Qt::AlignVCenter);
        horizontalHeader()->setMinimumSectionSize(LeastColumn);
        horizontalHeader()->setStretchLastSection(true);
    }

    QModelIndex moved(CursorAction action) { return moveCursor(action, Qt::NoModifier); }

protected:
    bool event(QEvent *event) override
    {
        if (event->type() == QEvent::ShortcutOverride) {
            const auto *key = static_cast<QKeyEvent *>(event);
            // These keys mean previous and next call elsewhere.
            const bool isMove =
                key->modifiers() == Qt::AltModifier && (key->key() == Qt::Key_Up || key->key() == Qt::Key_Down);
            if (isMove || key->matches(QKeySequence::Copy) || key->matches(QKeySequence::Paste) ||
                key->matches(QKeySequence::Cut)) {
                event->accept();
                return true;
            }
        }
        return QTableView::event(event);
    }

    void keyPressEvent(QKeyEvent *event) override
    {
        if (!m_owner->handleKey(event))
            QTableView::keyPressEvent(event);
    }

    bool focusNextPrevChild(bool next) override
    {
        return m_owner->stepInOrder(next) || QTableView::focusNextPrevChild(next);
    }

    void inputMethodEvent(QInputMethodEvent *event) override { m_owner->startCell(currentIndex(), event); }

    void mouseDoubleClickEvent(QMouseEvent *event) override
    {
        if (event->button() == Qt::LeftButton)
            m_owner->startCell(indexAt(event->pos()));
    }

    void contextMenuEvent(QContextMenuEvent *event) override
    {
        if (m_owner->m_isBusy)
            return;
        auto *menu = new QMenu(this);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->setObjectName(u"tableMenu"_s);
        m_owner->fillMenu(menu);
        const QPoint at = event->reason() == QContextMenuEvent::Keyboard
                              ? viewport()->mapToGlobal(visualRect(currentIndex()).center())
                              : event->globalPos();
        menu->popup(at);
    }

    void focusInEvent(QFocusEvent *event) override
    {
        QTableView::focusInEvent(event);
        if (!currentIndex().isValid())
            setCurrentIndex(model()->index(0, 0));
        m_owner->sayState();
    }

    void resizeEvent(QResizeEvent *event) override
    {
        QTableView::resizeEvent(event);
        m_owner->placeCell();
        m_owner->fit();
    }

    void scrollContentsBy(int dx, int dy) override
    {
        QTableView::scrollContentsBy(dx, dy);
        m_owner->placeCell();
    }

private:
    TableEditor *m_owner;
};

struct TableEditor::Pasted {
    QList<TableModel::Cell> cells;
    qsizetype row = 0;  // the first
    qsizetype rows = 0;
    int columns = 0;      // to the right of the last
    QStringList leftOut;  // titles of columns that the table does not have
    bool isCut = false;   // a row had more cells than there are columns
};

TableEditor::TableEditor(FormContext *context, const Draft::Ptr &draft, const Shape &shape, const QString &label,
                         QWidget *parent)
    : Editor(context, draft, shape, parent),
      m_label(label),
      m_model(new TableModel(context, draft, shape, this)),
      m_view(new View(this)),
      m_state(new TextLabel({}, this))
{
    m_view->setModel(m_model);
    m_view->setAccessibleName(tr("Table of %1").arg(visibleLine(label, 60)));
    m_state->setFont(smallFont());
    m_state->setElided(true);
    m_state->setMinimumWidth(20);
    auto *column = new ColumnLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(Grid / 2);
    column->addWidget(m_view);
    column->addWidget(m_state);
    measure();
    connect(m_model, &TableModel::edited, this, &TableEditor::onEdited);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex &index) {
        if (m_cell && index != m_cellIndex)
            endCell();
        m_letter.clear();
        sayState();
    });
    for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(m_model, signal, this, &TableEditor::fit);
    connect(m_model, &QAbstractItemModel::modelReset, this, &TableEditor::fit);
    connect(m_view->horizontalHeader(), &QHeaderView::sectionResized, this, [this](int resized) {
        if (!m_isFitting && resized + 1 < m_model->columnCount())  // the last takes what is left
            m_widths.clear();
    });
    fit();
    setFilter(m_context->filterAt(m_draft->pointer()));
}

// What each column needs for its title and the first rows.
void TableEditor::measure()
{
    const QFontMetrics texts(m_view->font());
    for (int column = 0; column < m_model->columnCount(); ++column) {
        const bool isText = m_model->columns().at(column).shape.kind == Shape::Kind::Text;
        const QString title = m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        const QString hint = m_model->index(m_model->rowCount() - 1, column).data().toString();  // of the empty row
        int width =
            std::max({texts.horizontalAdvance(title), texts.horizontalAdvance(hint), isText ? LeastTextColumn : 0});
        for (int row = 0; row < std::min(RowsFitted, m_model->rowCount() - 1) && width < WidestColumn; ++row)
            width = std::max(width, texts.horizontalAdvance(m_model->index(row, column).data().toString()));
        m_widths.append(std::clamp(width + 3 * Grid, LeastColumn, WidestColumn));
    }
}

// Texts share the room that is left, until the user chooses the widths.
void TableEditor::fitColumns()
{
    if (m_widths.isEmpty())
        return;
    QList<int> takers;
    for (int column = 0; column < m_model->columnCount(); ++column) {
        if (m_model->columns().at(column).shape.kind == Shape::Kind::Text)
            takers.append(column);
    }
    const int rest = m_view->viewport()->width() - std::accumulate(m_widths.cbegin(), m_widths.cend(), 0);
    const int more = takers.isEmpty() ? 0 : std::max(0, rest) / int(takers.size());
    const QScopedValueRollback<bool> fitting(m_isFitting, true);
    for (int column = 0; column < m_model->columnCount(); ++column)
        m_view->setColumnWidth(column, m_widths.at(column) + (takers.contains(column) ? more : 0));
}

bool TableEditor::canShow(const FormContext &context, const Shape &shape)
{
    return !tableColumnsOf(context, shape).isEmpty();
}

QWidget *TableEditor::control() const
{
    return m_view;
}

qsizetype TableEditor::rankOf(const QString &token) const
{
    return token.toLongLong();
}

void TableEditor::rename(const QString &pointer)
{
    m_view->setObjectName("table:"_L1 + pointer);
    m_state->setObjectName("tableState:"_L1 + pointer);
}

bool TableEditor::goTo(const QStringList &tokens)
{
    bool isNumber = false;
    const qsizetype sent = tokens.value(0).toLongLong(&isNumber);
    if (!isNumber)
        return false;
    int column = 0;
    for (int at = 0; at < m_model->columnCount(); ++at) {
        if (m_model->columns().at(at).name == tokens.value(1))
            column = at;
    }
    const qsizetype row = std::min(m_model->rowOf(sent), m_model->itemCount());
    if (m_view->isRowHidden(int(row))) {  // such as one with a problem
        m_view->showRow(int(row));
        fit();
    }
    setCurrent(row, column);
    sayState();
    return true;
}

void TableEditor::setInnerIssues(const QList<FormIssue> &issues)
{
    m_model->setIssues(issues, m_draft->pointer().tokens().size());
    sayState();
}

// The view stays where it is.
bool TableEditor::reload()
{
    if (m_draft->isPresent() && m_draft->kind() != json::Kind::Array)
        return false;
    const QModelIndex current = m_view->currentIndex();
    const int top = m_view->verticalScrollBar()->value();
    ++m_pasteRun;
    m_isBusy = false;
    endCell();
    m_model->reload();
    if (current.isValid())
        setCurrent(std::min(qsizetype(current.row()), m_model->itemCount()), current.column());
    setFilter(m_context->filterAt(m_draft->pointer()));
    m_view->verticalScrollBar()->setValue(top);
    return true;
}

// Rows without a value, and the empty one, are no items of what was searched: they stay visible.
void TableEditor::setFilter(const FieldFilter *filter)
{
    QList<int> hidden;
    const QSet<qsizetype> blank = filter ? m_draft->blankRows() : QSet<qsizetype>();
    qsizetype sent = 0;
    for (int row = 0; filter && row < m_model->itemCount(); ++row) {
        if (!blank.contains(row) && !filter->shows(QString::number(sent++)))
            hidden.append(row);
    }
    hideRows(hidden);
}

QList<int> TableEditor::hiddenRows() const
{
    QList<int> rows;
    const QHeaderView *header = m_view->verticalHeader();
    for (int row = 0; header->hiddenSectionCount() > 0 && row < header->count(); ++row) {
        if (header->isSectionHidden(row))
            rows.append(row);
    }
    return rows;
}

void TableEditor::hideRows(const QList<int> &rows)
{
    QHeaderView *header = m_view->verticalHeader();
    const QList<int> before = hiddenRows();
    if (rows != before) {
        endCell();
        header->setUpdatesEnabled(false);  // otherwise the place of each row is worked out again
        for (const int row : before)
            header->showSection(row);
        for (const int row : rows)
            header->hideSection(row);
        header->setUpdatesEnabled(true);
        const QModelIndex current = m_view->currentIndex();
        if (current.isValid() && m_view->isRowHidden(current.row()))
            setCurrent(shownFrom(current.row(), 1), current.column());
        fit();
    }
    sayState();
}

// The next row that is visible, from here on.
int TableEditor::shownFrom(int row, int by) const
{
    while (row >= 0 && row < m_model->rowCount() && m_view->isRowHidden(row))
        row += by;
    return row;
}

void TableEditor::fit()
{
    fitColumns();
    const int shown = std::min(m_model->rowCount() - m_view->verticalHeader()->hiddenSectionCount(), MaxShownRows);
    int width = m_view->verticalHeader()->sizeHint().width() + 2 * m_view->frameWidth();
    for (int column = 0; column < m_model->columnCount(); ++column)
        width += column + 1 < m_model->columnCount() ? m_view->columnWidth(column) : LeastColumn;
    const int bar = width > m_view->width() ? m_view->horizontalScrollBar()->sizeHint().height() : 0;
    const int height = m_view->horizontalHeader()->sizeHint().height() +
                       shown * m_view->verticalHeader()->defaultSectionSize() + bar + 2 * m_view->frameWidth();
    if (m_view->minimumHeight() != height)
        m_view->setFixedHeight(height);
}

void TableEditor::sayState()
{
    const QModelIndex current = m_view->currentIndex();
    QString issue = current.data(TableModel::IssueRole).toString();
    const bool isWrong = !issue.isEmpty();
    if (issue.isEmpty())
        issue = current.data(TableModel::RemarkRole).toString();
    const qsizetype count = m_model->itemCount();
    const int hidden = m_view->verticalHeader()->hiddenSectionCount();
    const QString rows = hidden == 0
                             ? counted(count, tr("1 row"), tr("%1 rows"))
                             : counted(count, tr("%1 of 1 row"), tr("%2 of %1 rows")).arg(grouped(count - hidden));
    QString text = issue.isEmpty() ? m_report : sign(isWrong ? Tone::ToolError : Tone::Finding) + u' ' + issue;
    if (text.isEmpty())
        text = rows;
    else if (hidden > 0)
        text = tr("%1 · %2").arg(rows, text);
    m_state->setTone(issue.isEmpty() ? Tone::Neutral : isWrong ? Tone::ProtocolError : Tone::Finding);
    m_state->setDim(issue.isEmpty());
    if (m_state->text() == text)
        return;
    m_state->setText(text);
    m_state->setToolTip(plainToolTip(text));
}

void TableEditor::onEdited()
{
    m_report.clear();
    sayState();
    Q_EMIT edited();
}

void TableEditor::setCurrent(qsizetype row, int column)
{
    const QModelIndex index = m_model->index(int(row), column);
    m_view->setCurrentIndex(index);
    m_view->scrollTo(index);
}

bool TableEditor::step(int rows, int columns)
{
    const QModelIndex current = m_view->currentIndex();
    const int row = rows == 0 ? current.row() : shownFrom(current.row() + rows, rows);
    const int column = current.column() + columns;
    if (row < 0 || row >= m_model->rowCount() || column < 0 || column >= m_model->columnCount())
        return false;
    setCurrent(row, column);
    return true;
}

// At the end of a row to the next one; out of the table from the empty row.
bool TableEditor::stepInOrder(bool next)
{
    const QModelIndex current = m_view->currentIndex();
    const bool isEmptyRow = current.row() == m_model->itemCount();
    if (!current.isValid() || (next && isEmptyRow))
        return false;
    if (step(0, next ? 1 : -1))
        return true;
    const int row = shownFrom(current.row() + (next ? 1 : -1), next ? 1 : -1);
    if (row < 0)
        return false;
    setCurrent(row, next ? 0 : m_model->columnCount() - 1);
    return true;
}

// What is typed into a cell that has choices is kept, even if it is none of them.
Editor *TableEditor::makeCell(const QModelIndex &index, bool isTyped)
{
    const Draft::Ptr draft = m_model->beginCell(index);
    const TableColumn &column = m_model->columns().at(index.column());
    Shape shape = column.shape;
    m_isTyping = isTyped && (shape.kind == Shape::Kind::Boolean || shape.kind == Shape::Kind::Choice) &&
                 ChoiceEditor::canHold(draft);
    if (!m_isTyping)
        return makeEditor(m_context, draft, shape, column.name, m_view->viewport());
    if (shape.kind == Shape::Kind::Boolean) {
        static const json::Value values = json::parse("[true,false,null]");
        for (qsizetype i = 0; i < (shape.nullable ? 3 : 2); ++i)
            shape.choices.append(values.at(i));
    }
    auto *cell = new ChoiceEditor(m_context, draft, shape, m_view->viewport());
    cell->setTyped();
    m_context->watch(cell);
    return cell;
}

void TableEditor::startCell(const QModelIndex &index, QEvent *typed)
{
    const QPersistentModelIndex at = index;  // rows may go
    endCell();
    if (m_isBusy || !m_model->isEditable(at))
        return;
    m_view->setCurrentIndex(at);
    m_view->scrollTo(at);
    m_cellIndex = at;
    m_cell = makeCell(at, typed);
    m_cellBefore = m_cell->draft()->bytes();
    m_wasCellEdited = false;
    m_cell->setAutoFillBackground(true);
    m_cell->setBackgroundRole(QPalette::Base);
    QWidget *input = m_cell->control();
    input->setObjectName(u"cell"_s);
    input->setAccessibleName(tr("%1, row %2").arg(m_model->columnTitle(at.column())).arg(at.row() + 1));
    // As one line: a text of several is as high as it needs to be.
    if (auto *text = qobject_cast<GrowingTextEdit *>(input)) {
        text->setSingleLine(true);
        text->setLines(1, 8);
    }
    m_cell->installEventFilter(this);
    const QList<QWidget *> inner = m_cell->findChildren<QWidget *>();
    for (QWidget *widget : inner)
        widget->installEventFilter(this);
    // An open list takes the choice as soon as Enter is announced; the key that follows is not for the cell.
    if (const auto *list = qobject_cast<QComboBox *>(input)) {
        connect(list, &QComboBox::activated, this, [this] {
            m_isChoosing = true;
            QMetaObject::invokeMethod(
                this, [this] { m_isChoosing = false; }, Qt::QueuedConnection);
        });
    }
    connect(m_cell, &Editor::edited, this, [this] {
        m_wasCellEdited = true;
        m_model->cellEdited(m_cellIndex);
        placeCell();
    });
    placeCell();
    m_cell->show();
    input->setFocus();
    if (auto *text = qobject_cast<GrowingTextEdit *>(input))
        text->selectAll();
    else if (auto *line = qobject_cast<QLineEdit *>(input))
        line->selectAll();
    auto *list = qobject_cast<QComboBox *>(input);
    if (list && list->lineEdit())
        list->lineEdit()->selectAll();
    if (const QString letter = std::exchange(m_letter, QString()); m_isTyping && !letter.isEmpty())
        list->lineEdit()->insert(letter);
    if (typed)
        QApplication::sendEvent(input, typed);
    else if (list)
        list->showPopup();
}

// What was typed is in the draft already.
void TableEditor::endCell()
{
    if (!m_cell)
        return;
    m_context->settle();
    Editor *cell = std::exchange(m_cell, nullptr);
    const bool hadFocus = cell->isAncestorOf(QApplication::focusWidget());
    cell->disconnect(this);
    cell->control()->blockSignals(true);  // a list would choose what its line says when that loses the focus
    cell->setObjectName(QString());
    cell->control()->setObjectName(QString());
    if (hadFocus)
        m_view->setFocus();
    m_context->discard(cell);
    m_model->finishCell();
    m_cellIndex = QModelIndex();
}

void TableEditor::placeCell()
{
    if (!m_cell)
        return;
    if (!m_cellIndex.isValid())
        return endCell();
    const QRect cell = m_view->visualRect(m_cellIndex);
    const QSize wanted = m_cell->sizeHint();
    const bool isText = qobject_cast<GrowingTextEdit *>(m_cell->control()) != nullptr;
    const int width = std::max(cell.width(), isText ? 160 : wanted.width());
    const int room = m_view->viewport()->width();
    const int left = std::max(0, std::min(cell.left(), room - width));
    const int height = std::max(cell.height(), wanted.height());
    const int top = std::max(0, std::min(cell.top(), m_view->viewport()->height() - height));
    m_cell->setGeometry(left, top, std::min(width, room), height);
}

bool TableEditor::eventFilter(QObject *watched, QEvent *event)
{
    if (!m_cell || !watched->isWidgetType())
        return Editor::eventFilter(watched, event);
    if (event->type() == QEvent::ShortcutOverride) {
        const auto *key = static_cast<QKeyEvent *>(event);
        if (key->key() == Qt::Key_Escape && !QApplication::activePopupWidget()) {
            event->accept();
            return true;
        }
    } else if (event->type() == QEvent::KeyPress && isEnter(static_cast<QKeyEvent *>(event)) &&
               std::exchange(m_isChoosing, false)) {
        return true;
    } else if (event->type() == QEvent::KeyPress && handleCellKey(static_cast<QKeyEvent *>(event))) {
        return true;
    } else if (event->type() == QEvent::FocusOut) {
        const QWidget *now = QApplication::focusWidget();
        const bool isWithin = now && (now == m_cell || m_cell->isAncestorOf(now));
        if (now && !isWithin && !QApplication::activePopupWidget())
            QMetaObject::invokeMethod(
                m_cell, [this, cell = m_cell] { cell == m_cell ? endCell() : void(); }, Qt::QueuedConnection);
    }
    return Editor::eventFilter(watched, event);
}

bool TableEditor::handleCellKey(QKeyEvent *event)
{
    if (QApplication::activePopupWidget())
        return false;
    const bool isTab = event->key() == Qt::Key_Tab || event->key() == Qt::Key_Backtab;
    const bool isEscape = event->key() == Qt::Key_Escape;
    const bool isEnd = isEnter(event) && (event->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
    const bool isArrow = m_isTyping && event->modifiers() == Qt::NoModifier &&
                         (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down);
    if (!isTab && !isEscape && !isEnd && !isArrow)
        return false;
    if (isEscape && m_wasCellEdited) {
        m_context->settle();
        const Draft::Ptr draft = m_cell->draft();
        m_context->history.noteTyping(draft.get());
        if (m_cellBefore.isEmpty())
            draft->retract();
        else
            draft->assign(m_cellBefore);
        m_model->cellEdited(m_cellIndex);
    }
    const bool isBack = event->key() == Qt::Key_Backtab || event->modifiers().testFlag(Qt::ShiftModifier);
    endCell();
    if (isTab)
        stepInOrder(!isBack);
    else if (isEnd || isArrow)
        step(event->key() == Qt::Key_Up ? -1 : 1, 0);
    return true;
}

bool TableEditor::handleKey(QKeyEvent *event)
{
    const Qt::KeyboardModifiers modifiers = event->modifiers() & ~Qt::KeypadModifier;
    const QModelIndex current = m_view->currentIndex();
    const bool isPlain = modifiers == Qt::NoModifier;
    const bool isMove = modifiers == Qt::AltModifier;
    if (event->matches(QKeySequence::Undo) || event->matches(QKeySequence::Redo) || isCtrlEnter(event) ||
        event->key() == Qt::Key_Escape) {
        event->ignore();
        return true;
    }
    if (m_isBusy)
        return true;
    const QString letter = std::exchange(m_letter, QString());
    if (event->matches(QKeySequence::Copy) || event->matches(QKeySequence::Cut)) {
        copy(false);
        if (event->matches(QKeySequence::Cut))
            setCells({});
    } else if (event->matches(QKeySequence::Paste)) {
        paste();
    } else if (isMove && (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down)) {
        moveRow(event->key() == Qt::Key_Up ? -1 : 1);
    } else if (event->key() == Qt::Key_Backspace && modifiers == Qt::ControlModifier) {
        removeRows();
    } else if (isPlain && (event->key() == Qt::Key_Delete || event->key() == Qt::Key_Backspace)) {
        setCells({});
    } else if (isEnter(event) && (isPlain || modifiers == Qt::ShiftModifier)) {
        step(isPlain ? 1 : -1, 0);
    } else if (isPlain && event->key() == Qt::Key_F2) {
        startCell(current);
    } else if (isPlain && event->key() == Qt::Key_Space && m_model->isEditable(current) &&
               m_model->columns().at(current.column()).shape.kind == Shape::Kind::Boolean) {
        toggle();
    } else if (!event->text().isEmpty() && event->text().at(0).isPrint() &&
               !(modifiers & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) &&
               m_model->isEditable(current)) {
        const Shape &shape = m_model->columns().at(current.column()).shape;
        const QString text = event->text().toLower();
        const QByteArray value = text == "t"_L1                     ? "true"_ba
                                 : text == "f"_L1                   ? "false"_ba
                                 : text == "n"_L1 && shape.nullable ? "null"_ba
                                                                    : QByteArray();
        if (shape.kind == Shape::Kind::Boolean && !value.isEmpty()) {
            setCells(value);
            m_letter = event->text();
        } else {
            m_letter = letter;
            startCell(current, event);
        }
    } else {
        return false;
    }
    event->accept();
    return true;
}

QList<QModelIndex> TableEditor::selectedCells() const
{
    QList<QModelIndex> cells;
    const QItemSelection selection = m_view->selectionModel()->selection();
    for (const QItemSelectionRange &range : selection) {
        for (int row = range.top(); row <= range.bottom(); ++row) {
            if (m_view->isRowHidden(row))
                continue;
            for (int column = range.left(); column <= range.right(); ++column)
                cells.append(m_model->index(row, column));
        }
    }
    if (cells.isEmpty() && m_view->currentIndex().isValid())
        cells.append(m_view->currentIndex());
    return cells;
}

QList<qsizetype> TableEditor::selectedItems() const
{
    qsizetype first = m_view->currentIndex().row();
    qsizetype last = first;
    const QItemSelection selection = m_view->selectionModel()->selection();
    for (const QItemSelectionRange &range : selection) {
        first = std::min(first, qsizetype(range.top()));
        last = std::max(last, qsizetype(range.bottom()));
    }
    QList<qsizetype> rows;
    for (qsizetype row = std::max(qsizetype(0), first); row <= std::min(last, m_model->itemCount() - 1); ++row) {
        if (!m_view->isRowHidden(int(row)))
            rows.append(row);
    }
    return rows;
}

void TableEditor::setCells(const QByteArray &json)
{
    const QModelIndex current = m_view->currentIndex();
    QList<TableModel::Cell> cells;
    const QList<QModelIndex> selected = selectedCells();
    constexpr qsizetype few = 1000;  // of these one looks whether there is anything to do
    const bool areMany = selected.size() > few;
    for (const QModelIndex &index : selected) {
        const bool isNew = index.row() >= m_model->itemCount();
        if (m_model->isEditable(index) && !(isNew && json.isEmpty()) &&
            (areMany || m_model->value(index).bytes() != json))
            cells.append({index.row(), index.column(), json});
    }
    if (cells.isEmpty())
        return;
    const std::pair first(selected.constFirst().row(), selected.constFirst().column());
    const std::pair last(selected.constLast().row(), selected.constLast().column());
    const int row = current.row();
    const int column = current.column();
    m_isBusy = true;
    m_model->write(cells, [this, first, last, row, column, hidden = hiddenRows()] {
        m_isBusy = false;
        hideRows(hidden);
        setCurrent(row, column);
        m_view->selectionModel()->select(
            QItemSelection(m_model->index(first.first, first.second), m_model->index(last.first, last.second)),
            QItemSelectionModel::ClearAndSelect);
    });
}

void TableEditor::toggle()
{
    const bool isTrue = m_model->value(m_view->currentIndex()).bytes() == "true";
    setCells(isTrue ? "false"_ba : "true"_ba);
}

void TableEditor::removeRows()
{
    const QList<qsizetype> rows = selectedItems();
    if (rows.isEmpty())
        return;
    const int column = std::max(0, m_view->currentIndex().column());
    QList<int> hidden;
    const QList<int> before = hiddenRows();
    for (const int row : before)
        hidden.append(row - int(std::lower_bound(rows.cbegin(), rows.cend(), row) - rows.cbegin()));
    m_model->removeItems(rows);
    hideRows(hidden);
    setCurrent(shownFrom(int(std::min(rows.constFirst(), m_model->itemCount())), 1), column);
}

void TableEditor::moveRow(int by)
{
    const QModelIndex current = m_view->currentIndex();
    const qsizetype to = shownFrom(current.row() + by, by);
    if (!current.isValid() || current.row() >= m_model->itemCount() || to < 0 || to >= m_model->itemCount())
        return;
    const int column = current.column();
    m_model->moveItem(current.row(), to);
    setCurrent(to, column);
}

void TableEditor::copy(bool withHeader)
{
    const QList<QModelIndex> cells = selectedCells();
    if (cells.isEmpty())
        return;
    const int left = cells.constFirst().column();
    const int right = cells.constLast().column();
    const int top = cells.constFirst().row();
    QByteArrayList items;
    const QByteArrayList between = m_model->rows(top, cells.constLast().row() - top + 1);
    for (qsizetype i = 0; i < between.size(); ++i) {
        if (!m_view->isRowHidden(top + int(i)))
            items.append(between.at(i));
    }
    const std::function<QString()> write = [items, columns = m_model->columns(), left, right, withHeader] {
        QList<QStringList> rows;
        if (withHeader) {
            QStringList names;
            for (int column = left; column <= right; ++column)
                names.append(columns.at(column).name);
            rows.append(names);
        }
        for (const QByteArray &item : items)
            rows.append(cellTextsOf(item, columns, left, right));
        const QString text = tabSeparated(rows);
        return rows.size() == 1 && left == right ? rows.constFirst().constFirst() : text;
    };
    const std::function<void(const QString &)> put = [](const QString &text) {
        QGuiApplication::clipboard()->setText(text);
    };
    constexpr qsizetype manyRows = 500;
    if (items.size() > manyRows)
        runInBackground(this, write, put);
    else
        put(write());
}

void TableEditor::paste()
{
    const QString text = QGuiApplication::clipboard()->text();
    const QModelIndex current = m_view->currentIndex();
    if (text.isEmpty() || !current.isValid())
        return;
    const std::function<Pasted()> read = [text, columns = m_model->columns(), row = qsizetype(current.row()),
                                          left = current.column()] {
        const auto columnOf = [&columns](const QString &title) {
            const QString name = title.trimmed();
            for (int at = 0; at < columns.size(); ++at) {
                const TableColumn &column = columns.at(at);
                if (name.compare(column.name, Qt::CaseInsensitive) == 0 ||
                    (!name.isEmpty() && name.compare(column.shape.text(u"title").trimmed(), Qt::CaseInsensitive) == 0))
                    return at;
            }
            return -1;
        };
        const auto isHeader = [&columnOf](const QStringList &first) {
            const auto known =
                std::count_if(first.cbegin(), first.cend(), [&](const QString &title) { return columnOf(title) >= 0; });
            return known > 0 && 2 * known > first.size();
        };
        QList<QStringList> rows = cellsOf(text, columns.size(), isHeader);
        Pasted pasted;
        QList<int> targets;
        if (rows.size() > 1 && isHeader(rows.constFirst())) {
            const QStringList titles = rows.takeFirst();
            for (const QString &title : titles) {
                targets.append(columnOf(title));
                if (targets.constLast() < 0)
                    pasted.leftOut.append(title.trimmed());
            }
        } else {
            for (int at = left; at < columns.size(); ++at)
                targets.append(at);
        }
        pasted.row = row;
        pasted.rows = rows.size();
        for (qsizetype at = 0; at < rows.size(); ++at) {
            const QStringList &cells = rows.at(at);
            pasted.isCut = pasted.isCut || cells.size() > targets.size();
            for (qsizetype i = 0; i < std::min(cells.size(), targets.size()); ++i) {
                const int column = targets.at(i);
                if (column < 0 || columns.at(column).shape.kind == Shape::Kind::Constant)
                    continue;
                pasted.columns = std::max(pasted.columns, column + 1);
                pasted.cells.append({row + at, column, columns.at(column).jsonOf(cells.at(i))});
            }
        }
        return pasted;
    };
    if (text.size() < BackgroundBytes)
        return takePasted(read());
    m_isBusy = true;
    m_report = tr("Pasting…");
    sayState();
    runInBackground<Pasted>(this, read, [this, run = ++m_pasteRun](const Pasted &pasted) {
        if (run != m_pasteRun)
            return;
        m_isBusy = false;
        takePasted(pasted);
    });
}

void TableEditor::takePasted(const Pasted &pasted)
{
    if (pasted.cells.isEmpty())
        return showPasted(pasted);
    // Into the rows that are visible, and then below the last one.
    Pasted placed = pasted;
    const QList<int> hidden = hiddenRows();
    if (!hidden.isEmpty()) {
        QList<qsizetype> targets;
        for (qsizetype row = pasted.row; targets.size() < pasted.rows; ++row) {
            if (row >= m_model->itemCount() || !m_view->isRowHidden(int(row)))
                targets.append(row);
        }
        for (TableModel::Cell &cell : placed.cells)
            cell.row = targets.at(cell.row - pasted.row);
        placed.rows = targets.constLast() - pasted.row + 1;
    }
    m_isBusy = true;
    m_model->write(placed.cells, [this, placed, hidden] {
        m_isBusy = false;
        hideRows(hidden);
        showPasted(placed);
    });
}

void TableEditor::showPasted(const Pasted &pasted)
{
    const auto row = int(pasted.row);
    const int column = m_view->currentIndex().column();
    m_report.clear();
    setCurrent(row, std::max(0, column));
    const int left = pasted.cells.isEmpty() ? column : pasted.cells.constFirst().column;
    const int last = int(std::min(row + pasted.rows, m_model->itemCount())) - 1;
    if (last >= row && pasted.columns > 0) {
        m_view->selectionModel()->select(QItemSelection(m_model->index(row, std::min(left, pasted.columns - 1)),
                                                        m_model->index(last, pasted.columns - 1)),
                                         QItemSelectionModel::ClearAndSelect);
    }
    if (!pasted.leftOut.isEmpty())
        m_report = tr("Not pasted, no such column: %1").arg(visibleLine(pasted.leftOut.join(u", "_s), 200));
    else if (pasted.isCut)
        m_report = tr("Not pasted: cells to the right of the last column");
    sayState();
}

void TableEditor::fillMenu(QMenu *menu)
{
    const QModelIndex current = m_view->currentIndex();
    const auto add = [this, menu](const QString &text, const QString &name, bool isEnabled, auto &&act) {
        QAction *action = menu->addAction(text);
        action->setObjectName(name);
        action->setEnabled(isEnabled);
        connect(action, &QAction::triggered, this, act);
    };
    if (current.isValid() && m_model->isEditable(current)) {
        const Shape &shape = m_model->columns().at(current.column()).shape;
        add(tr("Edit") + u"\tF2"_s, u"cell-edit"_s, true, [this] { startCell(m_view->currentIndex()); });
        menu->addSeparator();
        add(tr("Omitted") + u'\t' + keyText(QKeyCombination(Qt::Key_Delete)), u"cell-omit"_s, true,
            [this] { setCells({}); });
        if (shape.kind == Shape::Kind::Text)
            add(tr("Empty string"), u"cell-empty"_s, true, [this] { setCells("\"\""); });
        if (shape.nullable)
            add(tr("Null"), u"cell-null"_s, true, [this] { setCells("null"); });
        if (const QString value = defaultText(shape); !value.isEmpty()) {
            add(tr("Default: %1").arg(value).replace(u'&', "&&"_L1), u"cell-default"_s, true,
                [this, json = json::compact(shape.keyword(u"default"))] { setCells(json); });
        }
        menu->addSeparator();
    }
    const bool isItem = current.isValid() && current.row() < m_model->itemCount();
    add(tr("Copy") + u'\t' + QKeySequence(QKeySequence::Copy).toString(QKeySequence::NativeText), u"cells-copy"_s,
        isItem, [this] { copy(false); });
    add(tr("Copy with header"), u"cells-copy-header"_s, isItem, [this] { copy(true); });
    add(tr("Paste") + u'\t' + QKeySequence(QKeySequence::Paste).toString(QKeySequence::NativeText), u"cells-paste"_s,
        current.isValid(), [this] { paste(); });
    menu->addSeparator();
    add(tr("Insert row above"), u"row-insert"_s, isItem, [this] {
        const QModelIndex at = m_view->currentIndex();
        m_model->insertItem(at.row());
        setCurrent(at.row(), at.column());
    });
    add(counted(std::max(qsizetype(1), selectedItems().size()), tr("Remove row"), tr("Remove %1 rows")) + u'\t' +
            keyText(Qt::CTRL | Qt::Key_Backspace),
        u"rows-remove"_s, isItem, [this] { removeRows(); });
}

}  // namespace sonde::ui
