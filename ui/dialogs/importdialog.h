// Shows the servers of other hosts' configurations, and lets a person choose which to add to the list.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/server/hostconfig.h"

#include <QDialog>

class QListWidget;
class QMimeData;
class QPushButton;
class QTableWidget;
class QTableWidgetItem;

namespace sonde::ui {

class Banner;
class EmptyState;
class TextLabel;
class TextView;

// Starts nothing and changes no file: the caller adds what chosen() returns. Files and texts are read on a worker.
class ImportDialog : public QDialog {
    Q_OBJECT
public:
    // existing: the list so far. found: what is on this computer.
    ImportDialog(const QList<ServerSpec> &existing, const QList<HostConfig> &found, QWidget *parent = nullptr);

    // What is on this computer by now. What was changed in a source that is as it was stays.
    void setFound(const QList<HostConfig> &found);
    // Adds a source and selects it. Texts are those of the clipboard or of a drag.
    void addFile(const QString &path);
    void addText(const QString &text);
    // The checked servers of the shown source, under the names that the person gave them.
    QList<HostServer> chosen() const;

    // The files of a drag: what can be imported.
    static QStringList droppedFiles(const QMimeData *mime);

protected:
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    struct Row {
        QString name;
        bool isChecked = false;
        bool isKnown = false;  // the list has the same server
        QString fillsIn;       // the name of that, where it keeps in the keychain what stands here; empty: none
    };
    struct Source {
        HostConfig config;
        QList<Row> rows;
    };
    Source sourceOf(const HostConfig &config) const;
    void addSource(const Source &source);
    int firstUsable() const;
    void paste();
    void chooseFile();
    void showSource(int index);
    void showDetails();
    void fitNotes();
    void onItemChanged(QTableWidgetItem *item);
    QString nameProblem(const Source &source, qsizetype row) const;
    QString noteOf(const HostServer &server, const Row &row) const;
    void updateState();
    const Source *shown() const;

    QList<ServerSpec> m_existing;
    QList<Source> m_sources;
    qsizetype m_foundCount = 0;  // the first of them; others were added by the user
    bool m_filling = false;
    QListWidget *m_list;
    TextLabel *m_where;
    Banner *m_banner;
    QTableWidget *m_table;
    TextView *m_details;
    EmptyState *m_empty;  // in the place of both
    TextLabel *m_message;
    QPushButton *m_import;
};

}  // namespace sonde::ui
