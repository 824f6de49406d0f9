// Editor of an object: a field for each declared member, a row for each other one.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/form/editor.h"

class QVBoxLayout;

namespace sonde::ui {

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
    Field *reveal(const QString &token) override;
    void rename(const QString &pointer) override;
    void becamePresent() override;

private:
    void drawPage();
    void addRow(const Draft::Ptr &member);
    void appendMember();
    void removeRow(MemberRow *row);
    bool isDeclared(const QString &name) const { return m_names.contains(name); }
    QStringList m_names;  // declared, in order
    QString m_hidden;
    QList<Field *> m_fields;
    QList<MemberRow *> m_rows;
    QVBoxLayout *m_column;
    QVBoxLayout *m_fieldColumn;
    QVBoxLayout *m_rowColumn;
    FlatButton *m_more;
    FlatButton *m_add;
    TextLabel *m_rowsTitle;
    qsizetype m_drawn = 0;
};

}  // namespace sonde::ui
