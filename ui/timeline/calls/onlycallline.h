// Says that only one call is shown, with a button to show all.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

namespace sonde::ui {

class TextLabel;

class OnlyCallLine : public QWidget {
    Q_OBJECT
public:
    explicit OnlyCallLine(QWidget *parent = nullptr);
    void setCall(const QString &title);  // empty: hides the line

Q_SIGNALS:
    void closed();

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    TextLabel *m_text;
};

}  // namespace sonde::ui
