// SPDX-License-Identifier: Apache-2.0
#include "ui/form/formcontext.h"

#include "ui/form/callplaceholders.h"
#include "ui/form/editor.h"
#include "ui/form/fieldcolumn.h"

#include <QApplication>
#include <QComboBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPlainTextEdit>

#include <algorithm>
#include <utility>

namespace sonde::ui {

FormContext::FormContext(QObject *parent) : QObject(parent), m_discarded(std::make_unique<QWidget>())
{
    m_turn.setSingleShot(true);
    m_turn.setInterval(0);
    connect(&m_turn, &QTimer::timeout, this, &FormContext::runTurn);
}

FormContext::~FormContext() = default;

void FormContext::discard(QWidget *part)
{
    part->hide();
    part->setParent(m_discarded.get());
    part->deleteLater();
}

void FormContext::deleteDiscarded()
{
    m_discarded = std::make_unique<QWidget>();
}

void FormContext::countField()
{
    ++fieldCount;
    ++m_drawnInTurn;
    if (!m_turn.isActive())
        m_turn.start();
}

void FormContext::want(FieldColumn *column)
{
    m_wanted.removeOne(column);
    m_wanted.append(column);
    if (!m_turn.isActive())
        m_turn.start();
}

void FormContext::runTurn()
{
    m_drawnInTurn = 0;
    if (std::exchange(m_hasRevealed, false) && !m_wanted.isEmpty())
        m_turn.start();
    else
        draw();
}

void FormContext::draw(int least)
{
    if (m_isInDraw || m_wanted.isEmpty())
        return;
    m_isInDraw = true;
    QList<QPointer<FieldColumn>> drawn;
    const int most = qMax(FieldsPerTurn, m_drawnInTurn + least);
    while (m_drawnInTurn < most && !m_wanted.isEmpty()) {
        const QPointer<FieldColumn> column = m_wanted.constLast();
        if (column && !drawn.contains(column))
            drawn.append(column);
        if (!column || !column->drawNext())
            m_wanted.removeOne(column);
    }
    // From the innermost outwards: what is shown is laid out once.
    for (auto column = drawn.crbegin(); column != drawn.crend(); ++column) {
        if (*column)
            (*column)->place();
    }
    m_isInDraw = false;
    if (!m_wanted.isEmpty() && !m_turn.isActive())
        m_turn.start();
    Q_EMIT built();
}

const FieldFilter *FormContext::filterAt(const json::Pointer &place) const
{
    const FieldFilter *at = filter.get();
    for (const QString &token : place.tokens())
        at = at ? at->within(token) : nullptr;
    return at;
}

bool FormContext::isPlaceholder(const json::Value &value) const
{
    return takesPlaceholders && callStringOf(value) == CallString::Placeholder;
}

void FormContext::setTable(const Draft &list, bool isTable)
{
    const QString pointer = list.pointer().toString();
    if (isTable)
        m_tables.insert(pointer);
    else
        m_tables.remove(pointer);
}

void FormContext::defer(Editor *editor)
{
    if (!m_deferred.contains(editor))
        m_deferred.append(editor);
}

bool FormContext::isPrepared() const
{
    return std::all_of(m_deferred.begin(), m_deferred.end(),
                       [](const QPointer<Editor> &editor) { return !editor || editor->isPrepared(); });
}

void FormContext::settle()
{
    const QList<QPointer<Editor>> deferred = std::exchange(m_deferred, {});
    const bool wasPaused = history.isPaused();
    history.setPaused(true);
    for (const QPointer<Editor> &editor : deferred) {
        if (editor)
            editor->settle();
    }
    history.setPaused(wasPaused);
}

void FormContext::focusLater(QWidget *control)
{
    m_toFocus = control;
    QMetaObject::invokeMethod(
        control,
        [this, control, before = QPointer<QWidget>(QApplication::focusWidget())] {
            const bool hasMovedOn = before && before != QApplication::focusWidget();
            if (m_toFocus == control && control->isVisible() && !hasMovedOn)
                control->setFocus(Qt::OtherFocusReason);
        },
        Qt::QueuedConnection);
}

void FormContext::watch(QWidget *editor)
{
    const QList<QWidget *> inner = editor->findChildren<QWidget *>();
    for (QWidget *input : inner) {
        if (qobject_cast<QLineEdit *>(input) || qobject_cast<QPlainTextEdit *>(input) ||
            qobject_cast<QComboBox *>(input))
            input->installEventFilter(this);
    }
}

bool FormContext::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride) {
        const auto *key = static_cast<QKeyEvent *>(event);
        const bool isUndo = key->matches(QKeySequence::Undo);
        if (isUndo || key->matches(QKeySequence::Redo)) {
            event->accept();
            if (event->type() == QEvent::KeyPress)
                Q_EMIT(isUndo ? undoRequested() : redoRequested());
            return true;
        }
    }
    return QObject::eventFilter(watched, event);
}

}  // namespace sonde::ui
