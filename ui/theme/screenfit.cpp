// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/screenfit.h"

#include "ui/theme/pagearea.h"
#include "ui/theme/widgets.h"

#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLayout>
#include <QMessageBox>
#include <QScreen>
#include <QTimer>
#include <QVBoxLayout>

namespace sonde::ui {

namespace {

constexpr QMargins TitleBar(4, 32, 4, 4);  // of window managers

bool hasButtons(QLayoutItem *item)
{
    const QLayout *row = item->layout();
    for (int i = 0; row && i < row->count(); ++i) {
        if (hasButtons(row->itemAt(i)))
            return true;
    }
    return qobject_cast<QDialogButtonBox *>(item->widget());
}

// The row of buttons that ends a dialog, out of its layout; null: it ends otherwise.
QLayout *takeButtons(QLayout *layout)
{
    const int last = layout->count() - 1;
    if (last < 1 || !qobject_cast<QVBoxLayout *>(layout) || !hasButtons(layout->itemAt(last)))
        return nullptr;
    QLayoutItem *item = layout->takeAt(last);
    if (QLayout *row = item->layout())
        return row;
    auto *row = new QHBoxLayout;
    row->addItem(item);
    return row;
}

// Moves all that the dialog has into a page that is scrolled, but for its buttons, which stay in sight below it, as
// long as there is room for them.
void addScrolling(QWidget *dialog)
{
    const QString name = QStringLiteral("dialogScroll");
    const auto *scrolled = dialog->findChild<QWidget *>(name, Qt::FindDirectChildrenOnly);
    if (scrolled && scrolled->findChild<QWidget *>(name))
        return;
    QWidget *focus = dialog->focusWidget();  // which moving it forgets
    auto *area = new PageArea(dialog);       // first: the fields stay in the window, and in their order
    auto *page = new QWidget;
    area->setWidget(page);
    QMargins margins = dialog->layout()->contentsMargins();
    QLayout *buttons = scrolled ? nullptr : takeButtons(dialog->layout());
    page->setLayout(dialog->layout());
    area->setObjectName(name);
    area->setFocusPolicy(Qt::NoFocus);
    auto *outer = new QVBoxLayout(dialog);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(0);
    outer->addWidget(area, 1);
    if (buttons) {
        margins.setTop(Grid);
        buttons->setContentsMargins(margins);
        outer->addWidget(new Line(Qt::Horizontal));
        outer->addLayout(buttons);
    }
    if (focus)
        focus->setFocus();
}

bool isDialog(const QWidget *widget)
{
    // A message box breaks its lines to fit, and fixes its size.
    return widget->isWindow() && (widget->windowType() == Qt::Dialog || qobject_cast<const QDialog *>(widget)) &&
           !qobject_cast<const QMessageBox *>(widget);
}

}  // namespace

ScreenFit::ScreenFit(QObject *parent) : QObject(parent)
{
    QCoreApplication::instance()->installEventFilter(this);
}

bool ScreenFit::eventFilter(QObject *watched, QEvent *event)
{
    const bool isShown = event->type() == QEvent::Show;
    auto *dialog = isShown || event->type() == QEvent::LayoutRequest ? qobject_cast<QWidget *>(watched) : nullptr;
    if (!dialog || !isDialog(dialog))
        return false;
    const QSize before = dialog->size();
    fit(dialog);
    if (!isShown)
        QTimer::singleShot(0, dialog, [dialog, before] { keepInside(dialog, before); });
    return false;
}

// One that grows, as with a larger font, grows to the right and down.
void ScreenFit::keepInside(QWidget *dialog, const QSize &before)
{
    const QSize grown = dialog->size() - before;
    const QRect screen = dialog->screen()->availableGeometry();
    QRect frame = dialog->frameGeometry();
    if (!dialog->isVisible() || (grown.width() <= 0 && grown.height() <= 0) || screen.contains(frame))
        return;
    frame.moveRight(qMin(frame.right(), screen.right()));
    frame.moveBottom(qMin(frame.bottom(), screen.bottom()));
    frame.moveLeft(qMax(frame.left(), screen.left()));
    frame.moveTop(qMax(frame.top(), screen.top()));
    dialog->move(frame.topLeft());
}

void ScreenFit::fit(QWidget *dialog)
{
    const QSize room = dialog->screen()->availableSize().shrunkBy(TitleBar);
    const QLayout *layout = dialog->layout();
    if (!layout)
        return;
    // What is set here would hold even where the layout needs more.
    if (room.expandedTo(dialog->minimumSize()) != room)
        dialog->setMinimumSize(dialog->minimumSize().boundedTo(room));
    const QSize least = layout->totalMinimumSize();
    if (least.width() > room.width() || least.height() > room.height())
        addScrolling(dialog);
    const QSize fitting = dialog->size().expandedTo(least).boundedTo(room);
    if (fitting != dialog->size())
        dialog->resize(fitting);
}

}  // namespace sonde::ui
