// SPDX-License-Identifier: Apache-2.0
#include "ui/form/timeeditor.h"

#include "core/json/builder.h"
#include "ui/form/inputs.h"
#include "ui/form/timepicker.h"
#include "ui/theme/keys.h"
#include "ui/theme/widgets.h"

#include <QKeyEvent>

using namespace Qt::StringLiterals;

namespace sonde::ui {

TimeEditor::TimeEditor(FormContext *context, const Draft::Ptr &draft, const Shape &shape, const QString &label,
                       QWidget *parent)
    : TextEditor(context, draft, shape, label, parent),
      m_kind(TimeText::kindOf(shape.text(u"format")).value_or(TimeText::Kind::DateTime)),
      m_pick(new FlatButton({}))
{
    const bool isTime = m_kind == TimeText::Kind::Time;
    const QString name = isTime                               ? tr("Pick a time")
                         : m_kind == TimeText::Kind::DateTime ? tr("Pick a date and time")
                                                              : tr("Pick a date");
    // In a row of a list, Alt with an arrow moves the row.
    QString tip =
        tr("%1 (%2)").arg(name, keyText(draft->isItem() ? QKeyCombination(Qt::Key_F4) : Qt::ALT | Qt::Key_Down));
    if (m_kind != TimeText::Kind::Date)
        tip += u'\n' + tr("Without an offset in the text, this computer's is added: %1")
                           .arg(localOffset({}, QTime::currentTime()));
    m_pick->setIcon(icon(isTime ? u"history"_s : u"calendar"_s));
    m_pick->setToolTip(plainToolTip(tip));
    m_pick->setAccessibleName(name);
    m_pick->setAccessibleDescription(tip);
    m_pick->setFocusPolicy(Qt::ClickFocus);
    addTrailing(m_pick);
    edit()->installEventFilter(this);
    connect(m_pick, &FlatButton::clicked, this, &TimeEditor::open);
}

bool TimeEditor::isFor(const Shape &shape)
{
    return TimeText::kindOf(shape.text(u"format")).has_value();
}

void TimeEditor::rename(const QString &pointer)
{
    TextEditor::rename(pointer);
    m_pick->setObjectName("pick:"_L1 + pointer);
}

// As combo boxes do. Elsewhere in the window, Alt with an arrow goes to another call.
bool TimeEditor::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride) {
        const auto *key = static_cast<QKeyEvent *>(event);
        const bool isArrow = key->key() == Qt::Key_Down && !draft()->isItem() &&
                             (key->modifiers() & ~Qt::KeypadModifier) == Qt::AltModifier;
        if (isArrow || (key->key() == Qt::Key_F4 && key->modifiers() == Qt::NoModifier)) {
            event->accept();
            if (event->type() == QEvent::KeyPress)
                open();
            return true;
        }
    }
    return TextEditor::eventFilter(watched, event);
}

void TimeEditor::open()
{
    auto *picker = new TimePicker(m_kind, edit()->text(), this);
    picker->setObjectName("picker:"_L1 + draft()->pointer().toString());
    connect(picker, &TimePicker::picked, this, [this](const QString &text) { replaceText(text, json::quoted(text)); });
    connect(picker, &TimePicker::closed, edit(), [this] { edit()->setFocus(Qt::PopupFocusReason); });
    picker->showAt(this);
}

}  // namespace sonde::ui
