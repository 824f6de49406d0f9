// One line of text to be typed, of which nothing is lost without a word.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLineEdit>

namespace sonde::ui {

// Qt's own cuts what is longer than its limit and says nothing. This one refuses such a paste as a whole and says why;
// a longer text that was set is shown in part, cannot be edited, and is given back whole.
class LineInput : public QLineEdit {
    Q_OBJECT
public:
    // In characters. With every key all of them are laid out, which takes some 20 ms then.
    static constexpr int MaxLength = 100'000;
    static bool canHold(const QString &text) { return text.size() <= MaxLength; }
    // The same for a line that something else made, such as that of a combo box; without setText() and text().
    static void refuseTooLong(QLineEdit *line);

    explicit LineInput(const QString &text = {}, QWidget *parent = nullptr);
    void setText(const QString &text);
    void clear() { setText({}); }
    QString text() const { return m_whole.isEmpty() ? QLineEdit::text() : m_whole; }

private:
    QString m_whole;  // of a text that is too long to be edited
};

}  // namespace sonde::ui
