// SPDX-License-Identifier: Apache-2.0
#include "ui/replay/stepspage.h"

#include "ui/theme/theme.h"
#include "ui/theme/widgets.h"

#include <QBoxLayout>
#include <QScrollArea>
#include <QSplitter>

namespace sonde::ui {

namespace {
constexpr int MinStepsHeight = 22 * Grid;
}  // namespace

void layOutSteps(QWidget *panel, QWidget *bar, const QList<Banner *> &banners, QWidget *steps, QWidget *view)
{
    auto *splitter = new QSplitter(Qt::Horizontal);
    splitter->setHandleWidth(1);
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(steps);
    splitter->addWidget(view);
    splitter->setStretchFactor(0, 4);
    splitter->setStretchFactor(1, 5);
    splitter->setSizes({440, 560});
    splitter->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored);
    splitter->setMinimumSize(1, MinStepsHeight);
    auto *column = new QVBoxLayout(addScrolledPage(panel));
    panel->findChild<QScrollArea *>()->setFocusPolicy(Qt::NoFocus);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(bar);
    column->addWidget(new Line(Qt::Horizontal));
    for (Banner *banner : banners) {
        column->addWidget(banner);
        banner->hide();
    }
    column->addWidget(splitter, 1);
    panel->setFocusProxy(steps);
}

}  // namespace sonde::ui
