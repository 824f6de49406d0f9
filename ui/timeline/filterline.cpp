// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/filterline.h"

#include "ui/theme/theme.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QEvent>
#include <QKeyEvent>
#include <QStringListModel>

namespace sonde::ui {

FilterLine::FilterLine(QWidget *parent)
    : QLineEdit(parent), m_candidates(new QStringListModel(this)), m_completer(new QCompleter(m_candidates, this))
{
    m_completer->setWidget(this);
    m_completer->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
    connect(m_completer, qOverload<const QString &>(&QCompleter::activated), this, &FilterLine::take);
    connect(this, &QLineEdit::textChanged, this, &FilterLine::onTextChanged);
    connect(this, &QLineEdit::textEdited, this, [this] { offer(false); });
}

QString FilterLine::problemText() const
{
    return m_problem ? tr("At character %1: %2").arg(m_problem->offset + 1).arg(m_problem->reason) : QString();
}

void FilterLine::onTextChanged()
{
    const Filter::Parsed parsed = Filter::parse(text());
    const bool isNew = !parsed.problem && parsed.filter.text() != m_filter.text();
    const bool isOtherProblem = parsed.problem != m_problem;
    m_problem = parsed.problem;
    if (isNew)
        m_filter = parsed.filter;
    tint();
    setAccessibleDescription(problemText());
    if (isOtherProblem)
        Q_EMIT problemChanged();
    if (isNew)
        Q_EMIT filterChanged(m_filter);
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
    if (event->key() == Qt::Key_Space && event->modifiers() == Qt::ControlModifier)
        offer(true);
    else
        QLineEdit::keyPressEvent(event);
}

// Unasked only while a word is being written: nobody needs a list of all fields after each space.
void FilterLine::offer(bool asked)
{
    m_completion = completeFilter(text(), cursorPosition(), m_session);
    if (m_completion.candidates.isEmpty() || (!asked && m_completion.length == 0)) {
        m_completer->popup()->hide();
        return;
    }
    m_candidates->setStringList(m_completion.candidates);
    const QRect place = cursorRect();
    const int width = m_completer->popup()->sizeHintForColumn(0) + 6 * Grid;
    m_completer->complete(QRect(place.left(), 0, qMin(width, 60 * Grid), height()));
}

void FilterLine::take(const QString &candidate)
{
    QString changed = text();
    // A pointer may go deeper; everything else is followed by something new.
    const bool isWhole =
        !candidate.startsWith(QLatin1Char('/')) && !changed.mid(cursorPosition()).startsWith(QLatin1Char(' '));
    const QString taken = isWhole ? candidate + QLatin1Char(' ') : candidate;
    changed.replace(m_completion.offset, m_completion.length, taken);
    setText(changed);
    setCursorPosition(int(m_completion.offset + taken.size()));
}

}  // namespace sonde::ui
