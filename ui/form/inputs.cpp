// SPDX-License-Identifier: Apache-2.0
#include "ui/form/inputs.h"

#include "ui/form/abbreviatedruns.h"
#include "ui/form/accessibletext.h"
#include "ui/form/texts.h"
#include "ui/theme/keys.h"
#include "ui/theme/roundedframe.h"
#include "ui/theme/widgets.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QPainter>
#include <QPainterPath>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextLayout>
#include <QVBoxLayout>
#include <QWheelEvent>
#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr int LeastHint = 120;  // px
constexpr qsizetype MaxNameLines = 3;
constexpr qsizetype MaxLinesText = 1'000'000;  // that are taken apart: more are one text

void paintBox(QPainter *painter, const QRect &area, bool focused, bool wrong, bool enabled)
{
    QPen edge = focused ? focusPen() : QPen(colors().border);
    if (wrong)
        edge.setColor(colors().protocolError);
    paintRoundedFrame(painter, area, edge, enabled ? colors().panel : colors().field);
}

void paintArrow(QPainter *painter, const QPointF &center, const QColor &color)
{
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(color, 1.4, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter->setBrush(Qt::NoBrush);
    QPainterPath path(center + QPointF(-3.5, -1.8));
    path.lineTo(center + QPointF(0, 1.8));
    path.lineTo(center + QPointF(3.5, -1.8));
    painter->drawPath(path);
}

}  // namespace

bool isTypedText(const QKeyEvent *event)
{
    return !event->text().trimmed().isEmpty() && event->text().at(0).isPrint() &&
           !(event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier));
}

QStringList linesOf(const QString &text)
{
    QString plain = text;
    plain.replace("\r\n"_L1, "\n"_L1).replace(u'\r', u'\n');
    if (plain.endsWith(u'\n'))
        plain.chop(1);
    return plain.split(u'\n');
}

InputBox::InputBox(QWidget *input, QWidget *parent) : QFrame(parent), m_input(input), m_row(new QHBoxLayout(this))
{
    // A text box has its own margin.
    m_row->setContentsMargins(qobject_cast<QLineEdit *>(input) ? 7 : 4, 1, 2, 1);
    m_row->setSpacing(2);
    m_row->addWidget(input, 1);
    if (auto *line = qobject_cast<QLineEdit *>(input)) {
        line->setFrame(false);
        followFont(line, [line] { line->setFixedHeight(inputHeight() - 2); });
        QPalette clear = line->palette();
        clear.setColor(QPalette::Base, Qt::transparent);
        line->setPalette(clear);
    }
    setFocusProxy(input);
    input->installEventFilter(this);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    if (input->sizePolicy().verticalPolicy() == QSizePolicy::Expanding)
        policy.setVerticalPolicy(QSizePolicy::Expanding);
    setSizePolicy(policy);
}

void InputBox::addTrailing(QWidget *widget)
{
    // Beside the first line.
    auto *cell = new QVBoxLayout;
    cell->setContentsMargins(0, (inputHeight() - 2 - headerHeight()) / 2, 0, 0);
    cell->addWidget(widget);
    cell->addStretch(1);
    m_row->addLayout(cell);
}

void InputBox::setWrong(bool wrong)
{
    if (m_wrong != wrong) {
        m_wrong = wrong;
        update();
    }
}

void InputBox::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    paintBox(&painter, rect(), m_input->hasFocus(), m_wrong, m_input->isEnabled());
}

bool InputBox::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut)
        update();
    return QFrame::eventFilter(watched, event);
}

FlatButton *makeRevealButton()
{
    auto *button = new FlatButton({});
    button->setIcon(icon(u"eye"_s));
    button->setCheckable(true);
    button->setAccessibleName(FormText::tr("Show secret"));
    button->setToolTip(FormText::tr("Show secret"));
    button->setFocusPolicy(Qt::ClickFocus);
    return button;
}

GrowingTextEdit::GrowingTextEdit(QWidget *parent) : QPlainTextEdit(parent), m_runs(new AbbreviatedRuns(document()))
{
    makeTextAccessible(this);
    setFrameShape(QFrame::NoFrame);
    setTabChangesFocus(true);
    setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setSizeAdjustPolicy(QAbstractScrollArea::AdjustIgnored);
    viewport()->setAutoFillBackground(false);
    document()->setDocumentMargin(margin());
    connect(this, &QPlainTextEdit::textChanged, this, &GrowingTextEdit::fit);
    // Its scroll bar needs room of its own.
    connect(horizontalScrollBar(), &QScrollBar::rangeChanged, this, &QWidget::updateGeometry);
}

void GrowingTextEdit::setLines(int min, int max)
{
    m_minLines = min;
    m_maxLines = max;
    setSizePolicy(QSizePolicy::Expanding, max == 0 ? QSizePolicy::Expanding : QSizePolicy::Fixed);
    fit();
    updateGeometry();
}

void GrowingTextEdit::setPlaceholder(const QString &text)
{
    if (std::exchange(m_placeholder, text) != text)
        viewport()->update();
}

QString GrowingTextEdit::text() const
{
    return m_runs->text();
}

void GrowingTextEdit::setText(const QString &text)
{
    clear();
    document()->setUndoRedoEnabled(false);
    QTextCursor cursor(document());
    m_runs->insert(&cursor, text);
    document()->setUndoRedoEnabled(true);
}

void GrowingTextEdit::replaceAll(const QString &text)
{
    QTextCursor cursor(document());
    cursor.select(QTextCursor::Document);
    m_runs->insert(&cursor, text);
}

void GrowingTextEdit::insertFromMimeData(const QMimeData *source)
{
    if (isReadOnly() || !source || !source->hasText())
        return;
    QTextCursor cursor = textCursor();
    if (m_offersLines && source->text().size() <= MaxLinesText && linesOf(source->text()).size() > 1) {
        QTextCursor before(document());
        before.setPosition(cursor.selectionStart(), QTextCursor::KeepAnchor);
        QTextCursor after(document());
        after.setPosition(cursor.selectionEnd());
        after.movePosition(QTextCursor::End, QTextCursor::KeepAnchor);
        Q_EMIT linesPasted(linesOf(m_runs->text(before) + source->text() + m_runs->text(after)));
        return;
    }
    m_runs->insert(&cursor, source->text(), AbbreviatedRuns::Extent::Beginning);
    setTextCursor(cursor);
    ensureCursorVisible();
}

QMimeData *GrowingTextEdit::createMimeDataFromSelection() const
{
    auto *mime = new QMimeData;  // also for the selection that X11 shares
    if (!m_isSecret || !m_isConcealing)
        mime->setText(m_runs->text(textCursor()));
    return mime;
}

bool GrowingTextEdit::canHold(const QString &text)
{
    // The first five are line ends or internal marks of the editor, the last is the placeholder of an image.
    static constexpr char16_t altered[] = {u'\r', u'\u2029', u'\ufdd0', u'\ufdd1', u'\0', u'\ufffc'};
    for (const char16_t c : altered) {
        if (text.contains(QChar(c)))
            return false;
    }
    return true;
}

// A single line is centred, as in the other inputs.
qreal GrowingTextEdit::margin() const
{
    return qMax(3.0, std::floor((inputHeight() - 2 - QFontMetricsF(font()).lineSpacing()) / 2));
}

int GrowingTextEdit::heightForLines(int lines) const
{
    const qreal text = QFontMetricsF(font()).lineSpacing() * lines + 2 * document()->documentMargin();
    const int bar = horizontalScrollBar()->maximum() > 0 ? horizontalScrollBar()->sizeHint().height() : 0;
    return qMax(int(std::ceil(text)) + bar, inputHeight() - 2);
}

QSize GrowingTextEdit::sizeHint() const
{
    if (m_maxLines == 0)
        return {240, heightForLines(8)};
    return {120, heightForLines(m_shownLines)};
}

QSize GrowingTextEdit::minimumSizeHint() const
{
    return {40, m_maxLines == 0 ? heightForLines(3) : heightForLines(m_shownLines)};
}

void GrowingTextEdit::setConcealed(const QList<QTextCursor> &parts)
{
    if (!m_concealed.isEmpty() || !parts.isEmpty())
        viewport()->update();
    m_concealed = parts;
}

QList<QTextCursor> GrowingTextEdit::concealed() const
{
    if (!m_isConcealing || !m_isSecret)
        return m_isConcealing ? m_concealed : QList<QTextCursor>();
    QTextCursor all(document());
    all.select(QTextCursor::Document);
    return {all};
}

QList<GrowingTextEdit::ShownLine> GrowingTextEdit::shownLines() const
{
    QList<ShownLine> lines;
    for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
        const QRectF area = blockBoundingGeometry(block).translated(contentOffset());
        if (area.top() > viewport()->height())
            break;
        if (!block.isVisible())
            continue;
        const int height =
            block.layout()->lineCount() > 0 ? int(block.layout()->lineAt(0).height()) : int(area.height());
        lines.append({block.blockNumber() + 1, int(area.top()), height});
    }
    return lines;
}

void GrowingTextEdit::setLineNotes(const QHash<int, QString> &notes)
{
    if (std::exchange(m_notes, notes) != notes)
        viewport()->update();
}

void GrowingTextEdit::paintNotes(QPainter *painter) const
{
    painter->setPen(colors().dim);
    const QList<ShownLine> lines = shownLines();
    for (const ShownLine &line : lines) {
        const auto note = m_notes.constFind(line.number);
        const QTextLayout *layout = document()->findBlockByNumber(line.number - 1).layout();
        if (note == m_notes.cend() || layout->lineCount() == 0)
            continue;
        const int left =
            int(contentOffset().x() + document()->documentMargin() + layout->lineAt(0).naturalTextWidth()) + Grid / 2;
        painter->drawText(QRect(left, line.top, viewport()->width(), line.height), Qt::AlignLeft | Qt::AlignVCenter,
                          *note);
    }
}

void GrowingTextEdit::setConcealing(bool on)
{
    m_isConcealing = on;
    viewport()->update();
}

bool GrowingTextEdit::isConcealed(int from, int to) const
{
    const QList<QTextCursor> parts = concealed();
    return std::any_of(parts.cbegin(), parts.cend(), [from, to](const QTextCursor &part) {
        return part.selectionStart() < to && part.selectionEnd() > from;
    });
}

QString GrowingTextEdit::shownText() const
{
    QString text = toPlainText();
    const QList<QTextCursor> parts = concealed();
    for (const QTextCursor &part : parts) {
        for (int at = part.selectionStart(); at < part.selectionEnd(); ++at) {
            if (text.at(at) != u'\n')
                text[at] = u'•';
        }
    }
    return text;
}

// Each as long as its text, so that the caret is where it belongs.
void GrowingTextEdit::paintConcealed(QPainter *painter, const QList<QTextCursor> &parts) const
{
    const QTextBlock top = firstVisibleBlock();
    for (const QTextCursor &part : parts) {
        QTextBlock block = document()->findBlock(part.selectionStart());
        if (block.position() < top.position())
            block = top;
        for (; block.isValid() && block.position() < part.selectionEnd(); block = block.next()) {
            const QRectF area = blockBoundingGeometry(block).translated(contentOffset());
            if (area.top() > viewport()->height())
                break;
            if (block.isVisible())
                paintConcealed(painter, block, area.topLeft(), part);
        }
    }
}

void GrowingTextEdit::paintConcealed(QPainter *painter, const QTextBlock &block, const QPointF &at,
                                     const QTextCursor &part) const
{
    const QTextLayout *layout = block.layout();
    const int from = qMax(part.selectionStart() - block.position(), 0);
    const int to = qMin(part.selectionEnd() - block.position(), block.length() - 1);
    for (int i = 0; i < layout->lineCount(); ++i) {
        const QTextLine line = layout->lineAt(i);
        const int first = qMax(from, line.textStart());
        const int last = qMin(to, line.textStart() + line.textLength());
        if (first >= last)
            continue;
        const qreal left = line.cursorToX(first);
        const QRectF box(at.x() + left, at.y() + line.y(), line.cursorToX(last) - left, line.height());
        painter->fillRect(box, colors().panel);
        painter->setPen(colors().dim);
        painter->drawText(box, Qt::AlignLeft | Qt::AlignVCenter, QString(last - first, u'•'));
    }
}

void GrowingTextEdit::fit()
{
    if (m_maxLines == 0) {
        setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
        return;
    }
    int lines = 0;
    for (QTextBlock block = document()->begin(); block.isValid() && lines <= m_maxLines; block = block.next()) {
        // A block's line count is known once it has been laid out for the current width.
        (void)document()->documentLayout()->blockBoundingRect(block);
        lines += qMax(1, block.lineCount());
    }
    // Only long text scrolls; a scroll bar beside one line would be noise.
    setVerticalScrollBarPolicy(lines > m_maxLines ? Qt::ScrollBarAsNeeded : Qt::ScrollBarAlwaysOff);
    lines = qBound(m_minLines, lines, m_maxLines);
    if (lines != m_shownLines) {
        m_shownLines = lines;
        updateGeometry();
    }
}

void GrowingTextEdit::keyPressEvent(QKeyEvent *event)
{
    if (isCtrlEnter(event)) {
        event->ignore();
        return;
    }
    // As in a password line, what is concealed cannot be copied.
    if (m_isSecret && m_isConcealing && (event->matches(QKeySequence::Copy) || event->matches(QKeySequence::Cut)))
        return;
    // In a list of suggestions that is open it chooses; the list asks here first.
    if (isEnter(event) && QApplication::activePopupWidget()) {
        event->ignore();
        return;
    }
    // A list adds an item, the form does nothing.
    if (m_single && isEnter(event) && !event->modifiers().testFlag(Qt::ShiftModifier)) {
        event->ignore();
        return;
    }
    if (isEnter(event) && event->modifiers().testFlag(Qt::ShiftModifier)) {
        // The stock Shift+Enter inserts U+2028, which nobody wants to send.
        textCursor().insertText(u"\n"_s);
        ensureCursorVisible();
        return;
    }
    QPlainTextEdit::keyPressEvent(event);
}

void GrowingTextEdit::contextMenuEvent(QContextMenuEvent *event)
{
    QMenu *menu = createStandardContextMenu();
    if (!menu)
        return;
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const QList<QAction *> actions = menu->actions();
    for (QAction *action : actions) {
        if (m_isSecret && m_isConcealing &&
            (action->objectName() == "edit-copy"_L1 || action->objectName() == "edit-cut"_L1))
            action->setEnabled(false);
    }
    menu->popup(event->globalPos());
}

void GrowingTextEdit::wheelEvent(QWheelEvent *event)
{
    // Within a form that scrolls, only the one that is edited scrolls by itself.
    if (m_maxLines == 0 || (hasFocus() && verticalScrollBar()->maximum() > 0))
        QPlainTextEdit::wheelEvent(event);
    else
        event->ignore();
}

void GrowingTextEdit::resizeEvent(QResizeEvent *event)
{
    QPlainTextEdit::resizeEvent(event);
    fit();
    // Before there was room for all lines it was scrolled to the caret.
    if (m_maxLines > 0 && verticalScrollBarPolicy() == Qt::ScrollBarAlwaysOff)
        verticalScrollBar()->setValue(0);
}

void GrowingTextEdit::changeEvent(QEvent *event)
{
    QPlainTextEdit::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        document()->setDocumentMargin(margin());
        fit();
    }
}

void GrowingTextEdit::paintEvent(QPaintEvent *event)
{
    QPlainTextEdit::paintEvent(event);
    const QList<QTextCursor> parts = concealed();
    const bool isPlaceholderShown = !m_placeholder.isEmpty() && document()->isEmpty();
    // Of most inputs of a form there is nothing more to paint, and each painter costs some of the time for a page.
    if (parts.isEmpty() && m_notes.isEmpty() && !isPlaceholderShown)
        return;
    QPainter painter(viewport());
    paintConcealed(&painter, parts);
    if (!m_notes.isEmpty())
        paintNotes(&painter);
    if (!isPlaceholderShown)
        return;
    painter.setPen(colors().placeholder);
    const int margin = int(document()->documentMargin());
    const QRect area = viewport()->rect().adjusted(margin, margin, -margin, -margin);
    const QFontMetrics metrics(font());
    painter.drawText(area, Qt::AlignLeft | Qt::AlignTop,
                     metrics.elidedText(m_placeholder, Qt::ElideRight, area.width()));
}

CalmComboBox::CalmComboBox(QWidget *parent) : QComboBox(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMaxVisibleItems(16);
    setMinimumContentsLength(6);
}

void CalmComboBox::setWrong(bool wrong)
{
    if (m_wrong != wrong) {
        m_wrong = wrong;
        update();
    }
}

void CalmComboBox::setHint(const QString &text)
{
    m_hint = text;
    if (lineEdit()) {
        lineEdit()->setPlaceholderText(text);
        lineEdit()->installEventFilter(this);
        QPalette clear = lineEdit()->palette();
        clear.setColor(QPalette::Base, Qt::transparent);
        lineEdit()->setPalette(clear);
        lineEdit()->setTextMargins(5, 0, 0, 0);
    }
    update();
}

QSize CalmComboBox::sizeHint() const
{
    return {160, inputHeight()};
}

QSize CalmComboBox::minimumSizeHint() const
{
    return {64, inputHeight()};
}

void CalmComboBox::wheelEvent(QWheelEvent *event)
{
    event->ignore();
}

void CalmComboBox::keyPressEvent(QKeyEvent *event)
{
    if (isCtrlEnter(event))
        event->ignore();
    else
        QComboBox::keyPressEvent(event);
}

bool CalmComboBox::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut)
        update();
    return QComboBox::eventFilter(watched, event);
}

void CalmComboBox::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const bool focused = hasFocus() || (lineEdit() && lineEdit()->hasFocus());
    paintBox(&painter, rect(), focused, m_wrong, isEnabled());
    paintArrow(&painter, QPointF(width() - 13.5, height() / 2.0 + 0.5), colors().dim);
    if (isEditable())
        return;
    const bool empty = currentIndex() < 0;
    painter.setPen(!isEnabled() ? colors().dim : empty ? colors().placeholder : colors().text);
    const QRect area = rect().adjusted(10, 0, -26, 0);
    const QString shown = empty ? m_hint : currentText();
    painter.drawText(area, Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(shown, Qt::ElideRight, area.width()));
}

ElidedText::ElidedText(QWidget *parent) : QWidget(parent)
{
    setFont(smallFont());
}

void ElidedText::setStrong()
{
    m_isStrong = true;
    QFont bold = QApplication::font();
    bold.setWeight(QFont::DemiBold);
    setFont(bold);
}

void ElidedText::setText(const QString &text)
{
    if (m_text == text)
        return;
    const int before = minimumSizeHint().width();
    m_text = text;
    m_textWidth = fontMetrics().horizontalAdvance(text);
    m_linesWidth = -1;
    setAccessibleName(text);
    if (m_isStrong || minimumSizeHint().width() != before)
        updateGeometry();
    update();
}

QSize ElidedText::sizeHint() const
{
    return {m_text.isEmpty() ? 0 : m_textWidth + 2, fontMetrics().height()};
}

QSize ElidedText::minimumSizeHint() const
{
    return {m_isStrong ? 0 : qMin(sizeHint().width(), LeastHint), fontMetrics().height()};
}

int ElidedText::heightForWidth(int width) const
{
    breakLines(width);
    return int(m_lines.size()) * fontMetrics().height();
}

// Names that differ in one part only are told apart by it, wherever it is: they are broken before they are elided.
void ElidedText::breakLines(int width) const
{
    // A form paints hundreds of them while it scrolls.
    if (std::exchange(m_linesWidth, width) == width)
        return;
    m_lines.clear();
    QString rest = m_text;
    if (m_isStrong && m_textWidth > width && width > 0) {
        static const QRegularExpression wordEnd(u"(?<=[_./:-])(?=.)"_s);
        const QChar breakHere = u'\u200b';
        QTextLayout layout(QString(m_text).replace(wordEnd, breakHere), font());
        layout.setTextOption(QTextOption());
        layout.beginLayout();
        for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
            line.setLineWidth(width);
            rest = layout.text().mid(line.textStart()).remove(breakHere);
            if (m_lines.size() + 1 == MaxNameLines || line.textStart() + line.textLength() >= layout.text().size())
                break;
            m_lines.append(layout.text().mid(line.textStart(), line.textLength()).remove(breakHere));
        }
        layout.endLayout();
    }
    m_lines.append(fontMetrics().elidedText(rest, m_isStrong ? Qt::ElideMiddle : Qt::ElideRight, width));
    m_isElided = m_lines.constLast() != rest;
}

void ElidedText::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        m_textWidth = fontMetrics().horizontalAdvance(m_text);
        m_linesWidth = -1;
    }
}

void ElidedText::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setPen(m_isStrong ? colors().text : colors().dim);
    breakLines(width());
    const int line = fontMetrics().height();
    QRect area(0, (height() - line * int(m_lines.size())) / 2, width(), line);
    for (const QString &text : std::as_const(m_lines)) {
        painter.drawText(area, Qt::AlignLeft | Qt::AlignVCenter, text);
        area.translate(0, line);
    }
    // A tool tip guesses whether its text is rich text; escaped rich text is unambiguous.
    const QString tip = m_isElided ? u"<span>"_s + m_text.toHtmlEscaped() + u"</span>"_s : QString();
    if (toolTip() != tip)
        setToolTip(tip);
}

}  // namespace sonde::ui
