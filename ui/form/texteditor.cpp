// SPDX-License-Identifier: Apache-2.0
#include "ui/form/texteditor.h"

#include "core/json/builder.h"
#include "core/protocol/worker.h"
#include "ui/form/abbreviatedruns.h"
#include "ui/form/hints.h"
#include "ui/form/inputs.h"
#include "ui/form/textcolors.h"
#include "ui/theme/theme.h"
#include "ui/theme/widgets.h"

#include <QScopedValueRollback>
#include <QVBoxLayout>
#include <optional>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr qsizetype MaxTextBytes = qsizetype(4) * 1024 * 1024;  // more is not read without being asked for

}  // namespace

TextEditor::TextEditor(FormContext *context, const Draft::Ptr &draft, const Shape &shape, const QString &label,
                       QWidget *parent)
    : Editor(context, draft, shape, parent),
      m_edit(new GrowingTextEdit),
      m_box(new InputBox(m_edit)),
      m_column(new QVBoxLayout(this))
{
    const TextLanguage language = languageOf(shape);
    const bool many = language != TextLanguage::None || wantsManyLines(label, shape);
    m_edit->setSingleLine(!many);
    m_edit->setLines(many ? 3 : 1, 12);
    if (many)
        m_edit->setFont(monoFont());
    addColors(m_edit, language);
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(3);
    m_column->addWidget(m_box);
    load();
    m_edit->setLinesOffered(!many && draft->isItem());
    connect(m_edit, &GrowingTextEdit::textChanged, this, &TextEditor::write);
    connect(m_edit, &GrowingTextEdit::linesPasted, this, &Editor::linesEntered);
    connect(m_edit->runs(), &AbbreviatedRuns::prepared, m_context, &FormContext::prepared);
    if (looksSecret(label, shape)) {
        m_reveal = makeRevealButton();
        addTrailing(m_reveal);
        m_edit->setSecret();
        m_edit->setInputMethodHints(Qt::ImhHiddenText | Qt::ImhSensitiveData | Qt::ImhNoPredictiveText |
                                    Qt::ImhNoAutoUppercase | Qt::ImhMultiLine);
        connect(m_reveal, &FlatButton::toggled, m_edit, [this](bool on) { m_edit->setConcealing(!on); });
        connect(m_reveal, &FlatButton::clicked, m_edit, qOverload<>(&QWidget::setFocus));
    }
}

bool TextEditor::canHold(const Draft::Ptr &draft)
{
    return draft->kind() != json::Kind::String ||
           (draft->size() <= MaxTextBytes && GrowingTextEdit::canHold(draft->value().string()));
}

bool TextEditor::canHoldLong(const Draft::Ptr &draft)
{
    return draft->kind() == json::Kind::String && !draft->bytes().contains('\\');
}

// Shown in part, like a file that is loaded.
void TextEditor::loadLong()
{
    m_edit->setReadOnly(true);
    m_edit->setPlaceholder(tr("Loading…"));
    using Read = std::pair<QString, bool>;
    m_reading = runOnWorker(
        this,
        [json = m_draft->bytes()] {
            const QString text = QString::fromUtf8(json.sliced(1, json.size() - 2));
            return Read(text, GrowingTextEdit::canHold(text));
        },
        [this](const std::optional<Read> &read) {
            if (!read)
                return;
            showText(read->first);
            m_edit->setReadOnly(!read->second);
        });
}

void TextEditor::load()
{
    if (m_draft->size() > MaxTextBytes)
        return loadLong();
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

bool TextEditor::reload()
{
    const bool isPlain = !m_edit->runs()->isShortened() && m_draft->size() <= MaxTextBytes && canHold(m_draft);
    if (m_reading || !isPlain || (m_draft->isPresent() && m_draft->kind() != json::Kind::String))
        return false;
    load();
    return true;
}

QWidget *TextEditor::control() const
{
    return m_edit;
}

void TextEditor::setWrong(bool wrong)
{
    m_box->setWrong(wrong);
}

void TextEditor::rename(const QString &pointer)
{
    Editor::rename(pointer);
    if (m_reveal)
        m_reveal->setObjectName("reveal:"_L1 + pointer);
}

void TextEditor::addTrailing(FlatButton *button)
{
    m_box->addTrailing(button);
}

void TextEditor::addBelow(QWidget *widget)
{
    m_column->addWidget(widget);
}

// A change of the font is announced, too: then nobody has entered anything.
bool TextEditor::isAsLoaded() const
{
    const bool isString = m_draft->kind() == json::Kind::String;
    return !m_edit->runs()->isShortened() && (isString || m_edit->document()->isEmpty()) &&
           m_edit->text() == m_draft->value().string();
}

void TextEditor::write()
{
    if (m_loading || isAsLoaded())
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

void TextEditor::replaceText(const QString &text, const QByteArray &json)
{
    m_context->settle();  // what was typed before is the step before
    delete m_reading;
    showText(text);
    m_draft->assign(json);
    Q_EMIT edited();
}

void TextEditor::showText(const QString &text)
{
    const QScopedValueRollback<bool> loading(m_loading, true);
    QTextCursor all(m_edit->document());
    all.select(QTextCursor::Document);
    m_edit->runs()->insert(&all, text, AbbreviatedRuns::Extent::Beginning);
    m_edit->moveCursor(QTextCursor::End);
    m_edit->setPlaceholder(tr("empty string"));
    m_edit->setReadOnly(false);
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
