// A rounded box for wire data.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFrame>

namespace sonde::ui {

class Card : public QFrame {
    Q_OBJECT
public:
    explicit Card(QWidget *parent = nullptr);

protected:
    void paintEvent(QPaintEvent *event) override;
};

}  // namespace sonde::ui
