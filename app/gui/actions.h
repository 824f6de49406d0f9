// What can be done in the window, whether it is reached by a button, a key or the palette.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QAction>
#include <QKeyCombination>
#include <QList>
#include <QObject>

class QPushButton;

namespace sonde::app {

// Owns the actions, whose keys work in the whole window. What they do is connected by the WindowController. An action's
// text stands in the palette, its iconText on a button, and data() is the name of its icon.
class Actions : public QObject {
    Q_OBJECT
public:
    explicit Actions(QWidget *window);

    QAction *goTo;
    QAction *addServer;
    QAction *openSession;
    QAction *replay;
    QAction *compare;
    QAction *importServers;
    QAction *exportServers;
    QAction *goToRequest;
    QAction *sessionLimit;
    QAction *statistics;
    QAction *exportSession;
    QAction *filterOffers;
    QAction *filterTimeline;
    QAction *maximiseTimeline;
    QAction *restart;
    QAction *closeTab;
    QAction *quit;
    QAction *nextTab;
    QAction *previousTab;
    QAction *call;
    QAction *olderCall;
    QAction *newerCall;
    QAction *cancelCall;  // only while something can be cancelled, since Escape has other uses

    // The button shows the action, and triggers it.
    static void show(QAction *action, QPushButton *button);
    QList<QAction *> palette() const;  // in the order in which it lists them

private:
    QAction *make(const QString &name, const QString &text, const QList<QKeySequence> &keys = {},
                  const QString &iconName = {});
};

}  // namespace sonde::app
