// The entries of a comparison as rows, with a heading per part.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/compare/compareentry.h"

#include <QAbstractListModel>
#include <QSet>

namespace sonde::ui {

// A flat list with headings as ordinary rows, so that ten thousand entries are filtered and laid out quickly.
class CompareModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role { HeadingRole = Qt::UserRole + 1, NoteRole, BadgeTextRole, BadgeToneRole, CollapsedRole };

    explicit CompareModel(QObject *parent = nullptr);
    void setSides(std::shared_ptr<const ComparedSides> sides);  // null: no rows
    // Every word must occur in the entry's name, its changes, its impact or its part.
    void setFilter(const QString &text);
    void setBreakingOnly(bool only);
    void toggle(const QModelIndex &heading);  // collapses or expands its entries

    const CompareEntry *entry(const QModelIndex &index) const;  // null for headings
    QModelIndex indexOf(const CompareEntry &entry) const;       // by what it is about; invalid when it is not shown
    QModelIndex firstEntry() const;                             // the first that breaks, or the first of all
    qsizetype shownCount() const { return m_shown; }

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;

private:
    struct Row {
        qsizetype entry = -1;  // -1: a heading
        int group = 0;
        qsizetype count = 0;  // of a heading
    };
    void rebuild();
    bool isShown(const CompareEntry &entry) const;

    std::shared_ptr<const ComparedSides> m_sides;
    QList<Row> m_rows;
    QStringList m_words;
    QSet<int> m_collapsed;
    qsizetype m_shown = 0;
    bool m_breakingOnly = false;
};

}  // namespace sonde::ui
