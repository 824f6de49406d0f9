// A member of an object that its schema does not declare: key and value.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/form/formcontext.h"

#include <QWidget>

namespace sonde::ui {

class Field;
class FlatButton;
class InputBox;
class LineInput;
class RowLayout;

class MemberRow : public QWidget {
    Q_OBJECT
public:
    MemberRow(FormContext *context, const Draft::Ptr &member, const Shape &object, QWidget *parent);
    const Draft::Ptr &draft() const { return m_draft; }
    Field *field() const { return m_field; }
    void rename();
    void focusKey();
    bool isKeyFocused() const;

Q_SIGNALS:
    void removed();
    void keyChanged();

private:
    void adaptField();
    void watchField();
    bool isNameRefused() const;

    FormContext *m_context;
    Draft::Ptr m_draft;
    const Shape m_object;
    RowLayout *m_row;
    LineInput *m_key;
    InputBox *m_box;  // around it
    Field *m_field;
    FlatButton *m_remove;
};

}  // namespace sonde::ui
