// Elicitation in form mode.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"
#include "ui/requests/requestbody.h"

namespace sonde::ui {

class SchemaForm;

// Defaults are filled in and sent unless they are changed. Spec: client/elicitation.
class FormBody : public RequestBody {
    Q_OBJECT
public:
    explicit FormBody(const json::Value &params, QWidget *parent = nullptr);

    QString kindName() const override;
    QString acceptText() const override;
    bool hasDecline() const override { return true; }
    QByteArray result() const override;
    QString problem() const override;
    void showProblem() override;
    void focusFirst() override;
    QByteArray draft() const override;
    QList<RequestPreset> presets() const override;
    void applyPreset(const QByteArray &value) override;

private:
    json::Value m_schema;
    SchemaForm *m_form;
};

}  // namespace sonde::ui
