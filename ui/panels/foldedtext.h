// Text of a server's that takes three lines until somebody asks for all of it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QToolButton;

namespace sonde::ui {

class TextLabel;

class FoldedText : public QWidget {
    Q_OBJECT
public:
    explicit FoldedText(QWidget *parent = nullptr);
    void setServerText(const QString &text);  // hidden where there is none

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void refresh();
    void fold();
    QString m_text;
    TextLabel *m_label;
    QToolButton *m_more;
};

}  // namespace sonde::ui
