// Editor of a string: one line that grows with the text.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/form/editor.h"

#include <QPointer>

class QVBoxLayout;

namespace sonde::ui {

class FlatButton;
class GrowingTextEdit;
class InputBox;

// Colours the text if the schema names a language, and hides a secret of several lines until it is revealed.
class TextEditor : public Editor {
    Q_OBJECT
public:
    TextEditor(FormContext *context, const Draft::Ptr &draft, const Shape &shape, const QString &label,
               QWidget *parent);
    // A string that a text box would alter (carriage returns, NUL) or that is very long is edited as JSON instead.
    static bool canHold(const Draft::Ptr &draft);
    // However long, if it needs no escapes: such as what is encoded.
    static bool canHoldLong(const Draft::Ptr &draft);
    QWidget *control() const override;
    void setWrong(bool wrong) override;
    void rename(const QString &pointer) override;
    bool reload() override;
    bool isPrepared() const override;
    void settle() override;

protected:
    GrowingTextEdit *edit() const { return m_edit; }
    InputBox *box() const { return m_box; }
    void addTrailing(FlatButton *button);
    void addBelow(QWidget *widget);
    void replaceText(const QString &text, const QByteArray &json);  // the same, as JSON; can be undone by itself

private:
    void load();
    void loadLong();
    void showText(const QString &text);
    bool isAsLoaded() const;
    void write();
    GrowingTextEdit *m_edit;
    InputBox *m_box;
    QVBoxLayout *m_column;
    FlatButton *m_reveal = nullptr;  // of a secret
    QPointer<QObject> m_reading;     // a long text, on a worker
    bool m_loading = false;
};

}  // namespace sonde::ui
