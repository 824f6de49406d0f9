// The first line above a response: outcome, duration, size, time, and what is shown of it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/call.h"

#include <QWidget>

class QGridLayout;

namespace sonde::ui {

class Badge;
class SegmentedControl;
class TextLabel;

// Where one line has no room for the three of them, duration, size and time take a second one.
class ResultHeader : public QWidget {
    Q_OBJECT
public:
    enum Segment { ResultSegment, StructuredSegment, RawSegment };

    explicit ResultHeader(QWidget *parent = nullptr);

    void showRunning(const QString &since);  // nothing to choose from yet
    void showOutcome(const Outcome &outcome);
    void setStructuredVisible(bool visible);
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void segmentChosen(int segment);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void setFacts(const QString &text);
    void arrange();

    QGridLayout *m_grid;
    Badge *m_badge;
    TextLabel *m_facts;
    SegmentedControl *m_segments;
    bool m_isNarrow = false;
};

}  // namespace sonde::ui
