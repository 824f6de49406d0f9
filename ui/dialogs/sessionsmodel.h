// The recorded sessions as rows of a table.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/calls/summarystore.h"
#include "core/session/sessionnotes.h"

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

namespace sonde::ui {

// Lists at once what the files' names and headers say. Calls, failures and the like fill in as a worker reads them. A
// name that is edited is saved.
class SessionsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Date, Server, Name, Duration, Calls, Failures, Findings, Size, State, ColumnCount };
    enum Role {
        SortRole = Qt::UserRole + 1,  // what a column is sorted by
        SearchRole                    // all texts of the row in which words are looked for
    };

    SessionsModel(const SessionLibrary &library, std::shared_ptr<SessionNotes> notes, QObject *parent = nullptr);

    void refresh();  // reads the folder anew
    const QList<SessionEntry> &entries() const { return m_entries; }
    const SessionEntry &at(int row) const { return m_entries[row]; }
    SessionNote noteAt(int row) const { return noteOf(m_entries[row]); }
    SessionNote noteOf(const SessionEntry &entry) const { return m_noteOf.value(entry.id); }
    // What it leaves as it was stays as another window has it by now. False: not saved, see notSaved().
    bool setNote(int row, const SessionNote &note);
    // Removes the notes of those sessions that no file in the list belongs to any more.
    void forget(const QStringList &ids);
    QString idOf(const QString &path) const;     // of the session; empty: not in the list
    QString titleOf(const QString &path) const;  // the name that the person gave it, or the server's

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    bool setData(const QModelIndex &index, const QVariant &value, int role) override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;

Q_SIGNALS:
    void notSaved(const sonde::Error &reason);  // a name or note

private:
    QString textOf(int row, int column) const;
    QVariant sortKeyOf(int row, int column) const;
    QString stateOf(int row) const;
    QString toolTipOf(int row, int column) const;

    SessionLibrary m_library;
    std::shared_ptr<SessionNotes> m_notes;
    SummaryStore m_summaries;
    QList<SessionEntry> m_entries;
    QHash<QString, SessionNote> m_noteOf;  // by the session's ID
    QHash<QString, int> m_rowOf;           // by path
};

// Rows in which all words occur.
class SessionsFilter : public QSortFilterProxyModel {
    Q_OBJECT
public:
    explicit SessionsFilter(SessionsModel *model, QObject *parent = nullptr);
    void setWords(const QString &text);

protected:
    bool filterAcceptsRow(int row, const QModelIndex &parent) const override;

private:
    QStringList m_words;
};

}  // namespace sonde::ui
