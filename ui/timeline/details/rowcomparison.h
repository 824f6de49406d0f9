// Two rows of a session side by side, with their differences.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/session/session.h"
#include "ui/diff/comparisonwindow.h"

namespace sonde::ui {

// Of two calls with responses, either the requests or the responses can be compared. Copies what it needs from the
// session.
class RowComparison : public ComparisonWindow {
    Q_OBJECT
public:
    RowComparison(const Session &session, qsizetype left, qsizetype right, QWidget *parent);
};

}  // namespace sonde::ui
