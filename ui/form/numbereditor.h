// Editor of a number: a text field, so that any size and spelling is exact.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/form/editor.h"

namespace sonde::ui {

class InputBox;
class LineInput;

class NumberEditor : public Editor {
    Q_OBJECT
public:
    NumberEditor(FormContext *context, const Draft::Ptr &draft, const Shape &shape, QWidget *parent);
    static bool canHold(const Draft::Ptr &draft);   // not too long for a line
    static QByteArray jsonOf(const QString &text);  // what is not a number becomes a string
    QWidget *control() const override;
    void setWrong(bool wrong) override;
    QString problem() const override;
    bool reload() override;

private:
    void load();
    void write();
    LineInput *m_edit;
    InputBox *m_box;
};

}  // namespace sonde::ui
