// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/fittedsplitter.h"

#include <utility>

namespace sonde::ui {

FittedSplitter::FittedSplitter(QWidget *parent) : QSplitter(Qt::Vertical, parent)
{
    setHandleWidth(1);
    setChildrenCollapsible(false);
    connect(this, &QSplitter::splitterMoved, this, [this] { m_isUsers = true; });
}

void FittedSplitter::setNeededHeight(std::function<int()> height)
{
    m_neededHeight = std::move(height);
    fit();
}

void FittedSplitter::fit()
{
    if (m_isUsers || !m_neededHeight)
        return;
    const int upper = qMin(m_neededHeight(), height() / 2);
    setSizes({upper, height() - upper});
}

QByteArray FittedSplitter::saveUserState() const
{
    return m_isUsers ? saveState() : QByteArray();
}

void FittedSplitter::restoreUserState(const QByteArray &state)
{
    m_isUsers = !state.isEmpty() && restoreState(state);
}

void FittedSplitter::resizeEvent(QResizeEvent *event)
{
    QSplitter::resizeEvent(event);
    fit();
}

}  // namespace sonde::ui
