// Exports a session or some of its rows: format, rows, redaction and target file.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/dialogs/exportjob.h"

#include <QDialog>
#include <QPointer>
#include <QTimer>
#include <vector>

class QComboBox;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QTableWidget;

namespace sonde::ui {

class Banner;
class TextLabel;

struct ExportSource {
    QString path;               // of the session's file; empty: only in memory
    QPointer<Session> session;  // the one in the window, if it is there
    QString serverName;
    qsizetype count = -1;              // records; -1: not known, as the session is not open
    bool isFiltered = false;           // the timeline shows some of them only
    qsizetype selected = 0;            // rows that are selected
    bool startsSelected = false;       // these were asked for
    std::vector<qsizetype> shownRows;  // rising, as the following
    std::vector<qsizetype> selectedRows;
};

// Reading a whole session takes time: preview and export run on a worker that opens the file itself, and a new preview
// cancels the old one. Of a session that is not completely in a file, it exports a snapshot taken at the start.
class ExportDialog : public QDialog {
    Q_OBJECT
public:
    explicit ExportDialog(const ExportSource &source, QWidget *parent = nullptr);
    ~ExportDialog() override;

private:
    enum Scope { AllRows, ShownRows, SelectedRows };
    void layOut();
    void connectParts();
    QWidget *makeMaskTable();
    QWidget *makeResultLine();
    ExportFormat format() const;
    QString suggestedPath() const;
    QString target() const;
    QStringList words() const;
    void updateFormat();
    void choosePath();
    void askForPreview();
    void startExport();
    void start(const QString &target);
    void stop();
    void showReport(const ExportReport &report, const QString &target);
    void showMasked(const QList<MaskedSecret> &masked);
    void setBusy(const QString &doing);

    ExportSource m_source;
    std::shared_ptr<std::atomic_bool> m_stop;
    QTimer m_typing;
    QString m_suggested;
    QString m_confirmed;  // a file that may be replaced, since the choice of files has asked
    QString m_written;
    int m_generation = 0;
    QComboBox *m_format;
    TextLabel *m_formatNote;
    QComboBox *m_scope;
    QLineEdit *m_words;
    TextLabel *m_wordsNote;
    TextLabel *m_summary;
    QProgressBar *m_progress;
    QTableWidget *m_table;
    QLineEdit *m_path;
    QPushButton *m_browse;
    Banner *m_confirmation;  // whether a file is to be replaced
    QPushButton *m_replace;
    Banner *m_result;
    QPushButton *m_openFolder;
    QPushButton *m_copyPath;
    QWidget *m_resultButtons;
    QPushButton *m_export;
};

}  // namespace sonde::ui
