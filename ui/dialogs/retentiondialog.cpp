// SPDX-License-Identifier: Apache-2.0
#include "ui/dialogs/retentiondialog.h"

#include "core/protocol/visibletext.h"
#include "ui/result/outcometext.h"
#include "ui/theme/rowtable.h"
#include "ui/theme/widgets.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

enum RetentionColumn { RetentionDate, RetentionSession, RetentionSize, RetentionColumnCount };

}  // namespace

RetentionDialog::RetentionDialog(const QList<SessionEntry> &beyond,
                                 const std::function<QString(const QString &)> &titleOf, QWidget *parent)
    : QDialog(parent)
{
    setWindowTitle(tr("Delete sessions"));
    setObjectName(u"retentionDialog"_s);
    resize(600, 400);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(2 * Grid, 2 * Grid, 2 * Grid, 2 * Grid);
    column->setSpacing(Grid);
    qint64 bytes = 0;
    for (const SessionEntry &entry : beyond)
        bytes += entry.size;
    auto *text = new TextLabel(
        tr("%1 Pinned and open sessions are kept.")
            .arg(counted(beyond.size(), tr("This session exceeds the limits that you set in Preferences."),
                         tr("These %1 sessions exceed the limits that you set in Preferences."))));
    text->setWordWrap(true);
    column->addWidget(text);
    auto *table = new QTableWidget(int(beyond.size()), RetentionColumnCount);
    table->setObjectName(u"retentionTable"_s);
    table->setAccessibleName(tr("Sessions to delete"));
    table->setHorizontalHeaderLabels({tr("Date"), tr("Session"), tr("Size")});
    setUpRows(table);
    table->horizontalHeaderItem(RetentionSize)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    table->horizontalHeader()->setSectionResizeMode(RetentionSession, QHeaderView::Stretch);
    table->horizontalHeader()->resizeSection(RetentionDate, 170);
    for (int row = 0; row < int(beyond.size()); ++row) {
        table->setItem(row, RetentionDate, new QTableWidgetItem(dateTimeText(beyond[row].createdAt)));
        table->setItem(row, RetentionSession, new QTableWidgetItem(visibleLine(titleOf(beyond[row].path), 200)));
        auto *size = new QTableWidgetItem(sizeText(beyond[row].size));
        size->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        table->setItem(row, RetentionSize, size);
    }
    column->addWidget(table, 1);
    auto *total = new TextLabel(tr("%1 in all. This cannot be undone.").arg(sizeText(bytes)));
    total->setDim(true);
    column->addWidget(total);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    auto *remove = buttons->addButton(tr("Delete"), QDialogButtonBox::AcceptRole);
    remove->setObjectName(u"retentionDelete"_s);
    remove->setAutoDefault(false);
    buttons->button(QDialogButtonBox::Cancel)->setDefault(true);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(buttons);
}

}  // namespace sonde::ui
