// A scroll area for a page that is as wide as the area.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QScrollArea>

namespace sonde::ui {

// The stock scroll area gives its widget a new size within each change of that size. Where a page asks for another
// height at each width, and for another width at each height, that never ends; here it does. Without a frame.
class PageArea : public QScrollArea {
    Q_OBJECT
public:
    explicit PageArea(QWidget *parent = nullptr);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    int m_depth = 0;
};

}  // namespace sonde::ui
