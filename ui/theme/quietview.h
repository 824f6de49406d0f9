// Item views that say where the focus is only while they have it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QAbstractItemView>

namespace sonde::ui {

// QListView, QTableView or QTreeView. Those of Qt 6.4 tell assistive tools that a row has the focus whenever it becomes
// the current one, wherever the keyboard is: a screen reader would leave the button that was just pressed.
template <typename View>
class QuietView : public View {
public:
    using View::View;

protected:
    void currentChanged(const QModelIndex &current, const QModelIndex &previous) override
    {
        if (this->hasFocus())
            View::currentChanged(current, previous);
        else
            QAbstractItemView::currentChanged(current, previous);  // NOLINT(bugprone-parent-virtual-call)
    }
};

}  // namespace sonde::ui
