// A server asks for text from a model; the person writes it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"
#include "ui/requests/requestbody.h"

namespace sonde::ui {

class SchemaForm;

// Above, what a model would get; below, the response. Spec: client/sampling.
class SamplingBody : public RequestBody {
    Q_OBJECT
public:
    explicit SamplingBody(const json::Value &params, QWidget *parent = nullptr);

    QString kindName() const override;
    QString acceptText() const override;
    bool hasDecline() const override { return false; }  // to decline and to cancel is the same error
    QByteArray result() const override;
    QString problem() const override;
    void showProblem() override;
    void focusFirst() override;
    QByteArray draft() const override;
    QList<RequestPreset> presets() const override;
    void applyPreset(const QByteArray &value) override;

private:
    QWidget *makeConversation();
    QByteArray responseSchema() const;
    QByteArray response(const QString &text, const QString &stopReason, const QString &tool = {}) const;
    const json::Value m_params;
    QStringList m_tools;  // that the model may call
    SchemaForm *m_form;
};

}  // namespace sonde::ui
