// The differences between two JSON values, a row each, with what can be done about it in a menu.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/theme/rowtable.h"

class QMenu;

namespace sonde::ui {

class DifferenceModel;

// As high as its rows, up to a limit. If there is no room for three columns, the place is above its values.
class DifferenceTable : public RowTable {
    Q_OBJECT
public:
    explicit DifferenceTable(QWidget *parent = nullptr);

    DifferenceModel *differences() const { return m_model; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {120, sizeHint().height()}; }

Q_SIGNALS:
    // The menu of a row is about to be shown. What is added comes before the entries that copy.
    void menuRequested(QMenu *menu, int row);

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void onReset();
    void layOutColumns();
    void showMenu(int row, const QPoint &place);

    DifferenceModel *m_model;
    int m_noteWidth = 0;
    int m_whereWidth = 0;
    int m_rowBeforeReset = -1;
    bool m_isNarrow = false;
};

}  // namespace sonde::ui
