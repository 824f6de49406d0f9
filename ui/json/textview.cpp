// SPDX-License-Identifier: Apache-2.0
#include "ui/json/textview.h"

#include "ui/json/accessibletextview.h"
#include "ui/json/bytestext.h"
#include "ui/json/pagefind.h"
#include "ui/json/textviewprivate.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QFontMetrics>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <algorithm>

namespace sonde::ui {

TextView::TextView(QWidget *parent) : QAbstractScrollArea(parent), d(std::make_unique<Private>(this))
{
    static const bool installed = (QAccessible::installFactory(Accessible::make), true);
    Q_UNUSED(installed)
    d->findSource = new Source(d.get());
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
    d->findings.clear();
    d->tints.clear();
    d->captions.clear();
    d->captionWidth = 0;
    d->anchor = d->position = 0;
    d->markLength = 0;
    d->scrollTarget = -1;
    d->foundPlaces.reset();
    d->layOut();
    verticalScrollBar()->setValue(0);
    horizontalScrollBar()->setValue(0);
    viewport()->update();
    d->findSource->setChanged();
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

std::pair<qsizetype, qsizetype> TextView::markedRange() const
{
    return {d->markStart, d->markLength};
}

void TextView::setFindings(const QList<std::pair<qsizetype, QString>> &findings)
{
    d->findings = findings;
    std::stable_sort(d->findings.begin(), d->findings.end(),
                     [](const auto &left, const auto &right) { return left.first < right.first; });
    viewport()->update();
}

void TextView::setTints(const QList<Tint> &tints)
{
    d->tints = tints;
    d->layOut();
    viewport()->update();
}

void TextView::setCaptions(const QList<Caption> &captions)
{
    d->captions = captions;
    d->measureCaptions();
    d->layOut();
    viewport()->update();
}

void TextView::showOffset(qsizetype offset)
{
    d->scrollTo(qBound<qsizetype>(0, offset, d->text.size()));
}

QString TextView::selectedText() const
{
    return decodedUtf8(QByteArrayView(d->text).sliced(d->selectionStart(), d->selectionEnd() - d->selectionStart()));
}

void TextView::setFlush()
{
    d->margin = 0;
    d->layOut();
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

int TextView::columnsBesideScrollBar() const
{
    const int bar = verticalScrollBar()->isVisible() ? 0 : verticalScrollBar()->sizeHint().width();
    return qMax(1, d->fittingColumns() - qCeil(bar / d->columnWidth));
}

int TextView::heightForLines(int maxHeight) const
{
    // Whole lines: half of one at the end would look like a mistake.
    const qsizetype fitting = qMax(1, (maxHeight - 2 * d->margin) / d->lineHeight);
    const int scrollBar =
        !d->wrap && horizontalScrollBar()->maximum() > 0 ? horizontalScrollBar()->sizeHint().height() : 0;
    const qsizetype shown = qMin(fitting, d->lines.count());
    return qMin(maxHeight, int(shown) * d->lineHeight + 2 * d->margin + scrollBar);
}

QString TextView::shownText() const
{
    QStringList shown;
    for (qsizetype i = d->firstLine(); i <= d->lastLine(); ++i)
        shown.append((d->captionAt(i) + QLatin1Char(' ') + d->line(i).layout().text()).trimmed());
    return shown.join(QLatin1Char('\n'));
}

QSize TextView::sizeHint() const
{
    return {int(40 * d->columnWidth), 6 * d->lineHeight};
}

QSize TextView::minimumSizeHint() const
{
    return {int(12 * d->columnWidth), d->lineHeight + 2 * d->margin};
}

bool TextView::event(QEvent *event)
{
    // While the text has the focus, Find searches it, or the page that it is part of.
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
    qreal y = d->margin;
    for (qsizetype i = d->firstLine(); i <= d->lastLine(); ++i, y += d->lineHeight)
        d->paintLine(&painter, i, y);
}

void TextView::resizeEvent(QResizeEvent *event)
{
    QAbstractScrollArea::resizeEvent(event);
    const int columns = d->fittingColumns();
    if (!d->wrap || columns == d->columns) {
        d->updateScrollBars();
    } else {
        const qsizetype top = d->lines.at(qMin(d->firstLine(), d->lines.count() - 1)).start;
        d->layOut();
        if (verticalScrollBar()->value() > 0)
            verticalScrollBar()->setValue(int(d->lines.lineAt(top)));
    }
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

void TextView::mouseReleaseEvent(QMouseEvent *event)
{
    d->dragTimer.stop();
    if (event->button() == Qt::LeftButton && d->anchor == d->position)
        Q_EMIT clicked(d->position);
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
        d->openFind();
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
        menu->addAction(d->anchor == d->position ? tr("Copy all") : tr("Copy"), this, &TextView::copy);
    copyAction->setShortcut(QKeySequence::Copy);
    menu->addAction(tr("Select all"), this, &TextView::selectAll)->setShortcut(QKeySequence::SelectAll);
    menu->addAction(tr("Find…"), this, [this] { d->openFind(); })->setShortcut(QKeySequence::Find);
    menu->addSeparator();
    QAction *wrapAction = menu->addAction(tr("Wrap lines"), this, [this] { setWordWrap(!d->wrap); });
    wrapAction->setCheckable(true);
    wrapAction->setChecked(d->wrap);
    Q_EMIT menuRequested(menu, d->offsetAt(viewport()->mapFromGlobal(event->globalPos())));
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
        d->measureCaptions();
        d->layOut();
    }
}

}  // namespace sonde::ui
