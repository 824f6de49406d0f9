// SPDX-License-Identifier: Apache-2.0
#include "tests/app/gui/cuttexts.h"

#include <QCoreApplication>
#include <QEvent>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTest>

using namespace Qt::StringLiterals;

namespace sonde::test {

namespace {

QString nameOf(const QWidget *widget)
{
    return widget->objectName().isEmpty() ? QString::fromLatin1(widget->metaObject()->className())
                                          : widget->objectName();
}

bool isCut(const QLabel *label)
{
    if (label->text().isEmpty() || label->objectName() == u"foldedText"_s ||
        !label->pixmap(Qt::ReturnByValue).isNull() || !label->toolTip().isEmpty())
        return false;
    if (label->wordWrap())
        return label->heightForWidth(label->width()) > label->height() + 1;
    return label->minimumSizeHint().width() > label->width() + 1 || label->sizeHint().height() > label->height() + 1;
}

// The smallest thing in it that asks for more width than there is.
QString tooWide(const QScrollArea *area)
{
    const int room = area->viewport()->width();
    const QWidget *found = area->widget();
    for (const QWidget *child : area->widget()->findChildren<QWidget *>()) {
        const int right = child->mapTo(area->widget(), QPoint(child->width(), 0)).x();
        if (child->isVisible() && right > room && found->isAncestorOf(child))
            found = child;
    }
    return nameOf(found);
}

QStringList cutTextsNow(const QWidget *page)
{
    QStringList found;
    for (const QLabel *label : page->findChildren<QLabel *>()) {
        if (label->isVisible() && isCut(label))
            found << u"%1 “%2” is cut: %3x%4"_s.arg(nameOf(label), label->text().left(60))
                         .arg(label->width())
                         .arg(label->height());
    }
    for (const QPushButton *button : page->findChildren<QPushButton *>()) {
        if (button->isVisible() && button->minimumSizeHint().width() > button->width() + 1)
            found << u"button %1 “%2” is cut"_s.arg(nameOf(button), button->text());
    }
    for (const QScrollArea *area : page->findChildren<QScrollArea *>()) {
        if (area->isVisible() && area->horizontalScrollBar()->maximum() > 0)
            found << u"%1 scrolls sideways by %2 because of %3"_s.arg(nameOf(area))
                         .arg(area->horizontalScrollBar()->maximum())
                         .arg(tooWide(area));
    }
    return found;
}

}  // namespace

QStringList cutTexts(const QWidget *page, int patienceMs)
{
    QStringList found;
    int looksWithout = 0;  // the first may come before there is anything to be cut
    const auto isSettled = [&] {
        // A time that counts up asks for its room anew with each text.
        QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
        found = cutTextsNow(page);
        looksWithout = found.isEmpty() ? looksWithout + 1 : 0;
        return looksWithout == 3;
    };
    (void)QTest::qWaitFor(isSettled, patienceMs);
    return found;
}

}  // namespace sonde::test
