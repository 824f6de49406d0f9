// Editor of an object: a field for each declared member, a row for each other one.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/form/editor.h"

namespace sonde::ui {

class FieldColumn;
class FlatButton;
class MemberRow;
class TextLabel;

class ObjectEditor : public Editor {
    Q_OBJECT
public:
    // `hidden`: a declared member that something else shows (the discriminator of a union).
    ObjectEditor(FormContext *context, const Draft::Ptr &draft, const Shape &shape, QWidget *parent,
                 const QString &hidden = {});
    QWidget *control() const override;
    QList<Field *> fields() const override;
    Field *fieldAt(const QString &token) const override;
    qsizetype rankOf(const QString &token) const override;
    Field *reveal(const QString &token) override;
    void rename(const QString &pointer) override;
    void becamePresent() override;

private:
    Field *makeField(qsizetype index);
    void addRow(const Draft::Ptr &member);
    void appendMember();
    void removeRow(MemberRow *row);
    bool isDeclared(const QString &name) const { return m_ranks.contains(name); }
    QStringList m_names;  // declared, in order
    QHash<QString, qsizetype> m_ranks;
    QString m_hidden;
    QList<MemberRow *> m_rows;
    FieldColumn *m_fields;
    QWidget *m_rowBox;
    FlatButton *m_add;
    TextLabel *m_rowsTitle;
};

}  // namespace sonde::ui
