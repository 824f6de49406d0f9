// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/pagearea.h"

#include <QScopedValueRollback>

namespace sonde::ui {

namespace {

constexpr int MaxDepth = 8;  // a page that settles does so at the second or third size

}  // namespace

PageArea::PageArea(QWidget *parent) : QScrollArea(parent)
{
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
}

bool PageArea::eventFilter(QObject *watched, QEvent *event)
{
    if (m_depth == MaxDepth)
        return false;
    const QScopedValueRollback<int> deeper(m_depth, m_depth + 1);
    return QScrollArea::eventFilter(watched, event);
}

}  // namespace sonde::ui
