// SPDX-License-Identifier: Apache-2.0
#include "app/gui/shortcuts.h"

#include "app/gui/actions.h"
#include "app/gui/mainwindow.h"
#include "app/gui/menubar.h"
#include "app/gui/settings.h"
#include "ui/dialogs/shortcuteditor.h"
#include "ui/theme/keys.h"

#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::app {

namespace {

const QString noKeys = u"none"_s;

QString settingOf(const QAction *action)
{
    return setting::Keys + action->objectName().chopped(qsizetype(QLatin1StringView("Action").size()));
}

// Return and Enter of the keypad are one key to a person. Texts name it Enter, so that one comes first.
QList<QKeySequence> withKeypad(const QList<QKeySequence> &keys)
{
    QList<QKeySequence> result;
    for (const QKeySequence &sequence : keys) {
        const QKeyCombination first = sequence[0];
        const QKeySequence twin(QKeyCombination(first.keyboardModifiers(), Qt::Key_Enter));
        if (first.key() == Qt::Key_Return && !result.contains(twin))
            result.append(twin);
        if (!result.contains(sequence))
            result.append(sequence);
    }
    return result;
}

}  // namespace

Shortcuts::Shortcuts(MainWindow *window, Settings *settings, QObject *parent)
    : QObject(parent), m_window(window), m_settings(settings)
{
    const QList<QAction *> actions = window->actions->all();
    for (QAction *action : actions) {
        m_usual.insert(action, action->shortcuts());
        const QString stored = settings->text(settingOf(action));
        if (stored.isEmpty() || Actions::hasFixedKeys(action))
            continue;
        give(action, stored == noKeys ? QList<QKeySequence>()
                                      : QKeySequence::listFromString(stored, QKeySequence::PortableText));
    }
}

void Shortcuts::set(QAction *action, const QList<QKeySequence> &keys)
{
    give(action, keys);
    if (action->shortcuts() == m_usual.value(action))
        m_settings->remove(settingOf(action));
    else
        m_settings->set(settingOf(action),
                        keys.isEmpty() ? noKeys : QKeySequence::listToString(keys, QKeySequence::PortableText));
    m_settings->save();
}

void Shortcuts::give(QAction *action, const QList<QKeySequence> &keys)
{
    action->setShortcuts(withKeypad(keys));
    const QList<QKeySequence> usual = m_usual.value(action);
    if (!usual.isEmpty())
        ui::setKeys(usual.first()[0], action->shortcut());
}

ui::ShortcutEditor *Shortcuts::makeEditor()
{
    QList<ui::ShortcutEntry> entries;
    QList<std::pair<QKeySequence, QString>> reserved;
    const Actions &actions = *m_window->actions;
    const QList<QAction *> menus = m_window->menus->actions();
    for (int i = 0; i < Actions::MenuCount; ++i) {
        const QString title = menus[i]->text();
        const QString name = ui::withoutMnemonic(title);
        reserved.append({QKeySequence::mnemonic(title), tr("it opens the menu %1").arg(name)});
        const QList<QAction *> shown = actions.menu(Actions::Menu(i));
        for (QAction *action : shown) {
            if (action)
                entries.append({action, name, m_usual.value(action), Actions::hasFixedKeys(action)});
        }
    }
    reserved.append({QKeySequence(QKeySequence::Save), tr("it saves the saved call of the tab")});
    auto *editor = new ui::ShortcutEditor(entries, reserved);
    connect(editor, &ui::ShortcutEditor::chosen, this, &Shortcuts::set);
    return editor;
}

}  // namespace sonde::app
