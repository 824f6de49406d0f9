// Editor of any value as JSON, in its place among the fields.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/form/editor.h"

namespace sonde::ui {

class FlatButton;
class JsonEditor;

// Used where the schema takes any value, where its shape is not drawn, where the value does not have the shape, and
// where the person asked for it.
class PlaceEditor : public Editor {
    Q_OBJECT
public:
    PlaceEditor(FormContext *context, const Draft::Ptr &draft, const Shape &shape, QWidget *parent);
    QWidget *control() const override;
    void setWrong(bool wrong) override;
    void rename(const QString &pointer) override;
    QString problem() const override;

private:
    void show(bool evenIfLong);
    void write();
    JsonEditor *m_json = nullptr;
    FlatButton *m_heldBack = nullptr;  // stands for a text too long to lay out unasked
    QString m_problem;
    bool m_loading = false;
};

}  // namespace sonde::ui
