// Rows of all recorded sessions that a filter selects.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/filter/sessionsearch.h"

#include <QAbstractTableModel>
#include <QWidget>

class QComboBox;
class QPushButton;
class QTableView;

namespace sonde::ui {

class EmptyState;
class FilterLine;
class SessionsModel;
class TextLabel;

class SessionHitsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Time, SessionName, Call, OutcomeColumn, DurationColumn, ColumnCount };
    enum Role { SortRole = Qt::UserRole + 1 };

    SessionHitsModel(const SessionsModel *sessions, QObject *parent);
    void clear();
    void add(const QList<SessionHit> &hits);
    const SessionHit &at(int row) const { return m_hits[row]; }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    QVariant data(const QModelIndex &index, int role) const override;

private:
    const SessionsModel *m_sessions;
    QList<SessionHit> m_hits;
};

// What was found stays while the dialog is closed to look at one of the rows.
class SessionSearchPage : public QWidget {
    Q_OBJECT
public:
    explicit SessionSearchPage(const SessionsModel *sessions, QWidget *parent = nullptr);
    const SessionHit *selected() const;  // null: none
    void focusLine();

Q_SIGNALS:
    void selectionChanged();
    void activated();  // the selected row is to be opened

private:
    void search();
    void showState();
    // Of the rows: not before that day; invalid where the whole of them counts.
    QDateTime since() const;

    const SessionsModel *m_sessions;
    SessionSearch m_search;
    SessionHitsModel *m_hits;
    FilterLine *m_line;
    QComboBox *m_period;
    QPushButton *m_start;
    QTableView *m_table;
    EmptyState *m_empty;
    TextLabel *m_state;
    QString m_searched;  // the filter whose rows are shown
};

}  // namespace sonde::ui
