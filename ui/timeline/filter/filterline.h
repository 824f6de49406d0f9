// The line that a filter is written into: says whether it is one, and offers what may follow.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/filter/filter.h"
#include "core/filter/filtercompletion.h"
#include "ui/theme/widgets.h"

#include <QLineEdit>
#include <QPointer>

class QCompleter;
class QStringListModel;

namespace sonde::ui {

// Green where there is a filter, red where the text is none. While it is none, the filter that was meant before stays
// in force: the last one that was entered with Return, left for another place, or set from outside. Candidates show
// while a word is being typed, and on Ctrl+Space.
class FilterLine : public QLineEdit {
    Q_OBJECT
public:
    explicit FilterLine(QWidget *parent = nullptr);

    void setSession(const Session *session) { m_session = session; }  // where names are taken from
    const Filter &filter() const { return m_filter; }
    const std::optional<FilterProblem> &problem() const { return m_problem; }
    QString problemText() const;  // with its position; empty when there is none

Q_SIGNALS:
    void filterChanged(const sonde::Filter &filter);
    void problemChanged();
    void rowsRequested();  // Return or Down: on to what was found

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void changeEvent(QEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

private:
    void onTextChanged();
    void settle();
    void goOn(QKeyEvent *event);
    void tint();
    void offer(bool asked);
    void take(const QString &candidate);

    QPointer<const Session> m_session;
    Filter m_filter;   // in force
    Filter m_settled;  // meant, and not only passed while typing
    std::optional<FilterProblem> m_problem;
    QStringListModel *m_candidates;
    QCompleter *m_completer;
    FilterCompletion m_completion;
    bool m_isTinting = false;
};

// What is wrong with the filter in that line, under it; nothing otherwise.
class FilterProblemLabel : public TextLabel {
    Q_OBJECT
public:
    FilterProblemLabel(const FilterLine *line, QWidget *parent);
};

}  // namespace sonde::ui
