// SPDX-License-Identifier: Apache-2.0
#include "ui/form/secreteditor.h"

#include "core/json/builder.h"
#include "ui/form/contentencoding.h"
#include "ui/form/filecontent.h"
#include "ui/form/inputs.h"
#include "ui/theme/lineinput.h"
#include "ui/theme/widgets.h"

#include <QLineEdit>
#include <QVBoxLayout>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

// "${env:TOKEN}" says where the secret is; it is none.
QLineEdit::EchoMode echoFor(const QString &text)
{
    const bool isPlaceholder = text.startsWith("${"_L1) && text.indexOf(u'}') == text.size() - 1;
    return isPlaceholder ? QLineEdit::Normal : QLineEdit::Password;
}

}  // namespace

SecretEditor::SecretEditor(FormContext *context, const Draft::Ptr &draft, const Shape &shape, QWidget *parent)
    : Editor(context, draft, shape, parent),
      m_edit(new LineInput),
      m_box(new InputBox(m_edit)),
      m_reveal(makeRevealButton())
{
    m_edit->setEchoMode(QLineEdit::Password);
    m_box->addTrailing(m_reveal);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(3);
    column->addWidget(m_box);
    load();
    if (encodingOf(shape))
        addFileContent();
    connect(m_edit, &QLineEdit::textEdited, this, &SecretEditor::write);
    connect(m_reveal, &FlatButton::toggled, this,
            [this](bool on) { m_edit->setEchoMode(on ? QLineEdit::Normal : echoFor(m_edit->text())); });
    // What is typed next goes on with the secret.
    connect(m_reveal, &FlatButton::clicked, m_edit, qOverload<>(&QWidget::setFocus));
}

void SecretEditor::addFileContent()
{
    m_content = new FileContent(*encodingOf(m_shape), m_shape.text(u"contentMediaType"), this);
    m_box->addTrailing(m_content->button());
    layout()->addWidget(m_content);
    m_content->takeDrops(m_edit);
    m_content->setContent(m_draft->bytes());
    connect(this, &Editor::edited, m_content, [this] { m_content->setContent(m_draft->bytes()); });
    connect(m_content, &FileContent::loaded, this, [this](const QString &text, const QByteArray &json) {
        m_draft->assign(json);
        m_edit->setText(text);
        Q_EMIT edited();
    });
    connect(m_content->button(), &FlatButton::clicked, m_edit, qOverload<>(&QWidget::setFocus));
}

bool SecretEditor::canHold(const Draft::Ptr &draft)
{
    const QString text = draft->value().string();
    return !LineInput::canHold(text) || std::all_of(text.begin(), text.end(), [](QChar c) { return c.isPrint(); });
}

void SecretEditor::load()
{
    const QString text = m_draft->value().string();
    if (m_edit->text() != text)
        m_edit->setText(text);
    if (!m_reveal->isChecked())
        m_edit->setEchoMode(echoFor(text));
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
    if (m_content)
        m_content->rename(pointer);
}

void SecretEditor::write()
{
    if (!m_reveal->isChecked())
        m_edit->setEchoMode(echoFor(m_edit->text()));
    m_context->history.noteTyping(m_draft.get());
    m_draft->assign(json::quoted(m_edit->text()));
    m_edit->setPlaceholderText(tr("empty string"));
    Q_EMIT edited();
}

}  // namespace sonde::ui
