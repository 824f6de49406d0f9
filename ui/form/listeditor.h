// Editor of a list: a row or a card for each item.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/form/editor.h"

class QVBoxLayout;

namespace sonde::ui {

class FlatButton;

class ListEditor : public Editor {
    Q_OBJECT
public:
    ListEditor(FormContext *context, const Draft::Ptr &draft, const Shape &shape, const QString &label,
               QWidget *parent);
    QWidget *control() const override;
    QList<Field *> fields() const override { return m_fields; }
    Field *reveal(const QString &token) override;
    void rename(const QString &pointer) override;

private:
    struct Buttons {
        FlatButton *up;
        FlatButton *down;
        FlatButton *remove;
    };
    void drawPage();
    void insertField(qsizetype index);
    void append();
    void remove(Field *field);
    void move(Field *field, int by);
    void showMore();
    void renameItems();
    QString m_label;
    QList<Field *> m_fields;  // the first of the items
    QHash<Field *, Buttons> m_buttons;
    QVBoxLayout *m_column;
    QVBoxLayout *m_itemColumn;
    FlatButton *m_more;
    FlatButton *m_add;
};

}  // namespace sonde::ui
