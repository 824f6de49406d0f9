// Plain editor for JSON, with its problem below.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"
#include "core/json/pointer.h"
#include "ui/form/editfind.h"
#include "ui/theme/theme.h"

#include <QTimer>
#include <QWidget>
#include <functional>
#include <optional>

class QPlainTextEdit;

namespace sonde::ui {

class FlatButton;
class GrowingTextEdit;
class InputBox;
class JsonColors;
class LineNumbers;
class TextLabel;
struct FormIssue;

// The text belongs to the user: it is never reformatted, and is returned byte for byte.
class JsonEditor : public QWidget {
    Q_OBJECT
public:
    explicit JsonEditor(QWidget *parent = nullptr);
    void setJson(const QByteArray &json);     // shown as it is
    void changeJson(const QByteArray &json);  // the same; what is equal stays where it is in the view
    // Finds the secrets in a document, on any thread.
    using FindSecrets = std::function<QList<json::Value>(const json::Value &root)>;
    // What has been found out of a text; a worker can do that.
    struct Reading {
        json::Document document;
        json::Document plain;  // as plainValue(); null: not made yet
        bool isPlain = true;   // the text box shows one character for each byte
        QString problemPlace;
        QList<json::Value> secrets;  // of the document, in the order of the text
    };
    // Of the text that is shown to another one; likewise.
    struct Change {
        QByteArray json;
        Reading reading;      // of it
        QString shown;        // all of it, as the box shows it
        qsizetype first = 0;  // what differs: where, in characters, and how much of both
        qsizetype removed = 0;
        qsizetype inserted = 0;
    };
    static Change change(const QByteArray &before, const QByteArray &json, const QByteArray &whenEmpty,
                         const FindSecrets &findSecrets);
    void changeJson(const Change &change);
    QByteArray json() const;
    // A long text is read by a worker, soon after a change. Until then, and until finish(), what follows is about the
    // text before.
    void setReadLater() { m_mayReadLater = true; }
    json::Document document() const;
    // In a text of its own: the document without insignificant white space, or one string with all of a text that is no
    // JSON. Made by the worker, too.
    json::Value plainValue() const;
    bool isValidJson() const;
    bool isPending() const { return m_isPending; }
    void finish();
    void setEmptyMeans(const QByteArray &json) { m_whenEmpty = json; }  // instead of being no JSON
    // Shown as dots until the user asks for them. With a finder, whenever a text has been read: it makes what searches
    // the text. While the text is no JSON, they stay hidden where they were.
    void setSecrets(const QList<json::Value> &values);  // of document(), in the order of the text
    void setSecretFinder(const std::function<FindSecrets()> &finder) { m_secretFinder = finder; }
    void showSecrets(const QList<json::Value> &found);  // by such a finder
    // Selects the value, or the nearest one around it. path: see FormIssue.
    void goTo(const json::Pointer &place, const QList<qsizetype> &path = {});
    void mark(const std::optional<json::Pointer> &place);  // and scrolls to it; the cursor stays where it is
    std::optional<json::Pointer> placeAtCursor() const;    // nothing while the text is no JSON
    void goToProblem();
    QString problem() const;  // "line 3, column 7: a comma or } is missing", or empty
    QString problemPlace() const { return m_reading.problemPlace; }  // "line 3, column 7"
    QPlainTextEdit *edit() const;

    // As high as its text, within limits, instead of filling its layout.
    void setGrowing(int minLines, int maxLines);
    void setHistoryElsewhere();  // undoRequested() and redoRequested() at each of these keys
    void setLineNumbers();
    void setSearchable();                            // a page with a find bar of its own, see PageFind
    void setIssues(const QList<FormIssue> &issues);  // marked beside their lines
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
    void setReading(const Reading &reading);
    void showProblem();
    void breakLine();
    std::optional<json::Finding> error() const;
    qsizetype characterOf(qsizetype offset) const;
    int positionOf(qsizetype offset) const;
    void concealSecrets();
    FindSecrets findSecrets() const { return m_secretFinder ? m_secretFinder() : FindSecrets(); }
    json::Value nearest(const json::Pointer &place, const QList<qsizetype> &path) const;
    GrowingTextEdit *m_edit;
    JsonColors *m_colors;
    InputBox *m_box;
    TextLabel *m_problem;
    FlatButton *m_reveal;              // shown while there are secrets
    LineNumbers *m_numbers = nullptr;  // where they were asked for
    EditFind *m_find = nullptr;        // likewise
    std::function<FindSecrets()> m_secretFinder;
    QList<EditFind::Span> m_secrets;
    QByteArray m_whenEmpty;
    Reading m_reading;
    QByteArray m_loaded;  // given back as long as the text was not edited
    QTimer m_readDue;
    int m_readRevision = -1;  // of the box, whose text m_reading is about
    bool m_isLoaded = true;
    bool m_mayReadLater = false;
    bool m_isPending = false;
    bool m_isChanging = false;
    bool m_hasHistory = true;
    bool m_isProblemShown = true;
    bool m_isMarked = false;
};

}  // namespace sonde::ui
