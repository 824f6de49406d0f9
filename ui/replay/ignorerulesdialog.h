// Edits the ignore rules of a replay.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/replay/rules.h"

#include <QDialog>

class QPushButton;
class QStackedLayout;
class QTableWidget;

namespace sonde::ui {

class EmptyState;
class TextLabel;

// Every valid change takes effect at once; while something is invalid, the rules stay as they were. Closing asks before
// it drops text that is not a rule.
class IgnoreRulesDialog : public QDialog {
    Q_OBJECT
public:
    // path: where the owner stores the rules, for display.
    IgnoreRulesDialog(const ReplayRules &rules, const QString &path, QWidget *parent = nullptr);

    // Adds a line that is not a rule yet, with the cursor in the first missing cell.
    void addDraft(const ReplayRule &rule);
    void showSaved(const Error &error);  // how the owner's writing went

    void reject() override;  // all ways to close it lead here

Q_SIGNALS:
    void rulesChanged(const sonde::ReplayRules &rules);

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    void appendRow(const ReplayRule &rule);
    ReplayRule ruleAt(int row) const;
    bool isUntouched(const ReplayRule &rule) const;
    bool mayLeaveOut(int row, const Error &error);
    void removeSelected();
    void onEdited();
    void updateState();

    QString m_path;
    QList<ReplayRule> m_told;
    ReplayRule m_draft;  // the last one as it was given
    QTableWidget *m_table;
    EmptyState *m_empty;
    QStackedLayout *m_stack;  // table or nothing
    TextLabel *m_message;
    QPushButton *m_remove;
    bool m_filling = false;
};

}  // namespace sonde::ui
