// Editor of an object: a field for each declared member, a row for each other member.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/shape/alternatives.h"
#include "ui/form/editor.h"

#include <optional>

namespace sonde::ui {

class BranchPicker;
class FieldColumn;
class FlatButton;
class MemberRow;
class TextLabel;

class ObjectEditor : public Editor {
    Q_OBJECT
public:
    // `hidden`: a declared member that is shown elsewhere (the discriminator of a union).
    ObjectEditor(FormContext *context, const Draft::Ptr &draft, const Shape &shape, QWidget *parent,
                 const QString &hidden = {});
    QWidget *control() const override;
    QList<Field *> fields() const override;
    Field *fieldAt(const QString &token) const override;
    bool hasField(const QString &token) const override;
    qsizetype rankOf(const QString &token) const override;
    Field *reveal(const QString &token) override;
    void setFilter(const FieldFilter *filter) override;
    void rename(const QString &pointer) override;
    void becamePresent() override;
    void contentsEdited() override;

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    std::optional<Shape> shapeNow() const;
    void setShape(const Shape &shape);
    bool applyConditions();
    void makePicker();
    void pick(int alternative);
    Field *makeField(qsizetype index);
    MemberRow *makeRow(qsizetype index);
    MemberRow *rowAt(qsizetype index) const;
    qsizetype rowOf(const QString &name) const;  // the last of that name; -1: none
    void showRows();
    void appendMember();
    void removeRow(MemberRow *row);
    bool isDeclared(const QString &name) const { return m_ranks.contains(name); }
    bool isHidden(const QString &name) const { return !name.isEmpty() && name == m_hidden; }
    const Shape m_declared;  // without what applies to some values only
    const Alternatives m_alternatives;
    int m_alternative = -1;    // that is filled in; -1: all are shown
    QSet<QString> m_withheld;  // members that no longer apply: not sent, and kept
    QSet<QString> m_stale;     // fields that are typed in: drawn anew later
    bool m_isOutdated = false;
    BranchPicker *m_picker = nullptr;
    QStringList m_names;  // declared for this value, in order
    QHash<QString, qsizetype> m_ranks;
    QString m_hidden;
    QList<Draft::Ptr> m_members;                     // those not declared
    mutable QHash<QString, qsizetype> m_rowsByName;  // made when it is asked for, once names or rows have changed
    mutable bool m_knowsNames = false;
    FieldColumn *m_fields;
    FieldColumn *m_rows;
    FlatButton *m_add;
    TextLabel *m_rowsTitle;
};

}  // namespace sonde::ui
