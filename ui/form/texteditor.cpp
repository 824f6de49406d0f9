// SPDX-License-Identifier: Apache-2.0
#include "ui/form/texteditor.h"

#include "core/json/builder.h"
#include "ui/form/abbreviatedruns.h"
#include "ui/form/hints.h"
#include "ui/form/inputs.h"
#include "ui/theme/theme.h"

#include <QVBoxLayout>

namespace sonde::ui {

namespace {

constexpr qsizetype MaxTextBytes = qsizetype(4) * 1024 * 1024;  // more is not read without being asked for

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
    m_edit->setLinesOffered(!many && draft->isItem());
    connect(m_edit, &GrowingTextEdit::textChanged, this, &TextEditor::write);
    connect(m_edit, &GrowingTextEdit::linesPasted, this, &Editor::linesEntered);
    connect(m_edit->runs(), &AbbreviatedRuns::prepared, m_context, &FormContext::prepared);
}

bool TextEditor::canHold(const Draft::Ptr &draft)
{
    const json::Value value = draft->value();
    if (!value.isString())
        return true;
    return value.slice().size() <= MaxTextBytes && GrowingTextEdit::canHold(value.string());
}

void TextEditor::load()
{
    m_loading = true;
    const QString text = m_draft->value().string();
    if (m_edit->text() != text) {
        m_edit->setText(text);
        m_edit->moveCursor(QTextCursor::End);
        if (m_edit->runs()->isShortened())
            m_edit->runs()->prepare();
    }
    m_edit->setPlaceholder(m_draft->kind() == json::Kind::String ? tr("empty string") : placeholder());
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
    m_edit->setPlaceholder(tr("empty string"));
    m_context->history.noteTyping(m_draft.get());
    if (m_edit->runs()->isShortened()) {
        if (m_draft->kind() != json::Kind::String)
            m_draft->assign("\"\"");
        m_context->defer(this);
        m_edit->runs()->prepare();
    } else {
        m_draft->assign(json::quoted(m_edit->text()));
    }
    Q_EMIT edited();
}

bool TextEditor::isPrepared() const
{
    return !m_edit->runs()->isShortened() || m_edit->runs()->isPrepared();
}

void TextEditor::settle()
{
    m_draft->assign(m_edit->runs()->quoted());
}

}  // namespace sonde::ui
