// The filters that were kept, and the colours that filters give to rows.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/theme/theme.h"

#include <QList>
#include <QStringList>
#include <QToolButton>

class QDataStream;
class QMenu;

namespace sonde::ui {

class FilterLine;

// Rows that the filter lets through are tinted; of several rules the first one counts.
struct ColorRule {
    QString filter;
    Tone tone = Tone::Finding;
    bool operator==(const ColorRule &) const = default;
};

class FilterMenu : public QToolButton {
    Q_OBJECT
public:
    // What stands in the line can be kept, and what is kept is put there. The line outlives the menu.
    FilterMenu(FilterLine *line, QWidget *parent);

    const QStringList &kept() const { return m_kept; }
    const QList<ColorRule> &rules() const { return m_rules; }

    void save(QDataStream &stream) const;
    void restore(QDataStream &stream);  // what is no filter any more is dropped

Q_SIGNALS:
    void rulesChanged();
    void changed();  // by the person: what is kept is different now

private:
    void fill();
    void addKept();
    void addColors();
    void setKept(const QStringList &kept);
    void setRules(const QList<ColorRule> &rules);

    QMenu *m_menu;
    FilterLine *m_line;
    QString m_current;  // in the line; empty when it is no filter or lets everything through
    QStringList m_kept;
    QList<ColorRule> m_rules;
};

}  // namespace sonde::ui
