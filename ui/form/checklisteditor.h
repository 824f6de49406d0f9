// Editor of a set of choices: a check box for each.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/form/editor.h"

class QCheckBox;

namespace sonde::ui {

// For a list of an enum in which each value may stand once.
class CheckListEditor : public Editor {
    Q_OBJECT
public:
    CheckListEditor(FormContext *context, const Draft::Ptr &draft, const Shape &shape, const QString &label,
                    QWidget *parent);
    // Whether the shape asks for a set of so few choices, and the draft holds nothing else.
    static bool canHold(const FormContext &context, const Draft::Ptr &draft, const Shape &shape);

    QWidget *control() const override;
    void rename(const QString &pointer) override;

private:
    void write();
    ChoiceList m_choices;
    QList<QCheckBox *> m_boxes;
};

}  // namespace sonde::ui
