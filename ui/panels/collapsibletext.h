// Text of a server, cut after some lines, with "…", until somebody expands it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

namespace sonde::ui {

class FlatButton;
class TextLabel;

class CollapsibleText : public QWidget {
    Q_OBJECT
public:
    static constexpr int UsualLines = 3;

    explicit CollapsibleText(QWidget *parent = nullptr);
    void setMaxLines(int lines);
    void setServerText(const QString &text);  // hidden where there is none
    void setDim(bool dim);                    // as at first

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void refresh();
    QString m_text;
    int m_maxLines = UsualLines;
    TextLabel *m_label;
    FlatButton *m_more;
};

}  // namespace sonde::ui
