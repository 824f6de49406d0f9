// The basic controls of fields.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QComboBox>
#include <QFrame>
#include <QPlainTextEdit>

class QHBoxLayout;
class QTextBlock;

namespace sonde::ui {

class AbbreviatedRuns;
class FlatButton;

bool isTypedText(const QKeyEvent *event);  // a character that can be seen

// Rounded frame around an input; shows the focus and whether the value is wrong.
class InputBox : public QFrame {
    Q_OBJECT
public:
    explicit InputBox(QWidget *input, QWidget *parent = nullptr);
    void addTrailing(QWidget *widget);
    void setWrong(bool wrong);

protected:
    void paintEvent(QPaintEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QWidget *m_input;
    QHBoxLayout *m_row;
    bool m_wrong = false;
};

// An eye that shows a secret while it is checked. Tab goes past it, to the next value.
FlatButton *makeRevealButton();

// A text box that is as high as its text, between two limits. Tab leaves it; Ctrl+Enter belongs to the form. If the
// text is too long to lay out, it shows the beginning and the end, and returns all of it.
class GrowingTextEdit : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit GrowingTextEdit(QWidget *parent = nullptr);
    void setLines(int min, int max);                        // 0, 0: as high as its layout makes it
    void setSingleLine(bool single) { m_single = single; }  // Enter adds no line; Shift+Enter and pasting do
    bool isSingleLine() const { return m_single; }
    void setLinesOffered(bool offered) { m_offersLines = offered; }  // pasted ones are linesPasted(), not inserted
    void setPlaceholder(const QString &text);                        // one line, elided, dim
    QString text() const;  // exact, unlike toPlainText(), which replaces some characters
    void setText(const QString &text);
    void replaceAll(const QString &text);  // can be undone
    AbbreviatedRuns *runs() const { return m_runs; }
    // Dots are painted over these parts, which move with the text.
    void setConcealed(const QList<QTextCursor> &parts);
    void setSecret() { m_isSecret = true; }  // all of it is concealed
    void setConcealing(bool on);
    bool isConcealed(int from, int to) const;                              // some of what is between these positions
    QString shownText() const;                                             // toPlainText() as it is painted, with dots
    void setLeftMargin(int width) { setViewportMargins(width, 0, 0, 0); }  // beside the text
    struct ShownLine {
        int number;  // from 1
        int top;     // px in the viewport
        int height;  // of its first row, where it is wrapped
    };
    QList<ShownLine> shownLines() const;
    void setLineNotes(const QHash<int, QString> &notes);  // painted behind lines, which count from 1
    // Whether a text box returns this text unchanged.
    static bool canHold(const QString &text);
    void fit();  // to a text that was set with signals blocked
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void linesPasted(const QStringList &lines);  // with what stands before and behind them

protected:
    void insertFromMimeData(const QMimeData *source) override;
    QMimeData *createMimeDataFromSelection() const override;
    void keyPressEvent(QKeyEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    QList<QTextCursor> concealed() const;  // at the moment
    void paintConcealed(QPainter *painter, const QList<QTextCursor> &parts) const;
    void paintNotes(QPainter *painter) const;
    void paintConcealed(QPainter *painter, const QTextBlock &block, const QPointF &at, const QTextCursor &part) const;
    int heightForLines(int lines) const;
    qreal margin() const;
    AbbreviatedRuns *m_runs;
    QString m_placeholder;
    QList<QTextCursor> m_concealed;
    QHash<int, QString> m_notes;
    bool m_isConcealing = true;
    bool m_isSecret = false;
    int m_minLines = 1;
    int m_maxLines = 8;
    int m_shownLines = 1;
    bool m_single = false;
    bool m_offersLines = false;
};

// What is on each line; the last line end ends nothing.
QStringList linesOf(const QString &text);

// A combo box that ignores the mouse wheel while the form scrolls, drawn like the other inputs.
class CalmComboBox : public QComboBox {
    Q_OBJECT
public:
    explicit CalmComboBox(QWidget *parent = nullptr);
    void setWrong(bool wrong);
    void setHint(const QString &text);  // shown while nothing is chosen
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void wheelEvent(QWheelEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QString m_hint;
    bool m_wrong = false;
};

// One line, elided if there is no room, with the full text as tool tip. A name has some lines before it is elided.
class ElidedText : public QWidget {
    Q_OBJECT
public:
    explicit ElidedText(QWidget *parent = nullptr);
    void setStrong();  // a name, instead of a hint: bold
    void setText(const QString &text);
    QString text() const { return m_text; }
    QSize sizeHint() const override;         // of one line
    QSize minimumSizeHint() const override;  // of what one can make something of
    int heightForWidth(int width) const override;

protected:
    void changeEvent(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void breakLines(int width) const;
    QString m_text;
    int m_textWidth = 0;
    mutable QStringList m_lines;
    mutable int m_linesWidth = -1;  // that these fit in
    mutable bool m_isElided = false;
    bool m_isStrong = false;
};

}  // namespace sonde::ui
