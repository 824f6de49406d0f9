// SPDX-License-Identifier: Apache-2.0
#include "ui/json/textview.h"

#include "ui/json/bytestext.h"
#include "ui/json/findbar.h"
#include "ui/json/jsonhighlighter.h"
#include "ui/json/textlinelayout.h"
#include "ui/json/textlines.h"
#include "ui/json/textsearch.h"
#include "ui/theme/theme.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QCache>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QFontMetrics>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QTimer>
#include <algorithm>

namespace sonde::ui {

namespace {

constexpr int Margin = Grid / 2;

class AccessibleTextView : public QAccessibleWidget {
public:
    explicit AccessibleTextView(TextView *view) : QAccessibleWidget(view, QAccessible::StaticText) {}

    QString text(QAccessible::Text kind) const override
    {
        if (kind == QAccessible::Value)
            return static_cast<TextView *>(widget())->shownText();
        return QAccessibleWidget::text(kind);
    }
};

QAccessibleInterface *makeAccessible(const QString &, QObject *object)
{
    auto *view = qobject_cast<TextView *>(object);
    return view ? new AccessibleTextView(view) : nullptr;
}

}  // namespace

class TextView::Private {
public:
    explicit Private(TextView *view) : q(view) {}

    void layOut();
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
    void showFindBar();
    qsizetype selectionStart() const { return std::min(anchor, position); }
    qsizetype selectionEnd() const { return std::max(anchor, position); }

    TextView *q;
    QByteArray text;
    TextLines lines;
    JsonHighlighter highlighter;
    Highlight highlight = Highlight::None;
    QCache<qsizetype, TextLineLayout> layouts{400};
    QList<std::pair<qsizetype, QString>> remarks;  // by offset
    FindBar *findBar = nullptr;
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

void TextView::Private::layOut()
{
    const int wanted = wrap ? int((q->viewport()->width() - 2 * Margin) / columnWidth) : 0;
    columns = wanted;
    lines.layOut(text, wanted);
    layouts.clear();
    updateScrollBars();
}

void TextView::Private::updateScrollBars()
{
    const int page = qMax(1, (q->viewport()->height() - 2 * Margin) / lineHeight);
    q->verticalScrollBar()->setRange(0, int(qMax<qsizetype>(0, lines.count() - page)));
    q->verticalScrollBar()->setPageStep(page);
    q->verticalScrollBar()->setSingleStep(1);
    const int width = wrap ? 0 : int(lines.widest() * columnWidth) + 2 * Margin;
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
    const int row = int(std::floor(qreal(point.y() - Margin) / lineHeight));
    const qsizetype index = qBound<qsizetype>(0, firstLine() + row, lines.count() - 1);
    const qreal x = point.x() - Margin + q->horizontalScrollBar()->value();
    return lines.at(index).start + line(index).byteAt(x);
}

void TextView::Private::select(qsizetype from, qsizetype to)
{
    anchor = from;
    position = to;
    q->viewport()->update();
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

// Where the moving end of the selection goes; -1 when the key is none of ours.
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
    if (markLength > 0)
        add(markStart, markStart + markLength, softColor(Tone::Finding));
    add(selectionStart(), selectionEnd(), colors().selection);
    return ranges;
}

void TextView::Private::paintLine(QPainter *painter, qsizetype index, qreal y)
{
    const TextLines::Span span = lines.at(index);
    const TextLineLayout &layout = line(index);
    const qreal x = Margin - q->horizontalScrollBar()->value();
    painter->setPen(q->isEnabled() ? colors().text : colors().dim);
    layout.layout().draw(painter, {x, y}, selectionsOn(span, layout));

    const qsizetype next = index + 1 < lines.count() ? lines.at(index + 1).start : text.size() + 1;
    auto remark = std::lower_bound(remarks.cbegin(), remarks.cend(), span.start,
                                   [](const auto &entry, qsizetype offset) { return entry.first < offset; });
    qreal behind = x + layout.width() + 3 * columnWidth;
    for (; remark != remarks.cend() && remark->first < next; ++remark) {
        painter->setPen(colors().finding);
        const QString said = sign(Tone::Finding) + QLatin1Char(' ') + remark->second;
        painter->drawText(QPointF(behind, y + QFontMetricsF(font).ascent()), said);
        behind += QFontMetricsF(font).horizontalAdvance(said) + 2 * columnWidth;
    }
}

void TextView::Private::showFindBar()
{
    if (!findBar) {
        findBar = new FindBar(q);
        connect(findBar, &FindBar::findRequested, q, [this](const QString &needle, bool forward) {
            findBar->setFound(needle.isEmpty() || q->find(needle, forward));
        });
        connect(findBar, &FindBar::closed, q, [this] { q->setFocus(); });
    }
    findBar->popUp();
}

TextView::TextView(QWidget *parent) : QAbstractScrollArea(parent), d(std::make_unique<Private>(this))
{
    static const bool installed = (QAccessible::installFactory(makeAccessible), true);
    Q_UNUSED(installed)
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setAutoFillBackground(false);
    viewport()->setCursor(Qt::IBeamCursor);
    d->dragTimer.setInterval(30);
    connect(&d->dragTimer, &QTimer::timeout, this, [this] {
        const int beyond = d->dragPosition.y() < 0 ? d->dragPosition.y() : d->dragPosition.y() - viewport()->height();
        verticalScrollBar()->setValue(verticalScrollBar()->value() + beyond / d->lineHeight + (beyond < 0 ? -1 : 1));
        d->moveTo(d->offsetAt(d->dragPosition));
    });
    connect(verticalScrollBar(), &QScrollBar::valueChanged, viewport(), qOverload<>(&QWidget::update));
    connect(horizontalScrollBar(), &QScrollBar::valueChanged, viewport(), qOverload<>(&QWidget::update));
    QEvent fontChange(QEvent::FontChange);
    TextView::changeEvent(&fontChange);
}

TextView::~TextView() = default;

void TextView::setText(const QByteArray &utf8, Highlight highlight)
{
    d->text = utf8;
    d->highlight = highlight;
    d->highlighter.setText(d->text);
    d->remarks.clear();
    d->anchor = d->position = 0;
    d->markLength = 0;
    d->layOut();
    verticalScrollBar()->setValue(0);
    horizontalScrollBar()->setValue(0);
    viewport()->update();
}

QByteArray TextView::text() const
{
    return d->text;
}

void TextView::setWordWrap(bool wrap)
{
    d->wrap = wrap;
    d->layOut();
    viewport()->update();
}

bool TextView::wordWrap() const
{
    return d->wrap;
}

void TextView::setMarkedRange(qsizetype offset, qsizetype length)
{
    d->markStart = offset;
    d->markLength = length;
    if (length > 0)
        d->scrollTo(qBound<qsizetype>(0, offset, d->text.size()));
    viewport()->update();
}

void TextView::setRemarks(const QList<std::pair<qsizetype, QString>> &remarks)
{
    d->remarks = remarks;
    std::stable_sort(d->remarks.begin(), d->remarks.end(),
                     [](const auto &left, const auto &right) { return left.first < right.first; });
    viewport()->update();
}

bool TextView::find(const QString &needle, bool forward)
{
    const qsizetype from = forward ? d->selectionEnd() : d->selectionStart();
    const qsizetype found = findText(d->text, needle.toUtf8(), from, forward);
    if (found < 0)
        return false;
    d->select(found, found + needle.toUtf8().size());
    d->scrollTo(found);
    return true;
}

QString TextView::selectedText() const
{
    return decodedUtf8(QByteArrayView(d->text).sliced(d->selectionStart(), d->selectionEnd() - d->selectionStart()));
}

void TextView::selectAll()
{
    d->select(0, d->text.size());
}

void TextView::copy() const
{
    const QString selected = selectedText();
    QGuiApplication::clipboard()->setText(selected.isEmpty() ? decodedUtf8(d->text) : selected);
}

int TextView::heightForLines(int maxHeight) const
{
    const qsizetype fitting = (maxHeight - 2 * Margin) / d->lineHeight;
    const int scrollBar =
        !d->wrap && horizontalScrollBar()->maximum() > 0 ? horizontalScrollBar()->sizeHint().height() : 0;
    if (d->lines.count() >= fitting)
        return maxHeight;
    return qMin(maxHeight, int(d->lines.count()) * d->lineHeight + 2 * Margin + scrollBar);
}

QString TextView::shownText() const
{
    QStringList shown;
    for (qsizetype i = d->firstLine(); i <= d->lastLine(); ++i)
        shown.append(d->line(i).layout().text());
    return shown.join(QLatin1Char('\n'));
}

QSize TextView::sizeHint() const
{
    return {int(40 * d->columnWidth), 6 * d->lineHeight};
}

QSize TextView::minimumSizeHint() const
{
    return {int(12 * d->columnWidth), d->lineHeight + 2 * Margin};
}

bool TextView::event(QEvent *event)
{
    // While the text has the focus, find means: in this text.
    if (event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent *>(event)->matches(QKeySequence::Find)) {
        event->accept();
        return true;
    }
    return QAbstractScrollArea::event(event);
}

void TextView::paintEvent(QPaintEvent *)
{
    QPainter painter(viewport());
    painter.setFont(d->font);
    qreal y = Margin;
    for (qsizetype i = d->firstLine(); i <= d->lastLine(); ++i, y += d->lineHeight)
        d->paintLine(&painter, i, y);
}

void TextView::resizeEvent(QResizeEvent *event)
{
    QAbstractScrollArea::resizeEvent(event);
    const int columns = int((viewport()->width() - 2 * Margin) / d->columnWidth);
    if (!d->wrap || columns == d->columns) {
        d->updateScrollBars();
    } else {
        const qsizetype top = d->lines.at(qMin(d->firstLine(), d->lines.count() - 1)).start;
        d->layOut();
        if (verticalScrollBar()->value() > 0)
            verticalScrollBar()->setValue(int(d->lines.lineAt(top)));
    }
    if (d->findBar)
        d->findBar->place();
}

void TextView::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton)
        return;
    const qsizetype offset = d->offsetAt(event->position().toPoint());
    d->select(event->modifiers() & Qt::ShiftModifier ? d->anchor : offset, offset);
}

void TextView::mouseMoveEvent(QMouseEvent *event)
{
    if (!(event->buttons() & Qt::LeftButton))
        return;
    d->dragPosition = event->position().toPoint();
    d->moveTo(d->offsetAt(d->dragPosition));
    const bool outside = d->dragPosition.y() < 0 || d->dragPosition.y() > viewport()->height();
    if (!outside)
        d->dragTimer.stop();
    else if (!d->dragTimer.isActive())
        d->dragTimer.start();
}

void TextView::mouseReleaseEvent(QMouseEvent *)
{
    d->dragTimer.stop();
    QClipboard *clipboard = QGuiApplication::clipboard();
    if (clipboard->supportsSelection() && d->anchor != d->position)
        clipboard->setText(selectedText(), QClipboard::Selection);
}

void TextView::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton)
        d->selectWord(d->offsetAt(event->position().toPoint()));
}

void TextView::keyPressEvent(QKeyEvent *event)
{
    if (event->matches(QKeySequence::Copy)) {
        copy();
    } else if (event->matches(QKeySequence::SelectAll)) {
        selectAll();
    } else if (event->matches(QKeySequence::Find)) {
        d->showFindBar();
    } else if (event->modifiers() & Qt::ShiftModifier) {
        const qsizetype to = d->moved(event);
        if (to < 0)
            return QAbstractScrollArea::keyPressEvent(event);
        d->moveTo(to);
        d->scrollTo(to);
    } else if (event->key() == Qt::Key_Home) {
        verticalScrollBar()->triggerAction(QAbstractSlider::SliderToMinimum);
    } else if (event->key() == Qt::Key_End) {
        verticalScrollBar()->triggerAction(QAbstractSlider::SliderToMaximum);
    } else {
        QAbstractScrollArea::keyPressEvent(event);
    }
}

void TextView::contextMenuEvent(QContextMenuEvent *event)
{
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(QStringLiteral("textViewMenu"));
    QAction *copyAction =
        menu->addAction(d->anchor == d->position ? tr("Copy everything") : tr("Copy"), this, &TextView::copy);
    copyAction->setShortcut(QKeySequence::Copy);
    menu->addAction(tr("Select all"), this, &TextView::selectAll)->setShortcut(QKeySequence::SelectAll);
    menu->addAction(tr("Find…"), this, [this] { d->showFindBar(); })->setShortcut(QKeySequence::Find);
    menu->addSeparator();
    QAction *wrapAction = menu->addAction(tr("Wrap lines"), this, [this] { setWordWrap(!d->wrap); });
    wrapAction->setCheckable(true);
    wrapAction->setChecked(d->wrap);
    menu->popup(event->globalPos());
}

void TextView::changeEvent(QEvent *event)
{
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::EnabledChange) {
        d->layouts.clear();
        viewport()->update();
    } else if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
        d->font = monoFont();
        const QFontMetricsF metrics(d->font);
        d->columnWidth = metrics.horizontalAdvance(QLatin1Char('0'));
        d->lineHeight = qMax(1, qCeil(metrics.lineSpacing()));
        d->layOut();
    }
}

}  // namespace sonde::ui
