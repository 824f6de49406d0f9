// SPDX-License-Identifier: Apache-2.0
#include "ui/json/fittedtextview.h"

namespace sonde::ui {

FittedTextView::FittedTextView(int maxHeight, QWidget *parent) : TextView(parent), m_maxHeight(maxHeight)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void FittedTextView::setMaxHeight(int height)
{
    m_maxHeight = height;
    fit();
}

void FittedTextView::fit()
{
    const int height = heightForLines(m_maxHeight);
    if (minimumHeight() != height || maximumHeight() != height)
        setFixedHeight(height);
    Q_EMIT fitted();
}

bool FittedTextView::isScrolled() const
{
    return heightForLines(QWIDGETSIZE_MAX) > m_maxHeight;
}

void FittedTextView::resizeEvent(QResizeEvent *event)
{
    TextView::resizeEvent(event);
    // Later, since this is also where the viewport gets its size: to resize it meanwhile would leave its scroll bars
    // with what they were.
    QMetaObject::invokeMethod(this, &FittedTextView::fit, Qt::QueuedConnection);
}

}  // namespace sonde::ui
