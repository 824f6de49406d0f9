// The bar above a replay: run or stop, result, rules, reports, baseline.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/replay/replayer.h"

#include <QWidget>
#include <array>
#include <optional>

class QAbstractButton;
class QBoxLayout;
class QPushButton;
class QToolButton;

namespace sonde::ui {

class PrimaryButton;
class TextLabel;

class ReplayBar : public QWidget {
    Q_OBJECT
public:
    enum class Report { JUnit, Json };

    enum class Subject { Replay, SavedCalls };  // of the latter there are no rules for all

    explicit ReplayBar(QWidget *parent = nullptr, Subject subject = Subject::Replay);

    // At the right, in front of what is there.
    QPushButton *addButton(const QString &text, const QString &objectName);

    void setRunning(bool running);
    // Counts of Same, Changed, Failed and Skipped; zero counts are hidden.
    void setCounts(const std::array<qsizetype, 4> &counts);
    void setFacts(const QString &facts);  // "38 steps · 4.1 s"
    void setRuleCount(qsizetype count);
    void setReportable(bool reportable);
    void setAcceptProblem(const QString &problem);  // empty: can be accepted

    // Show only steps with this result; nothing: all.
    std::optional<ReplayStep::Status> shownStatus() const;

Q_SIGNALS:
    void runRequested();
    void stopRequested();
    void shownStatusChanged();
    void rulesRequested();
    void reportRequested(sonde::ui::ReplayBar::Report report);
    void acceptRequested();

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void fit();
    const Subject m_subject;
    bool m_isRunning = false;
    QBoxLayout *m_rows;
    QWidget *m_left;
    QWidget *m_right;
    PrimaryButton *m_run;
    std::array<QAbstractButton *, 4> m_counts;
    TextLabel *m_facts;
    QPushButton *m_rules;
    QToolButton *m_report;
    QPushButton *m_accept;
};

}  // namespace sonde::ui
