// "Go to anything": a search line over everything that can be opened, best matches first.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDialog>
#include <QVariant>

class QLineEdit;
class QListWidget;

namespace sonde::ui {

class EmptyState;
class TextLabel;

struct GotoEntry {
    QString text;
    QString detail;  // which server, or what it does
    QString iconName;
    QVariant target;
    QString title;           // found by it as well; empty: none but the text
    bool isCurrent = false;  // of the server that is selected: first of those that match alike
    int recency = 0;         // more: chosen later; 0: not lately. On top as long as nothing is typed
    QString keys = {};       // what Enter does, and Ctrl+Enter; said below the list while it is selected
    bool canRun = false;
};

class GotoPalette : public QDialog {
    Q_OBJECT
public:
    explicit GotoPalette(const QList<GotoEntry> &entries, QWidget *parent = nullptr);

Q_SIGNALS:
    void chosen(const QVariant &target);
    void runChosen(const QVariant &target);  // by Ctrl+Enter, where it can be run

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void fill();
    void choose();
    const GotoEntry *selected() const;  // null: nothing matches
    void showKeys();
    QList<GotoEntry> m_entries;
    QLineEdit *m_line;
    QListWidget *m_list;
    TextLabel *m_keys;
    EmptyState *m_empty;  // in place of the list while it has nothing
};

}  // namespace sonde::ui
