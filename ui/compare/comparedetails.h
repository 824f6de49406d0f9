// One difference: in words, and both sides next to each other.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/compare/compareentry.h"

#include <QWidget>

class QListWidget;

namespace sonde::ui {

class Badge;
class SideBySide;
class TextLabel;

class CompareDetails : public QWidget {
    Q_OBJECT
public:
    explicit CompareDetails(QWidget *parent = nullptr);
    void setEntry(const CompareEntry *entry);  // null: nothing is selected. Read at once, not kept
    void setTitles(const QString &left, const QString &right);

private:
    void showChanges(const CompareEntry &entry);
    void showChange(int row);

    TextLabel *m_name;
    TextLabel *m_part;
    Badge *m_impact;
    QListWidget *m_changes;
    SideBySide *m_sides;
    QStringList m_pointers;  // of the changes
    QList<json::Difference> m_differences;
};

}  // namespace sonde::ui
