// The table of a replay's steps.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/theme/rowtable.h"

namespace sonde::ui {

class ReplayStepsModel;

class ReplayStepsTable : public RowTable {
    Q_OBJECT
public:
    explicit ReplayStepsTable(ReplayStepsModel *model, QWidget *parent = nullptr);
    void hideTimeBefore();  // where nothing was made before

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void setColumnWidths();
    void widenResult(int first, int last);  // rows
    bool m_hasTimeBefore = true;
    int m_thenWidth = 0;  // of the columns of times, also while they are hidden
    int m_nowWidth = 0;
};

}  // namespace sonde::ui
