// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/factrows.h"

#include "core/protocol/visibletext.h"
#include "ui/theme/widgets.h"

#include <QHBoxLayout>

namespace sonde::ui {

FactRows::FactRows()
{
    setHorizontalSpacing(2 * Grid);
    setVerticalSpacing(Grid / 2);
    setLabelAlignment(Qt::AlignLeft | Qt::AlignTop);
    setFieldGrowthPolicy(AllNonFixedFieldsGrow);
}

void FactRows::add(const QString &name, const QString &text, bool mono, std::unique_ptr<QWidget> beside)
{
    if (text.isEmpty())
        return;
    auto *caption = new TextLabel(name);
    caption->setDim(true);
    caption->setAlignment(Qt::AlignTop | Qt::AlignLeft);  // beside the first line of several
    auto *value = new TextLabel;
    value->setServerText(text);
    value->setWordWrap(true);
    value->setMinimumWidth(40);  // a word without end must not push the buttons out
    value->setToolTip(plainToolTip(visibleLine(text, 400)));
    if (mono)
        value->setFont(monoFont());
    if (!beside)
        return addRow(caption, value);
    auto *both = new QWidget;
    auto *row = new QHBoxLayout(both);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(Grid);
    row->addWidget(value, 1);
    row->addWidget(beside.release(), 0, Qt::AlignTop);
    addRow(caption, both);
}

void FactRows::clear()
{
    while (rowCount() > 0)
        removeRow(0);
}

}  // namespace sonde::ui
