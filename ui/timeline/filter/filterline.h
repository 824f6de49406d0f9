// The filter input: shows whether the filter is valid, and completes it.
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

// Green with a filter, red if the text is invalid. While it is invalid, the last filter that was meant applies: the
// last one confirmed with Return, by leaving the line, or set from outside. Candidates show while a word is being
// typed, and on Ctrl+Space.
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

// The problem of the filter in that line, below it; otherwise empty.
class FilterProblemLabel : public TextLabel {
    Q_OBJECT
public:
    FilterProblemLabel(const FilterLine *line, QWidget *parent);
};

}  // namespace sonde::ui
