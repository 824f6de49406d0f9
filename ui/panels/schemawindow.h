// The schema of a tool's arguments, as the server sent it, in a window of its own.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"

#include <QWidget>

namespace sonde::ui {

class TextView;

// Beside the form that was made from it. Deletes itself; Esc closes it.
class SchemaWindow : public QWidget {
    Q_OBJECT
public:
    SchemaWindow(const QString &tool, QWidget *parent);
    void setSchema(const json::Value &schema);

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    TextView *m_text;
};

}  // namespace sonde::ui
