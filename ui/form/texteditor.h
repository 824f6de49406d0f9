// Editor of a string: one line that grows with the text.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/form/editor.h"

namespace sonde::ui {

class GrowingTextEdit;
class InputBox;

class TextEditor : public Editor {
    Q_OBJECT
public:
    TextEditor(FormContext *context, const Draft::Ptr &draft, const Shape &shape, const QString &label,
               QWidget *parent);
    // A string that a text box would alter (carriage returns, NUL) or could not handle is edited as JSON instead.
    static bool canHold(const Draft::Ptr &draft);
    QWidget *control() const override;
    void setWrong(bool wrong) override;
    bool isPrepared() const override;
    void settle() override;

private:
    void load();
    void write();
    GrowingTextEdit *m_edit;
    InputBox *m_box;
    bool m_loading = false;
};

}  // namespace sonde::ui
