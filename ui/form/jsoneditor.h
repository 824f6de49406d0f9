// Plain editor for JSON, with its problem below.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"
#include "core/json/pointer.h"

#include <QTimer>
#include <QWidget>
#include <optional>

class QPlainTextEdit;

namespace sonde::ui {

class FlatButton;
class GrowingTextEdit;
class InputBox;
class JsonColors;
class LineNumbers;
class TextLabel;

// The text belongs to the user: it is never reformatted, and is returned byte for byte.
class JsonEditor : public QWidget {
    Q_OBJECT
public:
    explicit JsonEditor(QWidget *parent = nullptr);
    void setJson(const QByteArray &json);     // shown as it is
    void changeJson(const QByteArray &json);  // the same; what is equal stays where it is in the view
    QByteArray json() const;
    // A long text is read by a worker, soon after a change. Until then, and until finish(), what follows is about the
    // text before.
    void setReadLater() { m_mayReadLater = true; }
    json::Document document() const;
    // Of the document, in a text of its own without insignificant white space. Made by the worker, too.
    json::Value plainValue() const;
    bool isValidJson() const;
    bool isPending() const { return m_isPending; }
    void finish();
    void setEmptyMeans(const QByteArray &json) { m_whenEmpty = json; }  // instead of being no JSON
    // Shown as dots until the user asks for them.
    void setSecrets(const QList<json::Value> &values);     // of document(), in the order of the text
    void goTo(const json::Pointer &place);                 // selects the value, or the nearest one around it
    void mark(const std::optional<json::Pointer> &place);  // and scrolls to it; the cursor stays where it is
    std::optional<json::Pointer> placeAtCursor() const;    // nothing while the text is no JSON
    void goToProblem();
    QString problem() const;                                 // "line 3, column 7: a comma or } is missing", or empty
    QString problemPlace() const { return m_problemPlace; }  // "line 3, column 7"
    QPlainTextEdit *edit() const;

    // As high as its text, within limits, instead of filling its layout.
    void setGrowing(int minLines, int maxLines);
    void setHistoryElsewhere();  // undoRequested() and redoRequested() at each of these keys
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
    void onTextChanged();
    void validate();
    void read();
    void locateProblem();
    void showProblem();
    void breakLine();
    std::optional<json::Finding> error() const;
    int positionOf(qsizetype offset) const;
    json::Value nearest(const json::Pointer &place) const;
    GrowingTextEdit *m_edit;
    JsonColors *m_colors;
    InputBox *m_box;
    TextLabel *m_problem;
    FlatButton *m_reveal;              // shown while there are secrets
    LineNumbers *m_numbers = nullptr;  // where they were asked for
    QString m_problemPlace;
    QByteArray m_whenEmpty;
    json::Document m_document;
    json::Document m_plain;  // null: not made yet
    QByteArray m_loaded;     // given back as long as the text was not edited
    QTimer m_readDue;
    int m_readRevision = -1;  // of the box, whose text m_document is
    bool m_isLoaded = true;
    bool m_isPlain = true;  // the text has one character for each byte
    bool m_mayReadLater = false;
    bool m_isPending = false;
    bool m_isChanging = false;
    bool m_hasHistory = true;
    bool m_isProblemShown = true;
    bool m_isMarked = false;
};

}  // namespace sonde::ui
