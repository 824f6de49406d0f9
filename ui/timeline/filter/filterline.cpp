// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/filter/filterline.h"
#include "ui/theme/lineinput.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QEvent>
#include <QKeyEvent>
#include <QMetaMethod>
#include <QStringListModel>

namespace sonde::ui {

namespace {
constexpr int PopupMargin = 4;  // of its words
}

FilterLine::FilterLine(QWidget *parent)
    : QLineEdit(parent), m_candidates(new QStringListModel(this)), m_completer(new QCompleter(m_candidates, this))
{
    LineInput::refuseTooLong(this);
    m_completer->setWidget(this);
    m_completer->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
    connect(m_completer, qOverload<const QString &>(&QCompleter::activated), this, &FilterLine::take);
    connect(this, &QLineEdit::textChanged, this, &FilterLine::onTextChanged);
    connect(this, &QLineEdit::textEdited, this, [this] { offer(false); });
}

QString FilterLine::problemText() const
{
    if (!m_problem)
        return {};
    const QString inForce = m_settled.matchesAll() ? tr("Not applied; all rows shown.")
                                                   : tr("Not applied; still filtering by %1").arg(m_settled.text());
    return tr("At character %1: %2 %3").arg(m_problem->offset + 1).arg(m_problem->reason, inForce);
}

// While typing, text passes through other valid filters: "outcome", on the way to "outcome == ok", is a plain word.
// While the text is invalid, the last filter that was meant applies, not the last valid one.
void FilterLine::onTextChanged()
{
    const Filter::Parsed parsed = Filter::parse(text());
    const bool isOtherProblem = parsed.problem != m_problem;
    m_problem = parsed.problem;
    if (!m_problem && (!isModified() || parsed.filter.matchesAll()))
        m_settled = parsed.filter;
    const Filter &wanted = m_problem ? m_settled : parsed.filter;
    const bool isNew = wanted.text() != m_filter.text();
    if (isNew)
        m_filter = wanted;
    tint();
    setAccessibleDescription(problemText());
    if (isOtherProblem)
        Q_EMIT problemChanged();
    if (isNew)
        Q_EMIT filterChanged(m_filter);
}

void FilterLine::settle()
{
    if (!m_problem)
        m_settled = m_filter;
}

void FilterLine::tint()
{
    QPalette tinted;
    if (m_problem)
        tinted.setColor(QPalette::Base, softColor(Tone::ProtocolError));
    else if (!m_filter.matchesAll())
        tinted.setColor(QPalette::Base, softColor(Tone::Ok));
    m_isTinting = true;
    setPalette(tinted);
    m_isTinting = false;
}

void FilterLine::changeEvent(QEvent *event)
{
    QLineEdit::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && !m_isTinting)
        tint();
}

void FilterLine::keyPressEvent(QKeyEvent *event)
{
    const bool isReturn = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    const bool isPlain = (event->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
    const QAbstractItemView *words = m_completer->popup();
    const bool isChoosing = words->isVisible() && words->currentIndex().isValid();
    if (event->key() == Qt::Key_Space && event->modifiers() == Qt::ControlModifier) {
        offer(true);
    } else if (isPlain && !isChoosing && (isReturn || event->key() == Qt::Key_Down)) {
        m_completer->popup()->hide();
        settle();
        goOn(event);
    } else {
        QLineEdit::keyPressEvent(event);
    }
}

// In a dialog without rows, the key belongs to its default button.
void FilterLine::goOn(QKeyEvent *event)
{
    if (!isSignalConnected(QMetaMethod::fromSignal(&FilterLine::rowsRequested))) {
        QLineEdit::keyPressEvent(event);
        return;
    }
    event->accept();
    if (!m_problem)
        Q_EMIT rowsRequested();
}

// Moving the focus to the rows applies the filter. The completion list does not count.
void FilterLine::focusOutEvent(QFocusEvent *event)
{
    if (event->reason() != Qt::PopupFocusReason && event->reason() != Qt::ActiveWindowFocusReason)
        settle();
    QLineEdit::focusOutEvent(event);
}

// Opens by itself only while a word is being typed, not after each space.
void FilterLine::offer(bool asked)
{
    m_completion = completeFilter(text(), cursorPosition(), m_session);
    if (m_completion.candidates.isEmpty() || (!asked && m_completion.length == 0)) {
        m_completer->popup()->hide();
        return;
    }
    m_candidates->setStringList(m_completion.candidates);
    // The candidates are below the word that they replace.
    const QString written = text().mid(m_completion.offset, cursorPosition() - m_completion.offset);
    const int left = qMax(0, cursorRect().center().x() - fontMetrics().horizontalAdvance(written) - PopupMargin);
    const int width = m_completer->popup()->sizeHintForColumn(0) + 6 * Grid;
    m_completer->complete(QRect(left, 0, qMin(width, 60 * Grid), height()));
}

void FilterLine::take(const QString &candidate)
{
    const QString now = text();
    // A pointer may continue; after everything else something new follows.
    const bool isWhole =
        !candidate.startsWith(QLatin1Char('/')) && !now.mid(cursorPosition()).startsWith(QLatin1Char(' '));
    const QString taken = isWhole ? candidate + QLatin1Char(' ') : candidate;
    setSelection(int(m_completion.offset), int(m_completion.length));
    insert(taken);
}

FilterProblemLabel::FilterProblemLabel(const FilterLine *line, QWidget *parent) : TextLabel({}, parent)
{
    setTone(Tone::ProtocolError);
    setWordWrap(true);
    hide();
    connect(line, &FilterLine::problemChanged, this, [this, line] {
        const QString text = line->problemText();
        setText(text.isEmpty() ? QString() : sign(Tone::ProtocolError) + QLatin1Char(' ') + text);
        setVisible(!text.isEmpty());
    });
}

}  // namespace sonde::ui
