// Keeps a form and the text of its value the same.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/form/jsoneditor.h"

#include <QByteArray>
#include <QObject>
#include <QPointer>
#include <functional>

namespace sonde::ui {

class SchemaForm;

// An edit of one changes only that place of the other. A text that is no JSON object at the moment is kept, and so is
// the value of the form, which must not be edited meanwhile. Both have one history, the form's. Owns neither of them.
class FormJson : public QObject {
    Q_OBJECT
public:
    FormJson(SchemaForm *form, JsonEditor *text, QObject *parent);

    void setValue(const QByteArray &json);
    void clear();
    void typeText(const QByteArray &json);  // as if it had been typed there; it may be no JSON
    void formChanged();                     // to be called after a change of it that it does not announce
    // A text that is not shown follows once it is; so does a form that is not shown, where the text is long.
    void setShown(bool form, bool text);
    // Makes both the same now instead of soon, which a long text takes. False: the text is no JSON object, which is
    // what the form has to hold.
    bool finish();
    bool isObject() const;  // as far as it has been read
    bool isReading() const;
    bool isTextBehind() const { return m_state != Text::Same; }  // a long one follows soon

Q_SIGNALS:
    void changed();  // one of them, or what is wrong with the text

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    // Of the text to the value of the form. A long one is worked out by a worker.
    enum class Text { Same, Behind, Following, Outdated };
    struct Shown {
        QByteArray value;
        JsonEditor::Change change;
    };
    void onTextChanged();
    void showValue();
    void showLater();
    std::function<Shown()> makeShown() const;
    void show(const Shown &shown);
    bool isFollowing() const { return m_state == Text::Following || m_state == Text::Outdated; }
    bool isDue() const { return isFollowing() || (m_state == Text::Behind && m_isTextShown); }
    void take();

    SchemaForm *m_form;
    JsonEditor *m_text;
    QByteArray m_value;  // of the form, when both were the same
    bool m_isFormShown = true;
    bool m_isTextShown = false;
    Text m_state = Text::Behind;
    QPointer<QObject> m_worker;  // while it follows
    bool m_isFormBehind = false;
    bool m_isTaking = false;
};

}  // namespace sonde::ui
