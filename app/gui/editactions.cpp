// SPDX-License-Identifier: Apache-2.0
#include "app/gui/editactions.h"

#include "app/gui/actions.h"
#include "ui/form/jsoneditor.h"
#include "ui/form/schemaform.h"
#include "ui/json/jsontable.h"
#include "ui/json/jsontreeview.h"
#include "ui/json/pagefind.h"
#include "ui/json/textview.h"
#include "ui/panels/callpanel.h"
#include "ui/timeline/timelinepanel.h"

#include <QApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QTextEdit>

namespace sonde::app {

namespace {

struct Edits {
    bool undo = false;
    bool redo = false;
    bool cut = false;
    bool copy = false;
    bool paste = false;
    bool selectAll = false;
    bool find = false;
};

// That this is, or is within; null: none.
template <typename T>
const T *around(const QWidget *widget)
{
    for (; widget; widget = widget->parentWidget()) {
        if (const auto *found = qobject_cast<const T *>(widget))
            return found;
    }
    return nullptr;
}

// Has the steps of what is edited there, instead of the widget; null: the widget has its own.
const ui::SchemaForm *formOf(const QWidget *widget)
{
    if (const auto *form = around<ui::SchemaForm>(widget))
        return form;
    const auto *panel = around<ui::JsonEditor>(widget) ? around<ui::CallPanel>(widget) : nullptr;
    return panel ? &panel->form() : nullptr;
}

// Of a tab, wherever in it the focus is. False: it has no fields to be found.
bool findWithin(const ui::CallPanel &panel)
{
    auto *form = panel.findChild<ui::SchemaForm *>(QStringLiteral("form"));
    if (form && form->isVisible() && form->isEnabled() && form->hasFields()) {
        form->openFind();
        return true;
    }
    const auto *json = panel.findChild<ui::JsonEditor *>(QStringLiteral("jsonArguments"));
    ui::PageFind *find = json && json->isVisible() ? ui::PageFind::around(json->edit()) : nullptr;
    if (find)
        find->open();
    return find != nullptr;
}

template <typename Edit>
Edits ofDocument(const Edit &edit)
{
    const bool canChange = !edit.isReadOnly();
    const bool hasSelection = edit.textCursor().hasSelection();
    return {.undo = canChange && edit.document()->isUndoAvailable(),
            .redo = canChange && edit.document()->isRedoAvailable(),
            .cut = canChange && hasSelection,
            .copy = hasSelection,
            .paste = canChange,
            .selectAll = !edit.document()->isEmpty()};
}

Edits editsOf(const QWidget *widget)
{
    Edits can;
    if (const auto *line = qobject_cast<const QLineEdit *>(widget)) {
        const bool isReadable = line->hasSelectedText() && line->echoMode() == QLineEdit::Normal;
        can = {.undo = line->isUndoAvailable(),
               .redo = line->isRedoAvailable(),
               .cut = isReadable && !line->isReadOnly(),
               .copy = isReadable,
               .paste = !line->isReadOnly(),
               .selectAll = !line->text().isEmpty()};
    } else if (const auto *plain = qobject_cast<const QPlainTextEdit *>(widget)) {
        can = ofDocument(*plain);
    } else if (const auto *rich = qobject_cast<const QTextEdit *>(widget)) {
        can = ofDocument(*rich);
    } else if (const auto *label = qobject_cast<const QLabel *>(widget)) {
        can.copy = label->hasSelectedText();
    } else if (qobject_cast<const ui::TextView *>(widget)) {
        can.copy = can.selectAll = can.find = true;
    } else if (qobject_cast<const ui::JsonTreeView *>(widget) || around<ui::JsonTable>(widget)) {
        can.copy = true;
    }
    if (const ui::SchemaForm *form = formOf(widget)) {
        can.undo = form->canUndo();
        can.redo = form->canRedo();
    }
    can.find = can.find || around<ui::SchemaForm>(widget) || ui::PageFind::around(widget);
    return can;
}

}  // namespace

EditActions::EditActions(Actions *actions, QWidget *window, QObject *parent)
    : QObject(parent), m_actions(actions), m_window(window)
{
    const auto on = [this](QAction *action, QKeySequence::StandardKey keys) {
        connect(action, &QAction::triggered, this, [this, keys] { press(keys); });
    };
    on(actions->undo, QKeySequence::Undo);
    on(actions->redo, QKeySequence::Redo);
    on(actions->cut, QKeySequence::Cut);
    on(actions->copy, QKeySequence::Copy);
    on(actions->paste, QKeySequence::Paste);
    on(actions->selectAll, QKeySequence::SelectAll);
    connect(actions->find, &QAction::triggered, this, &EditActions::find);
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget *, QWidget *now) {
        if (now && now->window() == m_window && !qobject_cast<QMenuBar *>(now))
            m_target = now;
    });
    update();
}

const QWidget *EditActions::target() const
{
    return m_target && m_target->isVisible() ? m_target.data() : nullptr;
}

void EditActions::update()
{
    const Edits can = editsOf(target());
    m_actions->undo->setEnabled(can.undo);
    m_actions->redo->setEnabled(can.redo);
    m_actions->cut->setEnabled(can.cut);
    m_actions->copy->setEnabled(can.copy);
    m_actions->paste->setEnabled(can.paste);
    m_actions->selectAll->setEnabled(can.selectAll);
}

void EditActions::find()
{
    const auto *panel = around<ui::CallPanel>(target());
    if (editsOf(target()).find)
        press(QKeySequence::Find);
    else if (panel && findWithin(*panel))
        return;
    else if (around<ui::TimelinePanel>(target()))
        m_actions->filterTimeline->trigger();
    else
        m_actions->filterOffers->trigger();
}

void EditActions::press(QKeySequence::StandardKey keys)
{
    if (!m_target)
        return;
    // While the menu bar has the focus, keys that the widget does not take would trigger the action again.
    m_target->setFocus();
    if (!m_target->hasFocus())
        return;
    const QKeyCombination first = QKeySequence(keys)[0];
    QKeyEvent event(QEvent::KeyPress, first.key(), first.keyboardModifiers());
    QCoreApplication::sendEvent(m_target, &event);
}

}  // namespace sonde::app
