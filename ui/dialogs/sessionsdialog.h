// All recorded sessions: find, open, replay, name, export, delete; and a search in all of them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/session/retention.h"
#include "core/session/sessionnotes.h"

#include <QDialog>
#include <QHash>

class QAction;
class QPlainTextEdit;
class QPushButton;
class QStackedWidget;
class QTableView;

namespace sonde::ui {

class Banner;
class EmptyState;
class LineInput;
class SegmentedControl;
class SessionSearchPage;
class SessionsFilter;
class SessionsModel;
class TextLabel;

// May be shown again, with what was found and typed.
class SessionsDialog : public QDialog {
    Q_OBJECT
public:
    explicit SessionsDialog(const SessionLibrary &library, QWidget *parent = nullptr,
                            std::shared_ptr<SessionNotes> notes = std::make_shared<SessionNotes>());
    ~SessionsDialog() override;

    // What is beyond the rules is offered to be deleted. open: files that the window shows; they stay.
    void setRetention(const RetentionRules &rules, const QStringList &open);
    void refresh();  // reads the folder anew
    void reviewRetention();
    QString chosenPath() const { return m_chosen; }
    qsizetype chosenRow() const { return m_chosenRow; }  // of that session; -1: none in particular
    bool wantsReplay() const { return m_wantsReplay; }   // rather than to be opened
    void done(int result) override;                      // stays open, once, where notes could not be saved

Q_SIGNALS:
    void exportRequested(const QString &path, const QString &serverName);
    void limitRequested();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    QWidget *makeSessions();
    QWidget *makeNotes();
    void makeActions();
    QWidget *makeButtons();
    void showPage(int page);
    void showRowsOrWhyNot();
    void onSelected();
    void showNotes();
    bool saveNotes();  // says why it could not
    void setPinned(bool isPinned);
    void rename();
    void updateState();
    void updateRetention();
    void choose(bool toReplay);
    void openFile();
    void exportSelected();
    void removeSelected();
    void remove(const QStringList &paths);
    bool confirmsRemoval(const QStringList &sessions);
    QString lineOf(int row) const;  // of the model: which session it is
    void say(const QStringList &problems);
    QList<int> selectedRows() const;  // of the model
    QList<SessionEntry> beyond() const;

    SessionLibrary m_library;
    RetentionRules m_rules;
    QStringList m_openPaths;
    QString m_chosen;
    qsizetype m_chosenRow = -1;
    bool m_wantsReplay = false;
    QString m_notesOf;                   // the ID of the session whose notes are shown
    QHash<QString, QString> m_notSaved;  // notes that were typed, by ID
    QHash<QString, QString> m_notSavedOnClosing;
    SessionsModel *m_model;
    SessionsFilter *m_sorted;
    SegmentedControl *m_switch;
    QStackedWidget *m_pages;
    LineInput *m_filter;
    Banner *m_retention;
    QTableView *m_table;
    EmptyState *m_empty;
    QWidget *m_noteBox;
    QPushButton *m_pin;
    QPlainTextEdit *m_notes;
    SessionSearchPage *m_search;
    TextLabel *m_message;
    QPushButton *m_open;
    QPushButton *m_replay;
    QPushButton *m_export;
    QPushButton *m_remove;
    QList<QPushButton *> m_ofSessions;  // have nothing to do with the search
    QAction *m_rename = nullptr;
};

}  // namespace sonde::ui
