// Plain editor for JSON, with its problem below.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"
#include "core/json/pointer.h"

#include <QWidget>
#include <optional>

class QPlainTextEdit;

namespace sonde::ui {

class FlatButton;
class GrowingTextEdit;
class InputBox;
class LineNumbers;
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
    void setEmptyMeans(const QByteArray &json) { m_whenEmpty = json; }  // instead of being no JSON
    // Shown as dots until the user asks for them.
    void setSecrets(const QList<json::Value> &values);  // of document(), in the order of the text
    void goTo(const json::Pointer &place);              // selects the value, or the nearest one around it
    void goToProblem();
    QString problem() const;       // "line 3, column 7: a comma or } is missing", or empty
    QString problemPlace() const;  // "line 3, column 7"
    QPlainTextEdit *edit() const;

    // As high as its text, within limits, instead of filling its layout.
    void setGrowing(int minLines, int maxLines);
    void setLineNumbers();
    void setProblems(const QList<json::Pointer> &places);  // marked beside their lines
    void setPlaceholder(const QString &text);
    void setProblemShown(bool shown);  // false: the owner shows problem()
    void setWrong(bool wrong);         // a mark from elsewhere

Q_SIGNALS:
    void changed();
    void submitted();
    // By key, where the text itself has nothing left to undo or to do again.
    void undoRequested();
    void redoRequested();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void validate();
    void showProblem();
    std::optional<json::Finding> error() const;
    int positionOf(qsizetype offset) const;
    int lineOf(qsizetype offset) const;
    json::Value nearest(const json::Pointer &place) const;
    GrowingTextEdit *m_edit;
    InputBox *m_box;
    TextLabel *m_problem;
    FlatButton *m_reveal;              // shown while there are secrets
    LineNumbers *m_numbers = nullptr;  // where they were asked for
    QByteArray m_whenEmpty;
    json::Document m_document;
    QByteArray m_loaded;  // given back as long as the text was not edited
    bool m_isLoaded = true;
    bool m_isProblemShown = true;
    bool m_isMarked = false;
};

}  // namespace sonde::ui
