// SPDX-License-Identifier: Apache-2.0
#include "tests/monkey/screen.h"

#include <QApplication>
#include <QWidget>

using namespace Qt::StringLiterals;

namespace sonde::monkey::screen {

namespace {

QString kindOf(const QWidget *widget)
{
    return QLatin1StringView(widget->metaObject()->className()) + u'#' + widget->objectName();
}

bool isShown(const QWidget *widget)
{
    return widget->isVisible() && !widget->size().isEmpty();
}

}  // namespace

QList<QWidget *> windows()
{
    if (QWidget *popup = QApplication::activePopupWidget())
        return {popup};
    if (QWidget *modal = QApplication::activeModalWidget())
        return {modal};
    QList<QWidget *> shown;
    for (QWidget *window : QApplication::topLevelWidgets()) {
        if (isShown(window) && window->isEnabled() && !window->testAttribute(Qt::WA_TransparentForMouseEvents) &&
            window->windowType() != Qt::ToolTip)
            shown << window;
    }
    return shown;
}

QString nameOf(const QWidget *widget)
{
    const QString kind = kindOf(widget);
    int number = 0;
    for (const QWidget *other : widget->window()->findChildren<QWidget *>()) {
        if (other == widget)
            break;
        if (isShown(other) && kindOf(other) == kind)
            ++number;
    }
    return kind + u'@' + QString::number(number);
}

QWidget *named(const QString &name)
{
    const QString kind = name.section(u'@', 0, 0);
    const int number = name.section(u'@', 1).toInt();
    for (QWidget *window : windows()) {
        if (kindOf(window) == kind)
            return window;
        int seen = 0;
        for (QWidget *widget : window->findChildren<QWidget *>()) {
            if (isShown(widget) && kindOf(widget) == kind && seen++ == number)
                return widget;
        }
    }
    return nullptr;
}

Hit hit(QWidget *target, QPointF place)
{
    const QPoint inTarget(int(place.x() * (target->width() - 1)), int(place.y() * (target->height() - 1)));
    QWidget *window = target->window();
    const QPoint inWindow = target->mapTo(window, inTarget);
    if (!window->rect().contains(inWindow))
        return {};
    QWidget *top = window->childAt(inWindow);
    if (!top)
        top = window;
    if (top != target && !target->isAncestorOf(top))
        return {};
    return {top, top->mapFrom(window, inWindow)};
}

QList<QWidget *> reachable(QWidget *window)
{
    QList<QWidget *> found{window};
    for (QWidget *widget : window->findChildren<QWidget *>()) {
        if (isShown(widget) && widget->isEnabled() && widget->window() == window)
            found << widget;
    }
    return found;
}

QWidget *focus()
{
    if (QWidget *popup = QApplication::activePopupWidget())
        return popup->focusWidget() ? popup->focusWidget() : popup;
    // A window that has just opened in front becomes the active one a moment later.
    const QList<QWidget *> shown = windows();
    QWidget *widget = QApplication::focusWidget();
    if (shown.isEmpty() || (widget && shown.contains(widget->window())))
        return widget;
    return shown.last()->focusWidget() ? shown.last()->focusWidget() : shown.last();
}

void activateFrontWindow()
{
    if (QApplication::activePopupWidget())
        return;
    const QList<QWidget *> shown = windows();
    if (!shown.isEmpty() && !shown.contains(QApplication::activeWindow()))
        shown.last()->activateWindow();
}

}  // namespace sonde::monkey::screen
