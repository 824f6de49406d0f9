// Text of a server, cut after three lines, with "…", until somebody expands it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

namespace sonde::ui {

class FlatButton;
class TextLabel;

class CollapsibleText : public QWidget {
    Q_OBJECT
public:
    explicit CollapsibleText(QWidget *parent = nullptr);
    void setServerText(const QString &text);  // hidden where there is none
    void setDim(bool dim);                    // as at first

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void refresh();
    QString m_text;
    TextLabel *m_label;
    FlatButton *m_more;
};

}  // namespace sonde::ui
