// Editor of an enum: a list to choose from, with a search if it is long.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/form/editor.h"

namespace sonde::ui {

class CalmComboBox;
class ChoiceModel;
class ChoiceSearch;

class ChoiceEditor : public Editor {
    Q_OBJECT
public:
    ChoiceEditor(FormContext *context, const Draft::Ptr &draft, const Shape &shape, QWidget *parent);
    void setTyped();  // a line: what begins a choice is completed, and anything else is taken as it is
    static bool canHold(const Draft::Ptr &draft);  // not too long for a line
    QWidget *control() const override;
    void setWrong(bool wrong) override;

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void load();
    void makeEditable();
    void makeSearchable();
    void pick(int index);
    void type(const QString &text);
    qsizetype complete(const QString &text);
    int indexOf(const json::Value &value) const { return int(m_shape.choices.indexOf(value)); }
    CalmComboBox *m_combo;
    ChoiceModel *m_model;
    ChoiceSearch *m_search = nullptr;  // for many choices
    bool m_completes = true;           // not what is left when something is deleted
};

}  // namespace sonde::ui
