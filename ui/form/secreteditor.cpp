// SPDX-License-Identifier: Apache-2.0
#include "ui/form/secreteditor.h"

#include "core/json/builder.h"
#include "ui/form/inputs.h"
#include "ui/theme/lineinput.h"
#include "ui/theme/widgets.h"

#include <QLineEdit>
#include <QVBoxLayout>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::ui {

SecretEditor::SecretEditor(FormContext *context, const Draft::Ptr &draft, const Shape &shape, QWidget *parent)
    : Editor(context, draft, shape, parent),
      m_edit(new LineInput),
      m_box(new InputBox(m_edit)),
      m_reveal(new FlatButton({}))
{
    m_edit->setEchoMode(QLineEdit::Password);
    m_reveal->setIcon(icon(u"eye"_s));
    m_reveal->setCheckable(true);
    m_reveal->setAccessibleName(tr("Show secret"));
    m_reveal->setToolTip(tr("Show secret"));
    m_reveal->setFocusPolicy(Qt::ClickFocus);
    m_box->addTrailing(m_reveal);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_box);
    load();
    connect(m_edit, &QLineEdit::textEdited, this, &SecretEditor::write);
    connect(m_reveal, &FlatButton::toggled, this,
            [this](bool on) { m_edit->setEchoMode(on ? QLineEdit::Normal : QLineEdit::Password); });
    // What is typed next goes on with the secret.
    connect(m_reveal, &FlatButton::clicked, m_edit, qOverload<>(&QWidget::setFocus));
}

bool SecretEditor::canHold(const Draft::Ptr &draft)
{
    const QString text = draft->value().string();
    return LineInput::canHold(text) && std::all_of(text.begin(), text.end(), [](QChar c) { return c.isPrint(); });
}

void SecretEditor::load()
{
    const QString text = m_draft->value().string();
    if (m_edit->text() != text)
        m_edit->setText(text);
    m_edit->setPlaceholderText(m_draft->kind() == json::Kind::String ? tr("empty string") : placeholder());
}

QWidget *SecretEditor::control() const
{
    return m_edit;
}

void SecretEditor::setWrong(bool wrong)
{
    m_box->setWrong(wrong);
}

void SecretEditor::rename(const QString &pointer)
{
    Editor::rename(pointer);
    m_reveal->setObjectName("reveal:"_L1 + pointer);
}

void SecretEditor::write()
{
    m_context->history.noteTyping(m_draft.get());
    m_draft->assign(json::quoted(m_edit->text()));
    m_edit->setPlaceholderText(tr("empty string"));
    Q_EMIT edited();
}

}  // namespace sonde::ui
