// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/density.h"

#include "ui/theme/theme.h"

#include <QApplication>
#include <QEvent>
#include <QFontMetrics>
#include <QPointer>
#include <QWidget>

namespace sonde::ui {

namespace {

constexpr qreal CompactShare = 0.82;

Density &chosenDensity()
{
    static Density chosen = Density::Comfortable;
    return chosen;
}

}  // namespace

Density density()
{
    return chosenDensity();
}

// Widgets have one event for everything that changes the room which their text needs.
void setDensity(Density density)
{
    if (density == chosenDensity())
        return;
    chosenDensity() = density;
    const QWidgetList all = QApplication::allWidgets();
    const QList<QPointer<QWidget>> widgets(all.begin(), all.end());
    for (const QPointer<QWidget> &widget : widgets) {
        QEvent change(QEvent::FontChange);
        if (widget)
            QCoreApplication::sendEvent(widget, &change);
    }
}

int dense(int pixels)
{
    return density() == Density::Compact ? qRound(pixels * CompactShare) : pixels;
}

int textRowHeight(int extra)
{
    const int text = qMax(QFontMetrics(QApplication::font()).height(), QFontMetrics(monoFont()).height());
    return qMax(rowHeight() + extra, text);
}

}  // namespace sonde::ui
