// A line edit that never loses text silently.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLineEdit>

namespace sonde::ui {

// Qt's line edit silently cuts text beyond its limit. This one rejects such a paste with a message; a longer text that
// was set is shown in part, cannot be edited, and is returned whole.
class LineInput : public QLineEdit {
    Q_OBJECT
public:
    // In characters. Each key press lays out all of them, which takes about 20 ms at this length.
    static constexpr int MaxLength = 100'000;
    static bool canHold(const QString &text) { return text.size() <= MaxLength; }
    // The same for an existing line edit, such as that of a combo box; without setText() and text().
    static void refuseTooLong(QLineEdit *line);

    explicit LineInput(const QString &text = {}, QWidget *parent = nullptr);
    void setText(const QString &text);
    void clear() { setText({}); }
    QString text() const { return m_whole.isEmpty() ? QLineEdit::text() : m_whole; }

private:
    QString m_whole;  // of a text that is too long to be edited
};

}  // namespace sonde::ui
