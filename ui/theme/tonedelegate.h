// Draws items in the colour of a tone, whatever theme is chosen meanwhile: a foreground that is set stays as it was.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/theme/theme.h"

#include <QStyledItemDelegate>

namespace sonde::ui {

class ToneDelegate final : public QStyledItemDelegate {
    Q_OBJECT
public:
    // Of an item: its ui::Tone, as an int. Without one it has the usual colour; Tone::Neutral is dim.
    static constexpr int ToneRole = Qt::UserRole + 100;

    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override;
};

}  // namespace sonde::ui
