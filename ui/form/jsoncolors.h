// Colours of JSON in a text box, and the bracket that belongs to the one at the cursor.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QSyntaxHighlighter>
#include <QTextCursor>

namespace sonde::ui {

class GrowingTextEdit;

// A string ends on its line, so each line is coloured by itself. Owned by the edit.
class JsonColors : public QSyntaxHighlighter {
    Q_OBJECT
public:
    explicit JsonColors(GrowingTextEdit *edit);
    void setMarked(const QTextCursor &part);  // with another background; null: nothing

protected:
    void highlightBlock(const QString &text) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void findBrackets();
    void showMarks();
    GrowingTextEdit *m_edit;
    QTextCursor m_marked;
    QList<QTextCursor> m_brackets;  // at the cursor, and its partner
};

// The place of the bracket that belongs to the one at `at`; -1: there is none, or it is too far away. What looks like
// one within a string is none.
int matchingBracket(QStringView text, int at);

}  // namespace sonde::ui
