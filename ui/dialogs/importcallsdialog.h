// Shows the calls in exports of other programs, and lets the user choose which become saved calls, and where.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/savedcalls/callimport.h"

#include <QDialog>

class QPushButton;
class QTableWidget;
class QTableWidgetItem;

namespace sonde::ui {

class Banner;
class CallFolderChoice;
class EmptyState;
class TextLabel;
class TextView;

// Writes no file: the caller saves what chosen() returns. Files and texts are read on a worker. GUI thread.
class ImportCallsDialog : public QDialog {
    Q_OBJECT
public:
    // folders: of saved calls so far.
    explicit ImportCallsDialog(const QStringList &folders, QWidget *parent = nullptr);

    // Adds what is in it to what is shown. Texts are those of the clipboard or of a drag.
    void addFile(const QString &path);
    void addText(const QString &text);

    QList<SavedCall> chosen() const;  // with their paths in folder()
    QString folder() const;

protected:
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    struct Row {
        SavedCall call;
        bool isChecked = true;
        QString name = {};  // that it would get in the folder
    };
    QWidget *makeFound();
    QWidget *makeBottom();
    void take(const Result<ImportedCalls> &imported, const QString &source);
    void chooseFiles();
    void paste();
    void onItemChanged(QTableWidgetItem *item);
    void showDetails();
    void showNames();
    void updateState();

    QList<Row> m_rows;
    QStringList m_sources;
    QStringList m_notes;
    TextLabel *m_where;
    Banner *m_banner;
    QTableWidget *m_table;
    TextView *m_details;
    TextLabel *m_notesCaption;
    TextView *m_notesText;
    QWidget *m_found;
    EmptyState *m_empty;  // in its place
    CallFolderChoice *m_folder;
    TextLabel *m_message;
    QPushButton *m_import;
};

}  // namespace sonde::ui
