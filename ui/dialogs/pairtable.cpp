// SPDX-License-Identifier: Apache-2.0
#include "ui/dialogs/pairtable.h"

#include "core/secrets/secretreference.h"
#include "ui/theme/keys.h"
#include "ui/theme/linedelegate.h"
#include "ui/theme/theme.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <utility>

namespace sonde::ui {

namespace {

constexpr int ValueColumn = 1;
constexpr int SecretColumn = 2;
constexpr int SecretColumnWidth = 86;
constexpr int DecidedRole = Qt::UserRole;  // of the box: the person has clicked it

// Typed as it is, shown masked. A reference shows what it means.
class SecretItem final : public QTableWidgetItem {
public:
    using QTableWidgetItem::QTableWidgetItem;

    QVariant data(int role) const override
    {
        const QVariant own = QTableWidgetItem::data(role);
        if (role != Qt::DisplayRole || own.toString().isEmpty())
            return own;
        if (hasSecretReference(own.toString()))
            return PairTable::tr("(in the keychain)");
        const QTableWidgetItem *box = tableWidget() ? tableWidget()->item(row(), SecretColumn) : nullptr;
        return box && box->checkState() == Qt::Checked ? QVariant(QString(8, u'•')) : own;
    }
};

}  // namespace

PairTable::PairTable(const QString &nameTitle, const QString &valueTitle, QWidget *parent) : EditableTable(0, 2, parent)
{
    setHorizontalHeaderLabels({nameTitle, valueTitle});
    verticalHeader()->hide();
    followFont(this, [this] { verticalHeader()->setDefaultSectionSize(ui::rowHeight() + 3); });
    horizontalHeader()->setSectionResizeMode(0, QHeaderView::Interactive);
    horizontalHeader()->setStretchLastSection(true);
    horizontalHeader()->resizeSection(0, 180);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    setFont(monoFont());
    setItemDelegate(new LineDelegate(this));
    setTabKeyNavigation(false);
    connect(this, &QTableWidget::cellChanged, this, [this](int row, int column) {
        if (m_filling)
            return;
        if (m_secrets && column == SecretColumn)
            item(row, column)->setData(DecidedRole, true);
        else if (m_secrets)
            checkByName(row);
        keepEmptyRow();
        viewport()->update();
        Q_EMIT edited();
    });
    keepEmptyRow();
}

void PairTable::setHasSecrets(NamePlace place)
{
    m_secrets = place;
    m_filling = true;
    setColumnCount(3);
    setHorizontalHeaderItem(SecretColumn, new QTableWidgetItem(tr("Keychain")));
    horizontalHeaderItem(SecretColumn)
        ->setToolTip(tr("Checked values are kept in the keychain of this computer, not in the list of servers."));
    horizontalHeader()->setStretchLastSection(false);
    horizontalHeader()->setSectionResizeMode(ValueColumn, QHeaderView::Stretch);
    horizontalHeader()->setSectionResizeMode(SecretColumn, QHeaderView::Fixed);
    horizontalHeader()->resizeSection(SecretColumn, SecretColumnWidth);
    for (int row = 0; row < rowCount(); ++row)
        addRowItems(row, item(row, 0)->text(), item(row, ValueColumn)->data(Qt::EditRole).toString());
    m_filling = false;
}

void PairTable::addRowItems(int row, const QString &name, const QString &value)
{
    setItem(row, 0, new QTableWidgetItem(name));
    setItem(row, ValueColumn, m_secrets ? new SecretItem(value) : new QTableWidgetItem(value));
    if (!m_secrets)
        return;
    auto *box = new QTableWidgetItem;
    box->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
    box->setCheckState(Qt::Unchecked);
    setItem(row, SecretColumn, box);
    checkByName(row);
}

// What refers to the keychain stays there.
void PairTable::checkByName(int row)
{
    QTableWidgetItem *box = item(row, SecretColumn);
    if (!box)
        return;
    if (box->data(DecidedRole).toBool() && !isReference(row))
        return;
    const bool wasFilling = std::exchange(m_filling, true);
    box->setCheckState(isReference(row) || isSecretName(item(row, 0)->text().trimmed(), *m_secrets) ? Qt::Checked
                                                                                                    : Qt::Unchecked);
    m_filling = wasFilling;
}

bool PairTable::isReference(int row) const
{
    return hasSecretReference(item(row, ValueColumn)->data(Qt::EditRole).toString());
}

void PairTable::setSecretNames(const QSet<QString> &names)
{
    for (int row = 0; row < rowCount(); ++row) {
        const QString name = item(row, 0)->text().trimmed();
        const Qt::CheckState decided = names.contains(name) ? Qt::Checked : Qt::Unchecked;
        // One that differs from what its name says counts as clicked.
        if (!name.isEmpty() && !isReference(row) && item(row, SecretColumn)->checkState() != decided)
            item(row, SecretColumn)->setCheckState(decided);
    }
}

QSet<QString> PairTable::secretNames() const
{
    QSet<QString> names;
    for (int row = 0; row < rowCount() && m_secrets; ++row) {
        const QTableWidgetItem *box = item(row, SecretColumn);
        if (box && box->checkState() == Qt::Checked)
            names.insert(item(row, 0)->text().trimmed());
    }
    return names;
}

void PairTable::setPairs(const Pairs &pairs)
{
    m_filling = true;
    setRowCount(int(pairs.size()));
    for (int row = 0; row < rowCount(); ++row)
        addRowItems(row, pairs[row].first, pairs[row].second);
    m_filling = false;
    keepEmptyRow();
}

Pairs PairTable::pairs() const
{
    Pairs result;
    for (int row = 0; row < rowCount(); ++row) {
        const QString name = item(row, 0) ? item(row, 0)->text().trimmed() : QString();
        const QString value =
            item(row, ValueColumn) ? item(row, ValueColumn)->data(Qt::EditRole).toString() : QString();
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

// Enter commits one turn later, and another window may have become active until then, which closes the editor.
void PairTable::commitData(QWidget *editor)
{
    if (!editor->isHidden())
        EditableTable::commitData(editor);
}

// Tab goes from cell to cell, and on to what follows the table: Qt would begin again.
void PairTable::closeEditor(QWidget *editor, QAbstractItemDelegate::EndEditHint hint)
{
    if (editor->isHidden())
        return;
    const bool isLast =
        hint == QAbstractItemDelegate::EditNextItem && currentRow() == rowCount() - 1 && currentColumn() == ValueColumn;
    const bool isFirst = hint == QAbstractItemDelegate::EditPreviousItem && currentRow() == 0 && currentColumn() == 0;
    EditableTable::closeEditor(editor, isLast || isFirst ? QAbstractItemDelegate::NoHint : hint);
    if (isLast || isFirst)
        focusNextPrevChild(isLast);
}

void PairTable::keyPressEvent(QKeyEvent *event)
{
    // Does not trigger the dialog's default button.
    if (isEnter(event) && state() != EditingState) {
        if (!currentIndex().isValid())
            setCurrentCell(rowCount() - 1, 0);        // the empty row
        edit(currentIndex(), EditKeyPressed, event);  // where it is text: of the box it is not
    }
    if (isEnter(event))
        return;
    if (event->key() == Qt::Key_Delete && state() != EditingState && currentRow() >= 0) {
        removePair(currentRow());
        return;
    }
    EditableTable::keyPressEvent(event);
}

void PairTable::keepEmptyRow()
{
    const int last = rowCount() - 1;
    const auto empty = [this, last](int column) {
        return !item(last, column) || item(last, column)->data(Qt::EditRole).toString().isEmpty();
    };
    if (last >= 0 && empty(0) && empty(1))
        return;
    m_filling = true;
    insertRow(rowCount());
    addRowItems(rowCount() - 1, {}, {});
    m_filling = false;
}

}  // namespace sonde::ui
