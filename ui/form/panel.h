// A rounded frame around what belongs together.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFrame>

namespace sonde::ui {

class Panel : public QFrame {
    Q_OBJECT
public:
    using QFrame::QFrame;

protected:
    void paintEvent(QPaintEvent *event) override;
};

}  // namespace sonde::ui
