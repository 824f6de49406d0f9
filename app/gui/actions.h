// What can be done in the window, whether it is reached by a menu, a button, a key or the palette.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QAction>
#include <QKeyCombination>
#include <QList>
#include <QObject>

class QActionGroup;
class QPushButton;

namespace sonde::app {

// Owns the actions, whose keys work in the whole window. What they do is connected by the WindowController, and when
// they can do it is said by ActionStates. An action's text stands in menus and in the palette, its iconText on a
// button, and data() is the name of its icon.
class Actions : public QObject {
    Q_OBJECT
public:
    enum class Menu { File, Edit, View, Server, Session, Tools, Help };
    static constexpr int MenuCount = 7;

    explicit Actions(QWidget *window);

    QAction *addServer;
    QAction *importServers;
    QAction *importCalls;
    QAction *exportServers;
    QAction *openSession;
    QAction *closeTab;
    QAction *reopenTab;
    QAction *pinTab;
    QAction *quit;

    // Most are for the widget with the focus, which has their keys.
    QAction *undo;
    QAction *redo;
    QAction *cut;
    QAction *copy;
    QAction *copyArguments;
    QAction *copyCommand;
    QAction *paste;
    QAction *selectAll;
    QAction *find;
    QAction *filterOffers;
    QAction *filterTimeline;
    QAction *preferences;

    QAction *goTo;
    QAction *nextTab;
    QAction *previousTab;
    QAction *maximiseTimeline;
    QAction *themeSystem;
    QAction *themeLight;
    QAction *themeDark;
    QAction *themeHighContrast;
    QActionGroup *themes;
    QAction *showMenuBar;
    QAction *openMenu;

    QAction *restart;
    QAction *stop;
    QAction *serverInfo;
    QAction *refreshLists;
    QAction *ping;
    QAction *showTasks;
    QAction *runSavedCalls;
    QAction *editServer;
    QAction *renameServer;
    QAction *duplicateServer;
    QAction *copyServer;
    QAction *removeServer;

    QAction *replay;
    QAction *compare;
    QAction *statistics;
    QAction *exportSession;
    QAction *sessionLimit;
    QAction *closeSession;

    QAction *call;
    QAction *cancelCall;  // only while something can be cancelled, since Escape has other uses
    QAction *olderCall;
    QAction *newerCall;
    QAction *goToRequest;

    QAction *manual;
    QAction *shortcuts;
    QAction *about;

    QList<QAction *> menu(Menu menu) const;  // null: a separator
    QList<QAction *> all() const;            // in the order of the menus
    // Its keys belong to the widget with the focus, and so cannot be changed.
    static bool hasFixedKeys(const QAction *action);
    static QString nameOf(const QAction *action);  // its text without the mnemonic

    // The button shows the action, and triggers it.
    static void show(QAction *action, QPushButton *button);

private:
    QAction *make(const QString &name, const QString &text, const QList<QKeySequence> &keys, const QString &iconName);
    QAction *makeEdit(const QString &name, const QString &text, QKeySequence::StandardKey keys,
                      const QString &iconName);
};

}  // namespace sonde::app
