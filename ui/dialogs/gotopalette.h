// "Go to anything": a search line over everything that can be opened, best matches first.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDialog>
#include <QVariant>

class QLineEdit;
class QListWidget;

namespace sonde::ui {

class EmptyState;

struct GotoEntry {
    QString text;
    QString detail;  // which server, or what it does
    QString iconName;
    QVariant target;
    QString title;     // found by it as well; empty: none but the text
    int priority = 0;  // of two that match alike the one with more comes first
};

class GotoPalette : public QDialog {
    Q_OBJECT
public:
    explicit GotoPalette(const QList<GotoEntry> &entries, QWidget *parent = nullptr);

Q_SIGNALS:
    void chosen(const QVariant &target);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void fill();
    void choose();
    QList<GotoEntry> m_entries;
    QLineEdit *m_line;
    QListWidget *m_list;
    EmptyState *m_empty;  // in place of the list while it has nothing
};

}  // namespace sonde::ui
