// A server asks for text from a model; the person writes it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/requests/filledbody.h"

namespace sonde::ui {

// Above, what a model would get; below, the response. Spec: client/sampling.
class SamplingBody : public FilledBody {
    Q_OBJECT
public:
    explicit SamplingBody(const json::Value &params, QWidget *parent = nullptr);

    QString kindName() const override;
    QString acceptText() const override;
    bool hasDecline() const override { return false; }  // to decline and to cancel is the same error
    QByteArray result() const override;
    QList<RequestPreset> presets() const override;

private:
    QWidget *makeConversation();
    QByteArray responseSchema() const;
    QByteArray response(const QString &text, const QString &stopReason, const QString &tool = {}) const;
    const json::Value m_params;
    QStringList m_tools;  // that the model may call
};

}  // namespace sonde::ui
