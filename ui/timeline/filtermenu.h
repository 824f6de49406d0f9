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

// Rows that the filter lets through are tinted; of several rules the first one counts.
struct ColorRule {
    QString filter;
    Tone tone = Tone::Finding;
    bool operator==(const ColorRule &) const = default;
};

class FilterMenu : public QToolButton {
    Q_OBJECT
public:
    explicit FilterMenu(QWidget *parent = nullptr);

    // What stands in the filter line; empty when it is no filter or lets everything through.
    void setCurrent(const QString &filter) { m_current = filter; }
    const QStringList &saved() const { return m_saved; }
    const QList<ColorRule> &rules() const { return m_rules; }

    void save(QDataStream &stream) const;
    void restore(QDataStream &stream);  // what is no filter any more is dropped

Q_SIGNALS:
    void chosen(const QString &filter);
    void rulesChanged();

private:
    void fill();
    void addSaved();
    void addColors();

    QMenu *m_menu;
    QString m_current;
    QStringList m_saved;
    QList<ColorRule> m_rules;
};

}  // namespace sonde::ui
