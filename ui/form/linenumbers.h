// The numbers of the lines beside a text box, a sign where a line has a problem, and one where it can be folded.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/theme/theme.h"

#include <QHash>
#include <QWidget>
#include <optional>

namespace sonde::ui {

class GrowingTextEdit;
class JsonFolding;

// Within the margin of the box, which owns it. Lines are numbered from 1.
class LineNumbers : public QWidget {
    Q_OBJECT
public:
    explicit LineNumbers(GrowingTextEdit *edit);
    void setMarks(const QHash<int, Tone> &lines);
    void setFolding(JsonFolding *folding);
    void place();  // for a text that was set with signals blocked
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    std::optional<Tone> markOf(int number) const;
    GrowingTextEdit *m_edit;
    JsonFolding *m_folding = nullptr;
    QHash<int, Tone> m_marks;
};

}  // namespace sonde::ui
