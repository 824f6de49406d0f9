// SPDX-License-Identifier: Apache-2.0
#include "ui/form/numbereditor.h"

#include "core/json/builder.h"
#include "ui/form/inputs.h"
#include "ui/theme/lineinput.h"
#include "ui/theme/theme.h"

#include <QLineEdit>
#include <QVBoxLayout>

namespace sonde::ui {

NumberEditor::NumberEditor(FormContext *context, const Draft::Ptr &draft, const Shape &shape, QWidget *parent)
    : Editor(context, draft, shape, parent), m_edit(new LineInput), m_box(new InputBox(m_edit))
{
    m_edit->setFont(monoFont());
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_box);
    load();
    connect(m_edit, &QLineEdit::textEdited, this, &NumberEditor::write);
}

QByteArray NumberEditor::jsonOf(const QString &text)
{
    const json::Document typed = json::Document::parse(text.toUtf8());
    const bool isNumber = typed.isValid() && typed.root().isNumber();
    return isNumber ? typed.root().numberText() : json::quoted(text);
}

bool NumberEditor::canHold(const Draft::Ptr &draft)
{
    return draft->value().slice().size() <= LineInput::MaxLength;
}

void NumberEditor::load()
{
    const json::Value value = m_draft->value();
    // Typed text that is not a number is stored as a string.
    const QString text = value.isString() ? value.string() : QString::fromLatin1(value.numberText());
    if (m_edit->text() != text)
        m_edit->setText(text);
    m_edit->setPlaceholderText(placeholder());
}

bool NumberEditor::reload()
{
    if (m_draft->isPresent() && (!m_draft->value().isNumber() || !canHold(m_draft)))
        return false;
    load();
    return true;
}

QWidget *NumberEditor::control() const
{
    return m_edit;
}

void NumberEditor::setWrong(bool wrong)
{
    m_box->setWrong(wrong);
}

QString NumberEditor::problem() const
{
    const bool isText = m_draft->kind() == json::Kind::String && !m_context->isPlaceholder(m_draft->value());
    return isText ? tr("Not a number; will be sent as a string") : QString();
}

void NumberEditor::write()
{
    const QString text = m_edit->text().trimmed();
    if (const QStringList lines = linesOf(text); lines.size() > 1 && m_draft->isItem()) {
        Q_EMIT linesEntered(lines);
        return;
    }
    m_context->history.noteTyping(m_draft.get());
    if (text.isEmpty())
        writeNothing();
    else
        m_draft->assign(jsonOf(text));
    m_edit->setPlaceholderText(placeholder());
    Q_EMIT edited();
}

}  // namespace sonde::ui
