// All recorded sessions: open, replay, export, delete.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/session/sessionlibrary.h"

#include <QDialog>

class QLineEdit;
class QPushButton;
class QTableWidget;

namespace sonde::ui {

class EmptyState;
class TextLabel;

class SessionsDialog : public QDialog {
    Q_OBJECT
public:
    explicit SessionsDialog(const SessionLibrary &library, QWidget *parent = nullptr);
    QString chosenPath() const { return m_chosen; }
    bool wantsReplay() const { return m_wantsReplay; }  // rather than to be opened

Q_SIGNALS:
    void exportRequested(const QString &path, const QString &serverName);
    void limitRequested();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void fill();
    void updateState();
    void chooseSelected(bool toReplay);
    void openFile();
    void exportSelected();
    void removeSelected();
    QList<int> selectedEntries() const;
    SessionLibrary m_library;
    QList<SessionEntry> m_entries;
    QString m_chosen;
    bool m_wantsReplay = false;
    QLineEdit *m_filter;
    QTableWidget *m_table;
    EmptyState *m_empty;
    TextLabel *m_message;
    QPushButton *m_open;
    QPushButton *m_replay;
    QPushButton *m_export;
    QPushButton *m_remove;
};

}  // namespace sonde::ui
