// SPDX-License-Identifier: Apache-2.0
#include "ui/form/tablemodel.h"

#include "core/json/builder.h"
#include "core/protocol/visibletext.h"
#include "core/shape/alternatives.h"
#include "core/shape/typehint.h"
#include "ui/form/hints.h"
#include "ui/form/numbereditor.h"
#include "ui/json/background.h"
#include "ui/theme/widgets.h"

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr qsizetype MaxColumns = 60;
constexpr qsizetype MaxCellText = 300;

bool isSingleValue(const Shape &shape)
{
    switch (shape.kind) {
        case Shape::Kind::Text:
        case Shape::Kind::Number:
        case Shape::Kind::Boolean:
        case Shape::Kind::Choice:
        case Shape::Kind::Constant:
            return true;
        default:
            return false;
    }
}

// Items that are blank are not sent.
QByteArray listOf(QByteArrayList items)
{
    items.removeAll(QByteArray());
    return '[' + items.join(',') + ']';
}

QByteArray listWith(QByteArrayList items, const QList<TableModel::Cell> &cells, const QStringList &names,
                    const QByteArray &fresh)
{
    for (qsizetype i = 0; i < cells.size();) {
        const qsizetype row = cells.at(i).row;
        while (items.size() <= row)
            items.append(fresh.isEmpty() ? "{}"_ba : fresh);
        const bool isWritable = items.at(row).isEmpty() || items.at(row).startsWith('{');
        const Draft::Ptr item = Draft::make(items.at(row).isEmpty() ? "{}"_ba : items.at(row));
        item->setOrder(names);
        for (; i < cells.size() && cells.at(i).row == row; ++i) {
            const TableModel::Cell &cell = cells.at(i);
            const Draft::Ptr member = item->member(names.at(cell.column));
            if (cell.json.isEmpty())
                member->retract();
            else
                member->assign(cell.json);
        }
        if (isWritable)
            items[row] = item->bytes();
    }
    return listOf(items);
}

}  // namespace

QByteArray TableColumn::jsonOf(const QString &text) const
{
    if (text.isEmpty())
        return {};
    const QString plain = text.trimmed();
    if (shape.nullable && shape.kind != Shape::Kind::Text && plain == "null"_L1)
        return "null"_ba;
    switch (shape.kind) {
        case Shape::Kind::Number:
            return plain.isEmpty() ? QByteArray() : NumberEditor::jsonOf(plain);
        case Shape::Kind::Boolean:
            if (plain.compare("true"_L1, Qt::CaseInsensitive) == 0)
                return "true"_ba;
            if (plain.compare("false"_L1, Qt::CaseInsensitive) == 0)
                return "false"_ba;
            break;
        case Shape::Kind::Choice:
        case Shape::Kind::Constant:
            if (const qsizetype index = shape.choices.indexOfLabel(text); index >= 0)
                return shape.choices.json(index);
            break;
        default:
            break;
    }
    return json::quoted(text);
}

QList<TableColumn> tableColumnsOf(const FormContext &context, const Shape &list)
{
    if (list.kind != Shape::Kind::List || list.tuple().exists())
        return {};
    const ShapeReader &reader = context.reader();
    const Shape item = reader.item(list, 0);
    const QStringList names = item.propertyNames();
    if (item.kind != Shape::Kind::Object || names.size() > MaxColumns || item.hasConditions() ||
        alternativesOf(item).count() > 0)
        return {};
    QList<TableColumn> columns;
    for (const QString &name : names) {
        const Shape member = reader.property(item, name);
        if (!isSingleValue(member) || looksSecret(name, member))
            return {};
        columns.append({name, member, item.isRequired(name)});
    }
    return columns;
}

TableModel::TableModel(FormContext *context, const Draft::Ptr &list, const Shape &shape, QObject *parent)
    : QAbstractTableModel(parent),
      m_context(context),
      m_list(list),
      m_item(context->reader().item(shape, 0)),
      m_columns(tableColumnsOf(*context, shape))
{
    reload();
}

void TableModel::reload()
{
    ++m_run;
    beginResetModel();
    m_items = m_list->items();
    m_hasBlank = std::any_of(m_items.cbegin(), m_items.cend(), [](const auto &item) { return !item->isPresent(); });
    m_begun.reset();
    m_readItem = nullptr;
    m_issues.clear();
    endResetModel();
}

QStringList TableModel::names() const
{
    QStringList names;
    for (const TableColumn &column : m_columns)
        names.append(column.name);
    return names;
}

int TableModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_items.size()) + 1;
}

int TableModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_columns.size());
}

json::Value TableModel::value(const QModelIndex &index) const
{
    const Draft::Ptr item = m_items.value(index.row());
    if (!item || !index.isValid())
        return {};
    // Cells are painted row by row.
    const QByteArray bytes = item->bytes();
    if (m_readItem != item.get() || !m_readBytes.isSharedWith(bytes)) {
        m_readItem = item.get();
        m_readBytes = bytes;
        m_read = json::parse(bytes);
    }
    if (!m_read.isObject())
        return index.column() == 0 ? m_read : json::Value();
    return m_read[m_columns.at(index.column()).name];
}

QString TableModel::text(const QModelIndex &index) const
{
    const json::Value value = this->value(index);
    return value.isString() ? value.string() : QString::fromUtf8(value.bytes());
}

QByteArrayList TableModel::rows(qsizetype first, qsizetype count) const
{
    QByteArrayList rows;
    for (qsizetype row = first; row < qMin(first + count, m_items.size()); ++row)
        rows.append(m_items.at(row)->bytes());
    return rows;
}

bool TableModel::isEditable(const QModelIndex &index) const
{
    const Draft::Ptr item = m_items.value(index.row());
    return index.isValid() && (!item || !item->isPresent() || item->kind() == json::Kind::Object) &&
           m_columns.at(index.column()).shape.kind != Shape::Kind::Constant;
}

QString TableModel::columnTitle(int column) const
{
    const TableColumn &at = m_columns.at(column);
    const QString title = m_context->isForPerson ? at.shape.text(u"title").trimmed() : QString();
    return visibleLine(title.isEmpty() ? at.name : title, 80);
}

QVariant TableModel::data(const QModelIndex &index, int role) const
{
    const qsizetype row = index.row();
    const std::optional<FormIssue> issue =
        role == IssueRole || role == RemarkRole || role == Qt::ToolTipRole || role == Qt::AccessibleDescriptionRole
            ? issueAt(row, index.column())
            : std::nullopt;
    switch (role) {
        case KindRole:
            return int(value(index).kind());
        case IssueRole:
            return issue && !issue->isRemark ? issue->message : QString();
        case RemarkRole:
            return issue && issue->isRemark ? issue->message : QString();
        case Qt::ToolTipRole:
        case Qt::AccessibleDescriptionRole:
            return issue ? plainToolTip(issue->message) : QString();
        case Qt::DisplayRole:
        case Qt::AccessibleTextRole:
            break;
        default:
            return {};
    }
    const json::Value value = this->value(index);
    if (value.isString() && value.slice().size() == 2)
        return tr("empty string");
    if (value.exists())
        return visibleLine(text(index), MaxCellText);
    if (row == m_items.size())
        return index.column() == 0 ? tr("Type or paste") : QString();
    return role == Qt::AccessibleTextRole ? tr("omitted") : QString();
}

QVariant TableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Vertical) {
        const std::optional<FormIssue> issue = issueAt(section, -1);
        if (role == Qt::DisplayRole)
            return section < m_items.size() ? QString::number(section + 1) : u"+"_s;
        if (role == Qt::ToolTipRole && issue)
            return plainToolTip(issue->message);
        if (role == Qt::ForegroundRole && issue)
            return color(issue->isRemark ? Tone::Finding : Tone::ProtocolError);
        return {};
    }
    const TableColumn &column = m_columns.at(section);
    if (role == Qt::DisplayRole)
        return column.isRequired ? columnTitle(section) + u" *"_s : columnTitle(section);
    if (role != Qt::ToolTipRole)
        return {};
    QStringList lines{visibleLine(column.name, 80) + u" · "_s + typeHint(m_context->values, column.shape)};
    if (column.isRequired)
        lines.append(tr("required"));
    lines.append(visibleText(column.shape.text(u"description")).left(MaxCellText));
    lines.removeAll(QString());
    return plainToolTip(lines.join(u'\n'));
}

// As where the item is edited by itself.
void TableModel::addConstants(const Draft::Ptr &item) const
{
    for (const TableColumn &column : m_columns) {
        if (column.isRequired && column.shape.kind == Shape::Kind::Constant && !item->member(column.name)->isPresent())
            item->member(column.name)->assign(column.shape.choices.constFirst().json);
    }
}

Draft::Ptr TableModel::beginCell(const QModelIndex &index)
{
    if (index.row() == m_items.size()) {
        beginInsertRows({}, rowCount(), rowCount());
        m_begun = m_list->insertItem(m_items.size(), {});
        m_items = m_list->items();
        m_hasBlank = true;
        endInsertRows();
    }
    const Draft::Ptr item = m_items.at(index.row());
    item->setOrder(names());
    return item->member(m_columns.at(index.column()).name);
}

void TableModel::finishCell()
{
    if (!m_begun)
        return;
    const Draft::Ptr begun = std::exchange(m_begun, nullptr);
    const qsizetype row = m_items.indexOf(begun);
    if (begun->isPresent() || row < 0)
        return;
    beginRemoveRows({}, int(row), int(row));
    m_list->remove(begun);
    m_items = m_list->items();
    endRemoveRows();
}

void TableModel::cellEdited(const QModelIndex &index)
{
    const Draft::Ptr item = m_items.at(index.row());
    if (item->isPresent())
        addConstants(item);
    m_issues.remove({index.row(), index.column()});
    Q_EMIT dataChanged(this->index(index.row(), 0), this->index(index.row(), columnCount() - 1));
    Q_EMIT edited();
}

void TableModel::writeCell(const Cell &cell)
{
    const Draft::Ptr item = m_items.at(cell.row);
    item->setOrder(names());
    const Draft::Ptr member = item->member(m_columns.at(cell.column).name);
    if (cell.json.isEmpty())
        member->retract();
    else
        member->assign(cell.json);
    m_issues.remove({cell.row, cell.column});
    Q_EMIT dataChanged(index(int(cell.row), 0), index(int(cell.row), columnCount() - 1));
}

void TableModel::write(const QList<Cell> &cells, const std::function<void()> &done)
{
    constexpr qsizetype few = 8;
    const bool isFew = cells.size() <= few && std::all_of(cells.cbegin(), cells.cend(), [this](const Cell &cell) {
                           return cell.row < m_items.size();
                       });
    if (isFew) {
        for (const Cell &cell : cells)
            writeCell(cell);
        Q_EMIT edited();
        done();
        return;
    }
    const std::function<QByteArray()> put = [items = rows(0, m_items.size()), cells, order = names(),
                                             fresh = m_context->values.starting(m_item)] {
        return listWith(items, cells, order, fresh);
    };
    constexpr qsizetype many = 2000;
    if (cells.size() < many && m_items.size() < many) {
        replaceAll(put());
        done();
        return;
    }
    runInBackground<QByteArray>(this, put, [this, done, run = ++m_run](const QByteArray &list) {
        if (run != m_run)
            return;
        replaceAll(list);
        done();
    });
}

void TableModel::replaceAll(const QByteArray &list)
{
    beginResetModel();
    m_list->assign(list);
    m_items = m_list->items();
    m_hasBlank = false;
    m_begun.reset();
    m_readItem = nullptr;
    m_issues.clear();
    endResetModel();
    Q_EMIT edited();
}

void TableModel::insertItem(qsizetype row)
{
    beginInsertRows({}, int(row), int(row));
    m_list->insertItem(row, m_context->values.starting(m_item));
    m_items = m_list->items();
    m_issues.clear();
    endInsertRows();
    Q_EMIT edited();
}

void TableModel::removeItems(const QList<qsizetype> &rows)
{
    if (rows.size() == 1) {
        beginRemoveRows({}, int(rows.constFirst()), int(rows.constFirst()));
        m_list->remove(m_items.at(rows.constFirst()));
        m_items = m_list->items();
        m_issues.clear();
        endRemoveRows();
        Q_EMIT edited();
        return;
    }
    QByteArrayList items;
    qsizetype next = 0;
    for (qsizetype row = 0; row < m_items.size(); ++row) {
        if (next < rows.size() && rows.at(next) == row)
            ++next;
        else
            items.append(m_items.at(row)->bytes());
    }
    replaceAll(listOf(items));
}

void TableModel::moveItem(qsizetype from, qsizetype to)
{
    beginMoveRows({}, int(from), int(from), {}, int(to > from ? to + 1 : to));
    m_list->moveItem(from, to);
    m_items = m_list->items();
    m_issues.clear();
    endMoveRows();
    Q_EMIT edited();
}

qsizetype TableModel::rowOf(qsizetype sent) const
{
    if (!m_hasBlank)
        return sent;
    for (qsizetype row = 0; row < m_items.size(); ++row) {
        if (m_items.at(row)->isPresent() && sent-- == 0)
            return row;
    }
    return m_items.size();
}

void TableModel::setIssues(const QList<FormIssue> &issues, qsizetype depth)
{
    m_issues.clear();
    QHash<QString, int> columns;
    for (int column = 0; column < columnCount(); ++column)
        columns.insert(m_columns.at(column).name, column);
    for (const FormIssue &issue : issues) {
        const QStringList &tokens = issue.place.tokens();
        const qsizetype row = rowOf(tokens.value(depth).toLongLong());
        const std::pair<qsizetype, int> key(row, columns.value(tokens.value(depth + 1), -1));
        // The first; a remark only where nothing is wrong.
        if (const auto before = m_issues.constFind(key);
            before == m_issues.cend() || (before->isRemark && !issue.isRemark))
            m_issues.insert(key, issue);
    }
    if (m_items.isEmpty())
        return;
    Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    Q_EMIT headerDataChanged(Qt::Vertical, 0, rowCount() - 1);
}

std::optional<FormIssue> TableModel::issueAt(qsizetype row, int column) const
{
    const auto found = m_issues.constFind({row, column});
    return found == m_issues.cend() ? std::nullopt : std::optional(*found);
}

}  // namespace sonde::ui
