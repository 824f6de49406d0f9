// Editor of an enumeration: a list to pick from, searched by typing when it is long.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/form/editor.h"

namespace sonde::ui {

class CalmComboBox;

class ChoiceEditor : public Editor {
    Q_OBJECT
public:
    ChoiceEditor(FormContext *context, const Draft::Ptr &draft, const Shape &shape, QWidget *parent);
    QWidget *control() const override;
    void setWrong(bool wrong) override;

private:
    void load();
    void fill(const QString &foreign);
    void pick(int index);
    void type(const QString &text);
    int indexOf(const json::Value &value) const;
    CalmComboBox *m_combo;
    QString m_foreign;  // a text outside the set, offered as long as it is the value
};

}  // namespace sonde::ui
