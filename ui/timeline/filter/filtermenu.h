// Menu of saved filters and of the highlights of matching rows.
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

// Rows that match the filter are tinted; of several highlights the first one counts.
struct Highlight {
    QString filter;
    Tone tone = Tone::Finding;
    bool operator==(const Highlight &) const = default;
};

class FilterMenu : public QToolButton {
    Q_OBJECT
public:
    // Saves the filter of the line, and puts saved filters into it. The line outlives the menu.
    FilterMenu(FilterLine *line, QWidget *parent);

    const QStringList &saved() const { return m_saved; }
    const QList<Highlight> &highlights() const { return m_highlights; }

    void save(QDataStream &stream) const;
    void restore(QDataStream &stream);  // drops invalid filters

Q_SIGNALS:
    void highlightsChanged();
    void changed();  // saved filters or highlights, by the user

private:
    void fill();
    void addSaved();
    void addHighlights();
    void setSaved(const QStringList &saved);
    void setHighlights(const QList<Highlight> &highlights);

    QMenu *m_menu;
    FilterLine *m_line;
    QString m_current;  // in the line; empty if it is invalid or matches everything
    QStringList m_saved;
    QList<Highlight> m_highlights;
};

}  // namespace sonde::ui
