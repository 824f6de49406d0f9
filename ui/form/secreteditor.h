// Editor of a string that is a secret by its name: masked until revealed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/form/editor.h"

namespace sonde::ui {

class FileContent;
class FlatButton;
class InputBox;
class LineInput;

class SecretEditor : public Editor {
    Q_OBJECT
public:
    SecretEditor(FormContext *context, const Draft::Ptr &draft, const Shape &shape, QWidget *parent);
    static bool canHold(const Draft::Ptr &draft);  // one line; a very long one is not edited
    QWidget *control() const override;
    void setWrong(bool wrong) override;
    void rename(const QString &pointer) override;

private:
    void load();
    void addFileContent();
    void write();
    LineInput *m_edit;
    InputBox *m_box;
    FlatButton *m_reveal;
    FileContent *m_content = nullptr;  // of a secret that is encoded
};

}  // namespace sonde::ui
