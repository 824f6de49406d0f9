// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/linedelegate.h"

#include "ui/theme/lineinput.h"

#include <QStyle>

namespace sonde::ui {

namespace {

constexpr qsizetype MaxDrawnInCell = 1'000;  // a text is laid out whole before it is cut to its cell

}  // namespace

QWidget *LineDelegate::createEditor(QWidget *parent, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    Q_UNUSED(option)
    auto *line = new LineInput({}, parent);
    line->setAccessibleName(index.model()->headerData(index.column(), Qt::Horizontal).toString());
    line->setFrame(line->style()->styleHint(QStyle::SH_ItemView_DrawDelegateFrame, nullptr, line));
    return line;
}

void LineDelegate::setEditorData(QWidget *editor, const QModelIndex &index) const
{
    if (auto *line = qobject_cast<LineInput *>(editor))
        line->setText(index.data(Qt::EditRole).toString());
    else
        QStyledItemDelegate::setEditorData(editor, index);
}

void LineDelegate::setModelData(QWidget *editor, QAbstractItemModel *model, const QModelIndex &index) const
{
    const auto *line = qobject_cast<LineInput *>(editor);
    if (!line)
        QStyledItemDelegate::setModelData(editor, model, index);
    else if (line->isModified())
        model->setData(index, line->text());
}

void LineDelegate::initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    option->text.truncate(MaxDrawnInCell);
}

}  // namespace sonde::ui
