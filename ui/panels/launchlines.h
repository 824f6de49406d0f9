// What a start would run or contact: each argument on its own line, with nothing hidden, and what has changed about it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

namespace sonde {
struct Approval;
}

namespace sonde::ui {

class FittedTextView;
class TextLabel;

// One box for all of it, which costs the same for one long argument as for thousands. Every line wraps and none is cut;
// what does not fit is scrolled to, and a note says how much there is.
class LaunchLines : public QWidget {
    Q_OBJECT
public:
    explicit LaunchLines(QWidget *parent = nullptr);
    void setApproval(const Approval &approval);
    void setMaxHeight(int height);  // of the box; it is no higher than its lines

private:
    FittedTextView *m_view;
    TextLabel *m_note;
};

}  // namespace sonde::ui
