// The rules of what a replay need not find again: to be looked at, changed, removed, added.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/replay/rules.h"

#include <QDialog>

class QPushButton;
class QTableWidget;

namespace sonde::ui {

class EmptyState;
class TextLabel;

// Every change that makes sense is told at once; while something in it is wrong, the rules stay as they were. What was
// typed and is no rule is not closed away without a server request.
class IgnoreRulesDialog : public QDialog {
    Q_OBJECT
public:
    // path: where the owner keeps them, to be shown.
    IgnoreRulesDialog(const ReplayRules &rules, const QString &path, QWidget *parent = nullptr);

    // A further line that is not a rule yet, and the cursor where it wants something.
    void addDraft(const ReplayRule &rule);
    void showSaved(const Error &error);  // how the owner's writing went

    void reject() override;  // all ways to close it lead here

Q_SIGNALS:
    void rulesChanged(const sonde::ReplayRules &rules);

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
    TextLabel *m_message;
    QPushButton *m_remove;
    bool m_filling = false;
};

}  // namespace sonde::ui
