// The parts of a TextView that draw and find positions. Private to ui/json.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/json/findsource.h"
#include "ui/json/jsonhighlighter.h"
#include "ui/json/textlinelayout.h"
#include "ui/json/textlines.h"
#include "ui/json/textview.h"
#include "ui/theme/theme.h"

#include <QCache>
#include <QScrollBar>
#include <QTimer>

class QKeyEvent;
class QPainter;

namespace sonde::ui {

class TextView::Private {
public:
    explicit Private(TextView *view) : q(view) {}

    int margin = Grid / 2;
    // Signs of tinted lines have their own column, and so have captions.
    int signEdge() const { return tints.isEmpty() ? margin : margin + int(2 * columnWidth); }
    int leftEdge() const { return signEdge() + shownCaptionWidth(); }
    // In a narrow view captions are elided, so that they leave room for the text.
    int shownCaptionWidth() const { return std::min(captionWidth, q->viewport()->width() / 3); }
    void measureCaptions();
    const Caption *captionOf(qsizetype index, int *part) const;
    QString captionAt(qsizetype index) const;
    int fittingColumns() const
    {
        return std::max(1, int((q->viewport()->width() - leftEdge() - margin) / columnWidth));  // 0: no wrapping
    }
    void layOut();
    void startLayout();
    void useLayout(TextLines &&laidOut);
    void updateScrollBars();
    const TextLineLayout &line(qsizetype index);
    qsizetype firstLine() const { return q->verticalScrollBar()->value(); }
    qsizetype lastLine() const;
    qsizetype offsetAt(const QPoint &position);
    void select(qsizetype anchor, qsizetype position);
    void moveTo(qsizetype offset) { select(anchor, offset); }
    void selectWord(qsizetype offset);
    qsizetype moved(const QKeyEvent *event);
    qsizetype stepped(int direction);
    qsizetype onLine(qsizetype target);
    void scrollTo(qsizetype offset);
    QList<QTextLayout::FormatRange> selectionsOn(const TextLines::Span &span, const TextLineLayout &layout) const;
    void paintLine(QPainter *painter, qsizetype index, qreal y);
    void openFind();
    qsizetype selectionStart() const { return std::min(anchor, position); }
    qsizetype selectionEnd() const { return std::max(anchor, position); }

    TextView *q;
    QByteArray text;
    TextLines lines;  // while isLayingOut, of the text's start or for another width
    bool isLayingOut = false;
    bool isOutdated = false;      // what the worker lays out
    qsizetype scrollTarget = -1;  // to be scrolled to once all lines are known
    JsonHighlighter highlighter;
    Highlight highlight = Highlight::None;
    QCache<qsizetype, TextLineLayout> layouts{400};
    QList<std::pair<qsizetype, QString>> findings;  // by offset
    QList<Tint> tints;
    QList<Caption> captions;
    int captionWidth = 0;  // of the widest, with the space behind it
    FindSource *findSource = nullptr;
    std::shared_ptr<const FindPlaces> foundPlaces;  // each foundLength bytes long
    qsizetype foundLength = 0;
    QTimer dragTimer;
    QPoint dragPosition;
    QFont font;
    qreal columnWidth = 8;
    int lineHeight = 16;
    int columns = 0;
    qsizetype anchor = 0;
    qsizetype position = 0;
    qsizetype markStart = 0;
    qsizetype markLength = 0;
    bool wrap = true;
};

class TextView::Source final : public FindSource {
public:
    explicit Source(TextView::Private *text) : FindSource(text->q), d(text) {}
    std::shared_ptr<FindScan> scan(const FindWord &word) const override;
    void mark(const FindWord &word, const std::shared_ptr<const FindPlaces> &places) override;
    QRect show(quint32 place) override;
    void deselect() override { d->select(d->position, d->position); }

private:
    TextView::Private *d;
};

}  // namespace sonde::ui
