// Editor of a union: the choice of a branch, and the editor of that branch.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/form/editor.h"

class QVBoxLayout;

namespace sonde::ui {

class BranchPicker;
class BreakingRowLayout;

class UnionEditor : public Editor {
    Q_OBJECT
public:
    UnionEditor(FormContext *context, const Draft::Ptr &draft, const Shape &shape, const QString &label,
                QWidget *parent);
    bool addBesideChoice(QWidget *button);  // false: the value is always below it
    QWidget *control() const override;
    void setWrong(bool wrong) override;
    QString problem() const override;
    QList<Field *> fields() const override;
    Field *fieldAt(const QString &token) const override;
    bool hasField(const QString &token) const override;
    qsizetype rankOf(const QString &token) const override;
    Field *reveal(const QString &token) override;
    void setFilter(const FieldFilter *filter) override;
    void rename(const QString &pointer) override;
    void becamePresent() override;
    void contentsEdited() override;
    qsizetype branch() const { return m_branch; }

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    void makePicker();
    bool hasOnlySimpleBranches() const;
    bool isUnknown(int branch) const { return branch == m_shape.branches.size(); }
    void pick(int branch);
    void tagAs(int branch);
    void showBranch();
    QString m_label;
    BreakingRowLayout *m_row = nullptr;  // one of both
    QVBoxLayout *m_column = nullptr;
    BranchPicker *m_picker = nullptr;
    Editor *m_inner = nullptr;
    QString m_unknown;  // the tag of the value, where it means none of the branches: it is offered behind them
    int m_branch = 0;
    QHash<int, QByteArray> m_kept;  // what a branch held when another one was picked
};

}  // namespace sonde::ui
