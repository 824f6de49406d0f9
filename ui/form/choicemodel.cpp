// SPDX-License-Identifier: Apache-2.0
#include "ui/form/choicemodel.h"

#include "core/protocol/visibletext.h"

namespace sonde::ui {

namespace {

constexpr int MaxChoiceLabel = 200;
constexpr int MaxChoiceMatches = 100;
constexpr int RowsPerTurn = 4'000;

}  // namespace

ChoiceModel::ChoiceModel(const ChoiceList &choices, QObject *parent) : QAbstractListModel(parent), m_choices(choices) {}

void ChoiceModel::setForeign(const QString &label)
{
    if (m_foreign == label)
        return;
    beginResetModel();
    m_foreign = label;
    endResetModel();
}

int ChoiceModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_choices.size()) + (m_foreign.isEmpty() ? 0 : 1);
}

QVariant ChoiceModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || (role != Qt::DisplayRole && role != Qt::EditRole))
        return {};
    return index.row() < m_choices.size() ? visibleLine(m_choices.label(index.row()), MaxChoiceLabel)
                                          : visibleLine(m_foreign, MaxChoiceLabel);
}

QModelIndexList ChoiceModel::match(const QModelIndex &start, int role, const QVariant &value, int hits,
                                   Qt::MatchFlags flags) const
{
    if (const qsizetype row = m_choices.indexOfLabel(value.toString()); row >= 0)
        return {index(int(row))};
    return m_choices.size() > RowsPerTurn ? QModelIndexList()
                                          : QAbstractListModel::match(start, role, value, hits, flags);
}

ChoiceSearch::ChoiceSearch(ChoiceModel *choices) : QAbstractProxyModel(choices), m_choices(choices)
{
    setSourceModel(choices);
    m_more.setSingleShot(true);
    m_more.setInterval(0);
    connect(&m_more, &QTimer::timeout, this, [this] {
        const bool wasEmpty = m_rows.isEmpty();
        searchOn();
        if (wasEmpty && !m_rows.isEmpty())
            Q_EMIT foundLater();
    });
}

void ChoiceSearch::search(const QString &text)
{
    beginResetModel();
    m_rows.clear();
    m_text = text;
    m_next = 0;
    endResetModel();
    searchOn();
}

void ChoiceSearch::searchOn()
{
    QList<int> found;
    const ChoiceList &choices = m_choices->choices();
    const int end = int(qMin(choices.size(), qsizetype(m_next) + RowsPerTurn));
    for (; m_next < end && m_rows.size() + found.size() < MaxChoiceMatches; ++m_next) {
        if (choices.label(m_next).contains(m_text, Qt::CaseInsensitive))
            found.append(m_next);
    }
    if (!found.isEmpty()) {
        beginInsertRows({}, int(m_rows.size()), int(m_rows.size() + found.size()) - 1);
        m_rows += found;
        endInsertRows();
    }
    if (m_next < choices.size() && m_rows.size() < MaxChoiceMatches)
        m_more.start();
    else
        m_more.stop();
}

QModelIndex ChoiceSearch::mapToSource(const QModelIndex &index) const
{
    return index.isValid() ? m_choices->index(m_rows.value(index.row(), -1)) : QModelIndex();
}

QModelIndex ChoiceSearch::mapFromSource(const QModelIndex &index) const
{
    return this->index(int(m_rows.indexOf(index.row())), 0);
}

QModelIndex ChoiceSearch::index(int row, int column, const QModelIndex &parent) const
{
    return hasIndex(row, column, parent) ? createIndex(row, column) : QModelIndex();
}

QModelIndex ChoiceSearch::parent(const QModelIndex &) const
{
    return {};
}

int ChoiceSearch::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int ChoiceSearch::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : 1;
}

}  // namespace sonde::ui
