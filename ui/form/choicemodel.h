// The rows of an enum: all of them, or those that match the typed text.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/shape/choicelist.h"

#include <QAbstractListModel>
#include <QAbstractProxyModel>
#include <QTimer>

namespace sonde::ui {

// Labels are made when a view needs them.
class ChoiceModel : public QAbstractListModel {
    Q_OBJECT
public:
    ChoiceModel(const ChoiceList &choices, QObject *parent);
    const ChoiceList &choices() const { return m_choices; }
    void setForeign(const QString &label);  // a last row for a value outside the set; empty: none

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    // Finds the row of a text; a combo box asks for it when editing ends.
    QModelIndexList match(const QModelIndex &start, int role, const QVariant &value, int hits,
                          Qt::MatchFlags flags) const override;

private:
    ChoiceList m_choices;
    QString m_foreign;
};

// Searches a few thousand rows per turn of the event loop until there are enough matches, so that typing never waits
// for the end of a long list.
class ChoiceSearch : public QAbstractProxyModel {
    Q_OBJECT
public:
    explicit ChoiceSearch(ChoiceModel *choices);
    void search(const QString &text);
    void stop() { m_more.stop(); }
    bool isSearching() const { return m_more.isActive(); }

    QModelIndex mapToSource(const QModelIndex &index) const override;
    QModelIndex mapFromSource(const QModelIndex &index) const override;
    QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    QModelIndex parent(const QModelIndex &index) const override;
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;

Q_SIGNALS:
    void foundLater();  // the first match, in a later turn than that of search()

private:
    void searchOn();
    ChoiceModel *m_choices;
    QList<int> m_rows;
    QString m_text;
    int m_next = 0;
    QTimer m_more;
};

}  // namespace sonde::ui
