// A message, edited by hand and sent as it is.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDialog>

namespace sonde::ui {

class JsonEditor;
class TextLabel;

// Everything may be changed, also into something invalid: this is a debugger. A remark says what is wrong with it.
class SendDialog : public QDialog {
    Q_OBJECT
public:
    explicit SendDialog(const QByteArray &message, QWidget *parent = nullptr);
    QByteArray message() const;  // on one line when it is valid JSON, as typed otherwise

private:
    void updateRemark();
    JsonEditor *m_editor;
    TextLabel *m_remark;
};

}  // namespace sonde::ui
