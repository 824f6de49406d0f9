// The header of a result: outcome, duration, size, time, and the choice of the view.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/call.h"

#include <QWidget>

class QGridLayout;
class QMenu;

namespace sonde::ui {

class Badge;
class SegmentedControl;
class TextLabel;

// If there is no room in one line, duration, size and time move to a second line, or else what is chosen from does.
class ResultHeader : public QWidget {
    Q_OBJECT
public:
    enum Segment { ResultSegment, StructuredSegment, RawSegment };

    explicit ResultHeader(QWidget *parent = nullptr);

    void showRunning(const QDateTime &since);  // nothing to choose from yet
    void setResuming(bool isResuming);         // of what runs: its connection was lost
    void showOutcome(const Outcome &outcome, bool isFromCache = false);
    void setStructuredVisible(bool visible);
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void segmentChosen(int segment);
    void menuRequested(QMenu *menu);  // is about to be shown

protected:
    void contextMenuEvent(QContextMenuEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    enum class Rows { One, FactsBelow, SegmentsBelow };
    void setFacts(const QString &text);
    void arrange();

    QGridLayout *m_grid;
    Badge *m_badge;
    TextLabel *m_facts;
    SegmentedControl *m_segments;
    Rows m_rows = Rows::One;
};

}  // namespace sonde::ui
