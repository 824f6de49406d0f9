// Shows a value that the schema fixes. The value is sent.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/form/editor.h"

namespace sonde::ui {

class TextLabel;

class ConstantEditor : public Editor {
    Q_OBJECT
public:
    ConstantEditor(FormContext *context, const Draft::Ptr &draft, const Shape &shape, QWidget *parent);
    QWidget *control() const override;

private:
    void load();
    TextLabel *m_label;
};

}  // namespace sonde::ui
