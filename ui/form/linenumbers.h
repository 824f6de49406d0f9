// The numbers of the lines beside a text box, and a sign where a line has a problem.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QSet>
#include <QWidget>

namespace sonde::ui {

class GrowingTextEdit;

// Within the margin of the box, which owns it. Lines are numbered from 1.
class LineNumbers : public QWidget {
    Q_OBJECT
public:
    explicit LineNumbers(GrowingTextEdit *edit);
    void setProblems(const QSet<int> &lines);
    void place();  // for a text that was set with signals blocked
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    GrowingTextEdit *m_edit;
    QSet<int> m_problems;
};

}  // namespace sonde::ui
