// SPDX-License-Identifier: Apache-2.0
#include "ui/form/texteditor.h"

#include "core/json/builder.h"
#include "ui/form/hints.h"
#include "ui/form/inputs.h"
#include "ui/theme/theme.h"

#include <QVBoxLayout>

namespace sonde::ui {

namespace {

constexpr qsizetype LongText = qsizetype(64) * 1024;  // beyond, a text box takes seconds to lay out one line

}  // namespace

TextEditor::TextEditor(FormContext *context, const Draft::Ptr &draft, const Shape &shape, const QString &label,
                       QWidget *parent)
    : Editor(context, draft, shape, parent), m_edit(new GrowingTextEdit), m_box(new InputBox(m_edit))
{
    const bool many = wantsManyLines(label, shape);
    m_edit->setSingleLine(!many);
    m_edit->setLines(many ? 3 : 1, 12);
    if (many)
        m_edit->setFont(monoFont());
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_box);
    load();
    connect(m_edit, &GrowingTextEdit::textChanged, this, &TextEditor::write);
}

bool TextEditor::canHold(const Draft::Ptr &draft)
{
    const json::Value value = draft->value();
    if (!value.isString())
        return true;
    return value.slice().size() <= LongText && GrowingTextEdit::canHold(value.string());
}

void TextEditor::load()
{
    m_loading = true;
    const QString text = m_draft->value().string();
    if (m_edit->text() != text) {
        m_edit->setPlainText(text);
        m_edit->moveCursor(QTextCursor::End);
    }
    m_edit->setPlaceholder(m_draft->kind() == json::Kind::String ? tr("empty text") : placeholder());
    m_loading = false;
}

QWidget *TextEditor::control() const
{
    return m_edit;
}

void TextEditor::setWrong(bool wrong)
{
    m_box->setWrong(wrong);
}

void TextEditor::write()
{
    if (m_loading)
        return;
    m_draft->assign(json::quoted(m_edit->text()));
    m_edit->setPlaceholder(tr("empty text"));
    Q_EMIT edited();
}

}  // namespace sonde::ui
