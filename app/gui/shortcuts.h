// The keys of the actions, as the person has chosen them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QHash>
#include <QKeySequence>
#include <QList>
#include <QObject>

class QAction;
class QWidget;

namespace sonde::ui {
class ShortcutEditor;
}

namespace sonde::app {

class MainWindow;
class Settings;

// Gives the actions the keys that were stored. Does not own its arguments.
class Shortcuts : public QObject {
    Q_OBJECT
public:
    Shortcuts(MainWindow *window, Settings *settings, QObject *parent = nullptr);

    void set(QAction *action, const QList<QKeySequence> &keys);  // and stores them
    ui::ShortcutEditor *makeEditor();                            // has no parent

private:
    void give(QAction *action, const QList<QKeySequence> &keys);
    MainWindow *m_window;
    Settings *m_settings;
    QHash<const QAction *, QList<QKeySequence>> m_usual;
};

}  // namespace sonde::app
