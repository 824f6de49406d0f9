// Two widgets beside one another. The second is below the first where that would be cut or take more lines.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QBoxLayout;

namespace sonde::ui {

class BreakingRow final : public QWidget {
    Q_OBJECT
public:
    // Takes ownership of both; trailing is at the right.
    BreakingRow(QWidget *leading, QWidget *trailing, QWidget *parent = nullptr);

protected:
    bool event(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void place();

    QWidget *m_leading;
    QWidget *m_trailing;
    QBoxLayout *m_layout;
};

}  // namespace sonde::ui
