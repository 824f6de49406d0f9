// What a start would run or contact: each argument on its own line, with nothing hidden, and what has changed about it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

namespace sonde {
struct Approval;
}

namespace sonde::ui {

class LaunchLines : public QWidget {
    Q_OBJECT
public:
    explicit LaunchLines(QWidget *parent = nullptr);
    void setApproval(const Approval &approval);
};

}  // namespace sonde::ui
