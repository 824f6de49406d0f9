// Elicitation in form mode.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/requests/filledbody.h"

namespace sonde::ui {

// Defaults are filled in and sent unless they are changed. Spec: client/elicitation.
class FormBody : public FilledBody {
    Q_OBJECT
public:
    explicit FormBody(const json::Value &params, QWidget *parent = nullptr);

    QString kindName() const override;
    QString acceptText() const override;
    bool hasDecline() const override { return true; }
    QByteArray result() const override;
    QList<RequestPreset> presets() const override;
};

}  // namespace sonde::ui
