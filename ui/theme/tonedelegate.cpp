// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/tonedelegate.h"

namespace sonde::ui {

void ToneDelegate::initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    const QVariant tone = index.data(ToneRole);
    if (tone.isValid())
        option->palette.setColor(QPalette::Text, color(Tone(tone.toInt())));
}

}  // namespace sonde::ui
