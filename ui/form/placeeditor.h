// Editor of any value as JSON, among the other fields.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/form/editor.h"

namespace sonde::ui {

class FlatButton;
class JsonEditor;

// Used if the schema takes any value, if its shape has no editor, if the value does not have the shape, or if the user
// asked for it.
class PlaceEditor : public Editor {
    Q_OBJECT
public:
    PlaceEditor(FormContext *context, const Draft::Ptr &draft, const Shape &shape, QWidget *parent);
    QWidget *control() const override;
    void setWrong(bool wrong) override;
    void rename(const QString &pointer) override;
    QString problem() const override;
    bool isPrepared() const override;
    void settle() override;

private:
    void show(bool evenIfLong);
    void write();
    void take();
    void hideSecret();
    JsonEditor *m_json = nullptr;
    FlatButton *m_heldBack = nullptr;  // shown instead of a text that is too long to lay out
    QString m_problem;
    bool m_loading = false;
    bool m_isDeferred = false;
};

}  // namespace sonde::ui
