// What is common to the requests that a person responds to by filling in a form.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"
#include "ui/requests/requestbody.h"

namespace sonde::ui {

class SchemaForm;

// Says what is missing in the form, and leads there. A preset is a value of the form; an empty one is its defaults.
class FilledBody : public RequestBody {
    Q_OBJECT
public:
    QString problem() const override;
    void showProblem() override;
    void focusFirst() override;
    QByteArray draft() const override;
    void applyPreset(const QByteArray &value) override;

protected:
    void resizeEvent(QResizeEvent *event) override;
    explicit FilledBody(QWidget *parent);
    // What is to be filled in; its defaults are. Once, from the constructor.
    void setSchema(const json::Value &schema);
    SchemaForm *const m_form;  // to be placed by the subclass

private:
    json::Value m_schema;
};

}  // namespace sonde::ui
