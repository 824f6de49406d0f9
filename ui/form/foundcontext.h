// The line around a match in a text that is not drawn.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/json/findword.h"

#include <QWidget>

namespace sonde::ui {

// Hidden while there is none.
class FoundContext : public QWidget {
    Q_OBJECT
public:
    explicit FoundContext(QWidget *parent);
    void setLine(const QString &line, const FindWord &word);  // empty: none
    QString text() const { return m_line; }
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QString m_line;
    FindWord m_word;
};

}  // namespace sonde::ui
