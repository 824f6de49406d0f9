// Editor of a union: the choice of a branch, and the editor of that branch.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/form/editor.h"

class QBoxLayout;

namespace sonde::ui {

class BranchPicker;

class UnionEditor : public Editor {
    Q_OBJECT
public:
    UnionEditor(FormContext *context, const Draft::Ptr &draft, const Shape &shape, const QString &label,
                QWidget *parent);
    QWidget *control() const override;
    void setWrong(bool wrong) override;
    QString problem() const override;
    QList<Field *> fields() const override;
    Field *fieldAt(const QString &token) const override;
    qsizetype rankOf(const QString &token) const override;
    Field *reveal(const QString &token) override;
    void setFilter(const FieldFilter *filter) override;
    void rename(const QString &pointer) override;
    void becamePresent() override;
    void contentsEdited() override;
    qsizetype branch() const { return m_branch; }

private:
    void makePicker();
    bool hasOnlySimpleBranches() const;
    void pick(int branch);
    void showBranch();
    QString m_label;
    QBoxLayout *m_layout;
    BranchPicker *m_picker = nullptr;
    Editor *m_inner = nullptr;
    int m_branch = 0;
    QHash<int, QByteArray> m_kept;  // what a branch held when another one was picked
};

}  // namespace sonde::ui
