// SPDX-License-Identifier: Apache-2.0
#include "ui/json/textviewprivate.h"

#include "ui/json/accessibletextview.h"
#include "ui/json/background.h"
#include "ui/json/findbar.h"
#include "ui/json/pagefind.h"

#include <QFontMetrics>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <algorithm>
#include <memory>
#include <utility>

namespace sonde::ui {

namespace {

constexpr qsizetype LaidOutAtOnce =
    4 * BackgroundBytes;                     // of a larger text this start, until a worker has done the rest
constexpr qsizetype MaxMarkedOnLine = 1000;  // on one line

class TextScan final : public FindScan {
public:
    TextScan(QByteArray text, FindWord word) : m_text(std::move(text)), m_word(std::move(word)) {}

    bool next(FindPlaces *places) override
    {
        // Matches that begin within this piece.
        const qsizetype end = std::min(m_text.size(), m_from + BytesAtOnce);
        const QByteArrayView piece = QByteArrayView(m_text).first(std::min(m_text.size(), end + m_word.size() - 1));
        for (qsizetype count = 0; count < PlacesAtOnce; ++count) {
            const qsizetype found = m_word.indexIn(piece, m_from);
            if (found < 0) {
                m_from = std::max(m_from, end);
                return m_from < m_text.size();
            }
            places->push_back(quint32(found));
            m_from = found + m_word.size();
        }
        return m_from < m_text.size();
    }

private:
    const QByteArray m_text;
    const FindWord m_word;
    qsizetype m_from = 0;
};

}  // namespace

void TextView::Private::layOut()
{
    columns = wrap ? fittingColumns() : 0;
    isOutdated = true;
    if (text.size() <= LaidOutAtOnce) {
        scrollTarget = -1;
        lines.layOut(text, columns);
    } else {
        if (!lines.isOf(text))
            lines.layOut(QByteArrayView(text).first(LaidOutAtOnce), columns);
        if (!isLayingOut)
            startLayout();
    }
    layouts.clear();
    updateScrollBars();
}

// One layout at a time: resizing the window asks faster than a large text is laid out.
void TextView::Private::startLayout()
{
    isLayingOut = true;
    isOutdated = false;
    runOnWorker(
        q,
        [text = text, columns = columns] {
            const auto laidOut = std::make_shared<TextLines>();  // millions of lines are not to be copied
            laidOut->layOut(text, columns);
            return laidOut;
        },
        [this](const std::optional<std::shared_ptr<TextLines>> &laidOut) {
            isLayingOut = false;
            if (!isOutdated && laidOut)
                useLayout(std::move(**laidOut));
            else if (isOutdated && text.size() > LaidOutAtOnce)
                startLayout();
        });
}

void TextView::Private::useLayout(TextLines &&laidOut)
{
    const qsizetype top = lines.at(qMin(firstLine(), lines.count() - 1)).start;
    lines = std::move(laidOut);
    layouts.clear();
    updateScrollBars();
    q->verticalScrollBar()->setValue(int(lines.lineAt(top)));
    if (const qsizetype target = std::exchange(scrollTarget, -1); target >= 0)
        scrollTo(target);
    q->viewport()->update();
}

void TextView::Private::measureCaptions()
{
    const QFontMetricsF metrics(q->font());
    qreal widest = 0;
    for (const Caption &caption : std::as_const(captions)) {
        for (const QString &part : caption.text.split(QLatin1Char('\n')))
            widest = qMax(widest, metrics.horizontalAdvance(part));
    }
    captionWidth = captions.isEmpty() ? 0 : qCeil(widest) + 2 * Grid;
}

// The caption that has something to say beside that line on the screen; part: which line of it.
const TextView::Caption *TextView::Private::captionOf(qsizetype index, int *part) const
{
    for (*part = 0; *part < 2 && index >= *part; ++*part) {
        const qsizetype start = lines.at(index - *part).start;
        const auto found = std::lower_bound(captions.cbegin(), captions.cend(), start,
                                            [](const Caption &caption, qsizetype at) { return caption.offset < at; });
        if (found != captions.cend() && found->offset == start)
            return &*found;
    }
    return nullptr;
}

QString TextView::Private::captionAt(qsizetype index) const
{
    int part = 0;
    const Caption *caption = captionOf(index, &part);
    return caption ? caption->text.section(QLatin1Char('\n'), part, part) : QString();
}

void TextView::Private::updateScrollBars()
{
    const int page = qMax(1, (q->viewport()->height() - 2 * margin) / lineHeight);
    q->verticalScrollBar()->setRange(0, int(qMax<qsizetype>(0, lines.count() - page)));
    q->verticalScrollBar()->setPageStep(page);
    q->verticalScrollBar()->setSingleStep(1);
    const int width = wrap ? 0 : int(lines.widest() * columnWidth) + leftEdge() + margin;
    q->horizontalScrollBar()->setRange(0, qMax(0, width - q->viewport()->width()));
    q->horizontalScrollBar()->setPageStep(q->viewport()->width());
    q->horizontalScrollBar()->setSingleStep(int(columnWidth * 4));
}

const TextLineLayout &TextView::Private::line(qsizetype index)
{
    if (TextLineLayout *known = layouts.object(index))
        return *known;
    const TextLines::Span span = lines.at(index);
    QList<JsonHighlighter::Span> tokens;
    if (highlight == Highlight::Json)
        tokens = highlighter.tokens(span.start, span.length);
    auto *made = new TextLineLayout(QByteArrayView(text).sliced(span.start, span.length), font, tokens, span.start);
    layouts.insert(index, made);
    return *made;
}

qsizetype TextView::Private::lastLine() const
{
    return qMin(lines.count() - 1, firstLine() + q->viewport()->height() / lineHeight + 1);
}

qsizetype TextView::Private::offsetAt(const QPoint &point)
{
    const int row = int(std::floor(qreal(point.y() - margin) / lineHeight));
    const qsizetype index = qBound<qsizetype>(0, firstLine() + row, lines.count() - 1);
    const qreal x = point.x() - leftEdge() + q->horizontalScrollBar()->value();
    return lines.at(index).start + line(index).byteAt(x);
}

void TextView::Private::select(qsizetype from, qsizetype to)
{
    anchor = from;
    position = to;
    q->viewport()->update();
    Accessible::announceSelection(q);
}

void TextView::Private::selectWord(qsizetype offset)
{
    const TextLines::Span span = lines.at(lines.lineAt(offset));
    const auto isWord = [this](qsizetype i) {
        const char c = text[i];
        return uchar(c) >= 0x80 || c == '_' || c == '-' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
               (c >= 'A' && c <= 'Z');
    };
    qsizetype from = qMin(offset, span.end());
    qsizetype to = from;
    while (from > span.start && isWord(from - 1))
        --from;
    while (to < span.end() && isWord(to))
        ++to;
    if (to == from && to < span.end())
        to += codePointAt(text, to).length;
    select(from, to);
}

qsizetype TextView::Private::stepped(int direction)
{
    if (direction > 0)
        return position < text.size() ? position + codePointAt(text, position).length : position;
    qsizetype previous = qMax<qsizetype>(0, position - 1);
    while (previous > 0 && position - previous < 4 && (uchar(text[previous]) & 0xc0) == 0x80)
        --previous;
    return previous;
}

qsizetype TextView::Private::onLine(qsizetype target)
{
    const qsizetype current = lines.lineAt(position);
    const qreal x = line(current).xOf(position - lines.at(current).start);
    const qsizetype index = qBound<qsizetype>(0, target, lines.count() - 1);
    return lines.at(index).start + line(index).byteAt(x);
}

// The new position of the selection's moving end; -1 if the key is not handled.
qsizetype TextView::Private::moved(const QKeyEvent *event)
{
    const bool whole = event->modifiers() & Qt::ControlModifier;
    const qsizetype current = lines.lineAt(position);
    switch (event->key()) {
        case Qt::Key_Left:
            return stepped(-1);
        case Qt::Key_Right:
            return stepped(1);
        case Qt::Key_Up:
            return onLine(current - 1);
        case Qt::Key_Down:
            return onLine(current + 1);
        case Qt::Key_PageUp:
            return onLine(current - q->verticalScrollBar()->pageStep());
        case Qt::Key_PageDown:
            return onLine(current + q->verticalScrollBar()->pageStep());
        case Qt::Key_Home:
            return whole ? 0 : lines.at(current).start;
        case Qt::Key_End:
            return whole ? text.size() : lines.at(current).end();
        default:
            return -1;
    }
}

void TextView::Private::scrollTo(qsizetype offset)
{
    scrollTarget = isLayingOut ? offset : -1;
    const qsizetype index = lines.lineAt(offset);
    const int page = q->verticalScrollBar()->pageStep();
    if (index < firstLine() || index >= firstLine() + page)
        q->verticalScrollBar()->setValue(int(qMax<qsizetype>(0, index - page / 3)));
    if (wrap)
        return;
    const qreal x = line(index).xOf(offset - lines.at(index).start);
    const int left = q->horizontalScrollBar()->value();
    if (x < left || x > left + q->viewport()->width() - 4 * columnWidth)
        q->horizontalScrollBar()->setValue(int(x) - q->viewport()->width() / 3);
}

QList<QTextLayout::FormatRange> TextView::Private::selectionsOn(const TextLines::Span &span,
                                                                const TextLineLayout &layout) const
{
    QList<QTextLayout::FormatRange> ranges;
    const auto add = [&](qsizetype from, qsizetype to, const QColor &background) {
        from = std::max(from, span.start);
        to = std::min(to, span.end());
        if (from >= to)
            return;
        QTextLayout::FormatRange range;
        range.start = layout.unitOf(from - span.start);
        range.length = layout.unitOf(to - span.start) - range.start;
        range.format.setBackground(background);
        ranges.append(range);
    };
    if (foundPlaces) {
        auto place = std::lower_bound(foundPlaces->cbegin(), foundPlaces->cend(),
                                      quint32(qMax<qsizetype>(0, span.start - foundLength)));
        for (qsizetype i = 0; i < MaxMarkedOnLine && place != foundPlaces->cend() && *place < span.end(); ++i, ++place)
            add(*place, *place + foundLength, softColor(Tone::ToolError));
    }
    if (markLength > 0)
        add(markStart, markStart + markLength, softColor(Tone::Finding));
    add(selectionStart(), selectionEnd(), colors().selection);
    return ranges;
}

void TextView::Private::paintLine(QPainter *painter, qsizetype index, qreal y)
{
    const TextLines::Span span = lines.at(index);
    const TextLineLayout &layout = line(index);
    const qsizetype next = index + 1 < lines.count() ? lines.at(index + 1).start : text.size() + 1;
    for (const Tint &tint : tints) {
        if (tint.offset >= next || tint.offset + tint.length <= span.start)
            continue;
        painter->fillRect(QRectF(0, y, q->viewport()->width(), lineHeight), softColor(tint.tone));
        painter->setPen(color(tint.tone));
        painter->drawText(QPointF(margin, y + QFontMetricsF(font).ascent()), tint.sign);
        break;
    }
    int part = 0;
    if (const Caption *caption = captionOf(index, &part)) {
        painter->setFont(q->font());
        painter->setPen(caption->tone == Tone::Neutral ? colors().dim : color(caption->tone));
        const QString shown =
            QFontMetricsF(q->font()).elidedText(captionAt(index), Qt::ElideRight, shownCaptionWidth() - Grid);
        painter->drawText(QPointF(signEdge(), y + QFontMetricsF(font).ascent()), shown);
        painter->setFont(font);
    }
    const qreal x = leftEdge() - q->horizontalScrollBar()->value();
    painter->save();
    painter->setClipRect(leftEdge() - 1, 0, q->viewport()->width(), q->viewport()->height(), Qt::IntersectClip);
    painter->setPen(q->isEnabled() ? colors().text : colors().dim);
    layout.layout().draw(painter, {x, y}, selectionsOn(span, layout));

    auto finding = std::lower_bound(findings.cbegin(), findings.cend(), span.start,
                                    [](const auto &entry, qsizetype offset) { return entry.first < offset; });
    qreal behind = x + layout.width() + 3 * columnWidth;
    for (; finding != findings.cend() && finding->first < next; ++finding) {
        painter->setPen(colors().finding);
        const qreal room = qMax(4 * columnWidth, q->viewport()->width() - margin - behind);
        const QString said = QFontMetricsF(font).elidedText(sign(Tone::Finding) + QLatin1Char(' ') + finding->second,
                                                            Qt::ElideRight, room);
        painter->drawText(QPointF(behind, y + QFontMetricsF(font).ascent()), said);
        behind += QFontMetricsF(font).horizontalAdvance(said) + 2 * columnWidth;
    }
    painter->restore();
}

// A text that is part of no page that is searched has a bar of its own.
void TextView::Private::openFind()
{
    PageFind *find = PageFind::around(q);
    if (!find) {
        auto *bar = new FindBar(q);
        bar->pinTo(q);
        find = new PageFind(q, bar);
    }
    find->open();
}

std::shared_ptr<FindScan> TextView::Source::scan(const FindWord &word) const
{
    return std::make_shared<TextScan>(d->text, word);
}

void TextView::Source::mark(const FindWord &word, const std::shared_ptr<const FindPlaces> &places)
{
    d->foundPlaces = places;
    d->foundLength = word.size();
    d->q->viewport()->update();
}

QRect TextView::Source::show(quint32 place)
{
    d->select(place, place + d->foundLength);
    d->scrollTo(place);
    const qsizetype row = d->lines.lineAt(place) - d->firstLine();
    return {0, d->margin + int(row) * d->lineHeight, d->q->viewport()->width(), d->lineHeight};
}

}  // namespace sonde::ui
