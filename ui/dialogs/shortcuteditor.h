// The list of all commands with their keys, which can be searched and changed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QKeySequence>
#include <QList>
#include <QPointer>
#include <QWidget>

class QAction;
class QKeySequenceEdit;
class QLineEdit;
class QPushButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace sonde::ui {

class TextLabel;

struct ShortcutEntry {
    QAction *action = nullptr;  // outlives the editor
    QString group;              // the menu that it is in
    QList<QKeySequence> usual;
    bool isFixed = false;  // its keys belong to the widget with the focus
};

// Keys that another command has are accepted only when the person agrees that it loses them. The owner stores what is
// chosen and gives it to the action, which this follows.
class ShortcutEditor : public QWidget {
    Q_OBJECT
public:
    // reserved: keys that are not free, and for what.
    ShortcutEditor(const QList<ShortcutEntry> &entries, const QList<std::pair<QKeySequence, QString>> &reserved,
                   QWidget *parent = nullptr);
    void focusFilter();
    void resetAll();

Q_SIGNALS:
    void chosen(QAction *action, const QList<QKeySequence> &keys);  // none: it has no keys

private:
    struct Verdict {
        QString problem;           // empty: the keys are free
        QAction *taken = nullptr;  // that would lose them
    };
    void filter();
    void showEntry(QTreeWidgetItem *item);
    void showCurrent();
    const ShortcutEntry *currentEntry() const;
    Verdict judge(const QKeySequence &keys, const QAction *action) const;
    void take(const QKeySequence &typed);
    void reassign();
    void say(const Verdict &verdict);

    const QList<ShortcutEntry> m_entries;
    const QList<std::pair<QKeySequence, QString>> m_reserved;
    QLineEdit *m_filter;
    QTreeWidget *m_list;
    QKeySequenceEdit *m_keys;
    QPushButton *m_remove;
    QPushButton *m_reset;
    TextLabel *m_message;
    QPushButton *m_reassign;
    QKeySequence m_wanted;  // that another one has
    QPointer<QAction> m_holder;
};

}  // namespace sonde::ui
