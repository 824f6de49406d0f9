// Editor of a URL: text, and a button to open it in the browser.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/form/texteditor.h"

namespace sonde::ui {

class AddressEditor : public TextEditor {
    Q_OBJECT
public:
    AddressEditor(FormContext *context, const Draft::Ptr &draft, const Shape &shape, const QString &label,
                  QWidget *parent);
    static bool isFor(const Shape &shape);
    void rename(const QString &pointer) override;

private:
    void showState();
    FlatButton *m_open;
};

}  // namespace sonde::ui
