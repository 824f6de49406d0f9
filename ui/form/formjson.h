// Keeps a form and the text of its value the same.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QObject>

namespace sonde::ui {

class JsonEditor;
class SchemaForm;

// An edit of one changes only that place of the other. A text that is no JSON object at the moment is kept, and so is
// the value of the form, which must not be edited meanwhile. Both have one history, the form's. Owns neither of them.
class FormJson : public QObject {
    Q_OBJECT
public:
    FormJson(SchemaForm *form, JsonEditor *text, QObject *parent);

    void setValue(const QByteArray &json);
    void clear();
    void formChanged();  // to be called after a change of it that it does not announce
    // A text that is not shown follows once it is; so does a form that is not shown, where the text is long.
    void setShown(bool form, bool text);
    // Reads a long text now instead of soon. False: the text is no JSON object, which is what the form has to hold.
    bool finish();
    bool isObject() const;  // as far as it has been read
    bool isReading() const;

Q_SIGNALS:
    void changed();  // one of them, or what is wrong with the text

private:
    void onTextChanged();
    void showValue();
    void take();

    SchemaForm *m_form;
    JsonEditor *m_text;
    QByteArray m_value;  // of the form, when both were the same
    bool m_isFormShown = true;
    bool m_isTextShown = false;
    bool m_isTextBehind = true;
    bool m_isFormBehind = false;
    bool m_isTaking = false;
};

}  // namespace sonde::ui
