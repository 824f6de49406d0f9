// SPDX-License-Identifier: Apache-2.0
#include "tests/monkey/hand.h"

#include "tests/monkey/screen.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QDir>
#include <QDropEvent>
#include <QFileDialog>
#include <QKeySequence>
#include <QLineEdit>
#include <QMimeData>
#include <QMouseEvent>
#include <QPointer>
#include <QTest>
#include <QUrl>
#include <QWheelEvent>

using namespace Qt::StringLiterals;

namespace sonde::monkey::hand {

namespace {

// As from the window system: what a click does to the focus is done only then.
void send(QWidget *widget, QEvent *event)
{
    QSpontaneKeyEvent::setSpontaneous(event);
    qApp->notify(widget, event);
}

void sendMouse(const screen::Hit &at, QEvent::Type type, Qt::MouseButton button, Qt::MouseButtons buttons)
{
    if (!at.widget)
        return;  // gone with the press
    QMouseEvent event(type, at.position, at.widget->mapToGlobal(at.position), button, buttons, Qt::NoModifier);
    send(at.widget, &event);
}

void click(const screen::Hit &at, Qt::MouseButton button = Qt::LeftButton)
{
    sendMouse(at, QEvent::MouseMove, Qt::NoButton, Qt::NoButton);
    sendMouse(at, QEvent::MouseButtonPress, button, button);
    sendMouse(at, QEvent::MouseButtonRelease, button, Qt::NoButton);
}

void rightClick(const screen::Hit &at)
{
    const QPoint global = at.widget->mapToGlobal(at.position);
    click(at, Qt::RightButton);
    if (!at.widget)
        return;
    QContextMenuEvent event(QContextMenuEvent::Mouse, at.position, global);
    send(at.widget, &event);
}

void drag(const screen::Hit &at, const QString &by)
{
    const QPoint way(by.section(u' ', 0, 0).toInt(), by.section(u' ', 1).toInt());
    sendMouse(at, QEvent::MouseButtonPress, Qt::LeftButton, Qt::LeftButton);
    for (int part = 1; part <= 4; ++part)
        sendMouse({at.widget, at.position + way * part / 4}, QEvent::MouseMove, Qt::NoButton, Qt::LeftButton);
    sendMouse({at.widget, at.position + way}, QEvent::MouseButtonRelease, Qt::LeftButton, Qt::NoButton);
}

void wheel(const screen::Hit &at, int angle)
{
    QWheelEvent event(at.position, at.widget->mapToGlobal(at.position), {}, {0, angle}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    send(at.widget, &event);
}

void drop(const screen::Hit &at, const QString &text)
{
    QWidget *taker = at.widget;
    while (taker && !taker->acceptDrops())
        taker = taker->isWindow() ? nullptr : taker->parentWidget();
    if (!taker)
        return;
    QMimeData data;
    if (QFile::exists(text))
        data.setUrls({QUrl::fromLocalFile(QDir::current().absoluteFilePath(text))});
    else
        data.setText(text);
    const QPoint position = taker->mapFromGlobal(at.widget->mapToGlobal(at.position));
    const QPointer<QWidget> guard = taker;
    QDragEnterEvent enter(position, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(taker, &enter);
    if (!guard || !enter.isAccepted())
        return;
    QDropEvent dropped(position, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(taker, &dropped);
}

void pressKeys(const QString &keys)
{
    const QKeySequence sequence(keys);
    for (int i = 0; i < sequence.count(); ++i) {
        if (QWidget *focus = screen::focus())
            QTest::keyClick(focus, sequence[uint(i)].key(), sequence[uint(i)].keyboardModifiers());
    }
}

// Until a key opens or closes a dialog, whose event loop takes the other keys.
void type(const QString &text, const std::function<void()> &between)
{
    const QPointer<QWidget> dialog = QApplication::activeModalWidget();
    for (const QChar c : text) {
        QWidget *focus = screen::focus();
        if (!focus || QApplication::activeModalWidget() != dialog)
            return;
        const bool isAscii = c >= u' ' && c <= u'~';
        const Qt::Key key = isAscii ? QTest::asciiToKey(c.toLatin1()) : Qt::Key_unknown;
        QTest::sendKeyEvent(QTest::Click, focus, key, QString(c), Qt::NoModifier);
        between();
    }
}

void chooseFile(QFileDialog *dialog, const QString &name)
{
    if (name.isEmpty()) {
        dialog->reject();
        return;
    }
    if (auto *edit = dialog->findChild<QLineEdit *>(u"fileNameEdit"_s))
        edit->setText(QDir::current().absoluteFilePath(name));
    QMetaObject::invokeMethod(dialog, "accept");
    if (dialog->isVisible())
        dialog->reject();  // it wants something else
}

void resize(const QString &size)
{
    for (QWidget *window : screen::windows()) {
        if (window->windowType() == Qt::Window)
            window->resize(size.section(u'x', 0, 0).toInt(), size.section(u'x', 1).toInt());
    }
}

}  // namespace

QFileDialog *openFileDialog()
{
    for (QWidget *window : screen::windows()) {
        if (auto *dialog = qobject_cast<QFileDialog *>(window->window()))
            return dialog;
    }
    return nullptr;
}

bool perform(const Step &step, const std::function<void()> &between)
{
    using Kind = Step::Kind;
    switch (step.kind) {
        case Kind::Key:
            pressKeys(step.text);
            return true;
        case Kind::Type:
            type(step.text, between);
            return true;
        case Kind::Resize:
            resize(step.text);
            return true;
        case Kind::ChooseFile:
            if (QFileDialog *dialog = openFileDialog()) {
                chooseFile(dialog, step.text);
                return true;
            }
            return false;
        default:
            break;
    }
    QWidget *target = screen::named(step.target);
    if (!target || !target->isEnabled())
        return false;
    const screen::Hit at = screen::hit(target, step.place);
    if (!at.widget || !at.widget->isEnabled())
        return false;
    if (step.kind == Kind::Click || step.kind == Kind::DoubleClick) {
        click(at);
        if (step.kind == Kind::DoubleClick) {
            sendMouse(at, QEvent::MouseButtonDblClick, Qt::LeftButton, Qt::LeftButton);
            sendMouse(at, QEvent::MouseButtonRelease, Qt::LeftButton, Qt::NoButton);
        }
    } else if (step.kind == Kind::RightClick) {
        rightClick(at);
    } else if (step.kind == Kind::Drag) {
        drag(at, step.text);
    } else if (step.kind == Kind::Wheel) {
        wheel(at, step.number);
    } else if (step.kind == Kind::Drop) {
        drop(at, step.text);
    }
    return true;
}

}  // namespace sonde::monkey::hand
