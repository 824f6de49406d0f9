// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/readingorder.h"

#include <QApplication>
#include <QComboBox>
#include <QLayout>
#include <QLineEdit>
#include <QScrollArea>
#include <QSet>
#include <QSplitter>
#include <QTabBar>
#include <QTabWidget>

namespace sonde::ui {

namespace {

class StopCollector {
public:
    // at: always included, so that the search can continue from there.
    StopCollector(Stops stops, const QWidget *at) : m_stops(stops), m_at(at) {}

    void visit(QWidget *widget)
    {
        if (!widget || widget->isHidden() || widget->isWindow())
            return;
        if (widget == m_at || isStop(widget))
            found.append(widget);
        visitInner(widget);
    }

    void visitInner(QWidget *widget)
    {
        if (qobject_cast<QLineEdit *>(widget) || qobject_cast<QComboBox *>(widget))
            return;
        if (const auto *tabs = qobject_cast<QTabWidget *>(widget)) {
            visit(tabs->tabBar());
            visit(tabs->currentWidget());
        } else if (const auto *splitter = qobject_cast<QSplitter *>(widget)) {
            for (int i = 0; i < splitter->count(); ++i)
                visit(splitter->widget(i));
        } else if (const auto *area = qobject_cast<QScrollArea *>(widget)) {
            visit(area->widget());
        } else if (!qobject_cast<QAbstractScrollArea *>(widget)) {
            QSet<QWidget *> placed;
            visitLayout(widget->layout(), placed);
            for (QObject *child : widget->children()) {
                auto *inner = qobject_cast<QWidget *>(child);
                if (inner && !placed.contains(inner))
                    visit(inner);
            }
        }
    }

    QList<QWidget *> found;

private:
    bool isStop(const QWidget *widget) const
    {
        const Qt::FocusPolicy policy = widget->focusPolicy();
        const bool takesFocus = m_stops == Stops::Tab ? policy & Qt::TabFocus : policy != Qt::NoFocus;
        return takesFocus && widget->isEnabled() && !widget->focusProxy();
    }

    void visitLayout(QLayout *layout, QSet<QWidget *> &placed)
    {
        for (int i = 0; layout && i < layout->count(); ++i) {
            QLayoutItem *item = layout->itemAt(i);
            if (QWidget *widget = item->widget()) {
                placed.insert(widget);
                visit(widget);
            } else {
                visitLayout(item->layout(), placed);
            }
        }
    }

    Stops m_stops;
    const QWidget *m_at;
};

}  // namespace

QList<QWidget *> focusStops(QWidget *root, Stops stops)
{
    StopCollector collector(stops, nullptr);
    collector.visitInner(root);
    return collector.found;
}

bool focusNextIn(QWidget *root, bool next, Stops stops)
{
    QWidget *at = QApplication::focusWidget();
    if (!root->isAncestorOf(at))
        at = nullptr;
    QList<QWidget *> all;
    qsizetype place = -1;
    // Inner widgets of a list or text are not stops of their own.
    for (; at && at != root && place < 0; at = at->parentWidget()) {
        StopCollector collector(stops, at);
        collector.visitInner(root);
        all = collector.found;
        place = all.indexOf(at);
    }
    if (place < 0) {
        all = focusStops(root, stops);
        place = next ? -1 : all.size();
    }
    place += next ? 1 : -1;
    if (place < 0 || place >= all.size())
        return false;
    QWidget *to = all.at(place);
    to->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
    for (QWidget *up = to->parentWidget(); up; up = up->parentWidget()) {
        if (auto *area = qobject_cast<QScrollArea *>(up))
            area->ensureWidgetVisible(to);
    }
    return true;
}

}  // namespace sonde::ui
