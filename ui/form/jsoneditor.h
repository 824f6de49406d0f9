// Plain editor for JSON, with its problem below.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"

#include <QWidget>

class QPlainTextEdit;

namespace sonde::ui {

class GrowingTextEdit;
class InputBox;
class TextLabel;

// The text belongs to the user: it is never reformatted, and is returned byte for byte.
class JsonEditor : public QWidget {
    Q_OBJECT
public:
    explicit JsonEditor(QWidget *parent = nullptr);
    void setJson(const QByteArray &json);  // shown as it is
    QByteArray json() const;
    json::Document document() const;
    bool isValidJson() const;
    QString problem() const;  // "line 3, column 7: a comma or } is missing", or empty
    QPlainTextEdit *edit() const;

    // As high as its text, within limits, instead of filling its layout.
    void setGrowing(int minLines, int maxLines);
    void setPlaceholder(const QString &text);
    void setProblemShown(bool shown);  // false: the owner shows problem()
    void setWrong(bool wrong);         // a mark from elsewhere

Q_SIGNALS:
    void changed();
    void submitted();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void validate();
    void showProblem();
    GrowingTextEdit *m_edit;
    InputBox *m_box;
    TextLabel *m_problem;
    json::Document m_document;
    QByteArray m_loaded;  // given back as long as the text was not edited
    bool m_isLoaded = true;
    bool m_isProblemShown = true;
    bool m_isMarked = false;
};

}  // namespace sonde::ui
