// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/factrows.h"

#include "core/protocol/visibletext.h"
#include "ui/theme/widgets.h"

namespace sonde::ui {

FactRows::FactRows()
{
    setHorizontalSpacing(2 * Grid);
    setVerticalSpacing(Grid / 2);
    setLabelAlignment(Qt::AlignLeft | Qt::AlignTop);
    setFieldGrowthPolicy(AllNonFixedFieldsGrow);
}

void FactRows::add(const QString &name, const QString &text, bool mono)
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
    addRow(caption, value);
}

void FactRows::clear()
{
    while (rowCount() > 0)
        removeRow(0);
}

}  // namespace sonde::ui
