// Editor of a list: a row or a box for each item.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/form/editor.h"

namespace sonde::ui {

class DragHandle;
class FieldColumn;
class FlatButton;

class ListEditor : public Editor {
    Q_OBJECT
public:
    ListEditor(FormContext *context, const Draft::Ptr &draft, const Shape &shape, const QString &label,
               QWidget *parent);
    QWidget *control() const override;
    QList<Field *> fields() const override;
    Field *fieldAt(const QString &token) const override;
    bool hasField(const QString &token) const override;
    qsizetype rankOf(const QString &token) const override;
    Field *reveal(const QString &token) override;
    void setFilter(const FieldFilter *filter) override;
    void rename(const QString &pointer) override;

protected:
    bool event(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    struct Buttons {
        DragHandle *handle;
        FlatButton *up;
        FlatButton *down;
        FlatButton *remove;
    };
    Field *makeField(qsizetype index);
    Field *itemAt(qsizetype index) const;  // null: not drawn
    qsizetype rowAt(const QString &token) const;
    QString titleOf(qsizetype index) const;  // of a place in a tuple; empty: it has none
    Field *focusedField() const;
    bool isFull() const;
    void addAfter(qsizetype index);
    void addTyped(QKeyEvent *event);
    void insert(qsizetype index);
    void remove(Field *field, bool byKey);
    void move(Field *field, int by);
    void moveTo(Field *field, qsizetype to);
    void enterLines(Field *field, const QStringList &lines);
    void showAdd();
    void nameItems(qsizetype from);
    void nameItem(Field *field, qsizetype index);
    QString m_label;
    QHash<const Field *, Buttons> m_buttons;
    FieldColumn *m_fields;
    FlatButton *m_add;
};

}  // namespace sonde::ui
