// Editor of bytes that are encoded as text: the text, and files to take it from.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/form/texteditor.h"

namespace sonde::ui {

class FileContent;

class EncodedEditor : public TextEditor {
    Q_OBJECT
public:
    EncodedEditor(FormContext *context, const Draft::Ptr &draft, const Shape &shape, const QString &label,
                  QWidget *parent);
    bool reload() override;
    void rename(const QString &pointer) override;

private:
    void showSize();
    FileContent *m_content;
};

}  // namespace sonde::ui
