// SPDX-License-Identifier: Apache-2.0
#include "ui/dialogs/pairtable.h"

#include "ui/theme/linedelegate.h"
#include "ui/theme/theme.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>

namespace sonde::ui {

PairTable::PairTable(const QString &nameTitle, const QString &valueTitle, QWidget *parent) : QTableWidget(0, 2, parent)
{
    setHorizontalHeaderLabels({nameTitle, valueTitle});
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(RowHeight + 3);
    horizontalHeader()->setSectionResizeMode(0, QHeaderView::Interactive);
    horizontalHeader()->setStretchLastSection(true);
    horizontalHeader()->resizeSection(0, 180);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    setFont(monoFont());
    setItemDelegate(new LineDelegate(this));
    setTabKeyNavigation(false);
    setEditTriggers(AllEditTriggers);
    connect(this, &QTableWidget::cellChanged, this, [this] {
        if (m_filling)
            return;
        keepEmptyRow();
        Q_EMIT edited();
    });
    keepEmptyRow();
}

void PairTable::setPairs(const Pairs &pairs)
{
    m_filling = true;
    setRowCount(int(pairs.size()));
    for (int row = 0; row < rowCount(); ++row) {
        setItem(row, 0, new QTableWidgetItem(pairs[row].first));
        setItem(row, 1, new QTableWidgetItem(pairs[row].second));
    }
    m_filling = false;
    keepEmptyRow();
}

Pairs PairTable::pairs() const
{
    Pairs result;
    for (int row = 0; row < rowCount(); ++row) {
        const QString name = item(row, 0) ? item(row, 0)->text().trimmed() : QString();
        const QString value = item(row, 1) ? item(row, 1)->text() : QString();
        if (!name.isEmpty() || !value.isEmpty())
            result.append({name, value});
    }
    return result;
}

void PairTable::removePair(int row)
{
    removeRow(row);
    keepEmptyRow();
    Q_EMIT edited();
}

void PairTable::commit()
{
    if (state() != EditingState)
        return;
    const auto editors = viewport()->findChildren<QLineEdit *>(Qt::FindDirectChildrenOnly);
    for (QLineEdit *editor : editors) {
        if (editor->isHidden())
            continue;  // of another cell, about to be deleted
        commitData(editor);
        closeEditor(editor, QAbstractItemDelegate::NoHint);
    }
}

void PairTable::keyPressEvent(QKeyEvent *event)
{
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    // Does not trigger the dialog's default button.
    if (isEnter && state() != EditingState)
        edit(currentIndex());
    if (isEnter)
        return;
    if (event->key() == Qt::Key_Delete && state() != EditingState && currentRow() >= 0) {
        removePair(currentRow());
        return;
    }
    QTableWidget::keyPressEvent(event);
}

void PairTable::keepEmptyRow()
{
    const int last = rowCount() - 1;
    const auto empty = [this, last](int column) { return !item(last, column) || item(last, column)->text().isEmpty(); };
    if (last >= 0 && empty(0) && empty(1))
        return;
    m_filling = true;
    insertRow(rowCount());
    setItem(rowCount() - 1, 0, new QTableWidgetItem);
    setItem(rowCount() - 1, 1, new QTableWidgetItem);
    m_filling = false;
}

}  // namespace sonde::ui
