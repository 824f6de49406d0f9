// The steps of a guided tour: what to do, a button that leads there, and a tick for what is done.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/panels/guidedwalk.h"

#include <QWidget>

namespace sonde::ui {

class FlatButton;
class StepRows;
class TextLabel;

// Hidden without a walk.
class WalkView : public QWidget {
    Q_OBJECT
public:
    explicit WalkView(QWidget *parent = nullptr);
    void setWalk(GuidedWalk *walk);  // not owned; null: none

private:
    void refresh();

    QPointer<GuidedWalk> m_walk;
    TextLabel *m_count;
    FlatButton *m_restart;
    StepRows *m_rows;
};

}  // namespace sonde::ui
