// SPDX-License-Identifier: Apache-2.0
#include "ui/form/placeeditor.h"

#include "core/json/builder.h"
#include "ui/form/hints.h"
#include "ui/form/inputs.h"
#include "ui/form/jsoneditor.h"
#include "ui/theme/theme.h"
#include "ui/theme/widgets.h"

#include <QPlainTextEdit>
#include <QVBoxLayout>

namespace sonde::ui {

namespace {

constexpr qsizetype LongText = qsizetype(128) * 1024;

}  // namespace

PlaceEditor::PlaceEditor(FormContext *context, const Draft::Ptr &draft, const Shape &shape, QWidget *parent)
    : Editor(context, draft, shape, parent), m_json(new JsonEditor), m_heldBack(new FlatButton({}))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    if (shape.isTooLarge) {
        auto *reason = new TextLabel(tr("The schema is too large for form fields. Edit this value as JSON."), this);
        reason->setFont(smallFont());
        reason->setWordWrap(true);
        reason->setDim(true);
        reason->setObjectName(QLatin1String("tooLarge"));
        column->addWidget(reason);
    }
    column->addWidget(m_json);
    column->addWidget(m_heldBack, 0, Qt::AlignLeft);
    const bool wantsRoom = shape.kind != Shape::Kind::AnyJson || shape.type == QLatin1String("object");
    m_json->setGrowing(wantsRoom ? 2 : 1, 16);
    m_json->setProblemShown(false);  // the field has a place for it
    m_json->setReadLater();
    m_heldBack->setFramed(true);
    show(false);
    connect(m_json, &JsonEditor::changed, this, &PlaceEditor::write);
    connect(m_json, &JsonEditor::submitted, m_context, &FormContext::submitted);
    connect(m_heldBack, &FlatButton::clicked, this, [this] { show(true); });
}

void PlaceEditor::show(bool evenIfLong)
{
    m_loading = true;
    const qsizetype size = m_draft->size();
    const bool isHeldBack = size > LongText && !evenIfLong;
    m_heldBack->setText(tr("%1 of JSON, unchanged. Show and edit").arg(locale().formattedDataSize(size)));
    m_heldBack->setAccessibleName(m_heldBack->text());
    m_heldBack->setVisible(isHeldBack);
    m_json->setVisible(!isHeldBack);
    if (!isHeldBack) {
        const json::Value value = m_draft->value();
        m_json->setJson(value.isContainer() && !value.isEmpty() ? json::indented(value) : m_draft->bytes());
    }
    m_json->setPlaceholder(placeholder());
    m_loading = false;
    hideSecret();
}

QWidget *PlaceEditor::control() const
{
    return m_json->edit();
}

void PlaceEditor::setWrong(bool wrong)
{
    m_json->setWrong(wrong);
}

void PlaceEditor::rename(const QString &pointer)
{
    Editor::rename(pointer);
    m_heldBack->setObjectName(QLatin1String("show:") + pointer);
}

QString PlaceEditor::problem() const
{
    return m_problem;
}

void PlaceEditor::write()
{
    if (m_loading)
        return;
    m_context->history.noteTyping(m_draft.get());
    const bool wasDeferred = m_isDeferred;
    m_isDeferred = m_json->isPending();
    if (m_isDeferred)
        m_context->defer(this);
    else
        take();
    Q_EMIT edited();
    if (wasDeferred && !m_isDeferred)
        Q_EMIT m_context->prepared();
}

bool PlaceEditor::isPrepared() const
{
    return !m_json->isPending();
}

void PlaceEditor::settle()
{
    m_isDeferred = false;
    m_loading = true;
    m_json->finish();
    m_loading = false;
    take();
}

void PlaceEditor::take()
{
    const QByteArray text = m_json->json();
    m_problem.clear();
    if (QByteArrayView(text).trimmed().isEmpty()) {
        writeNothing();
    } else {
        // Invalid JSON cannot be part of a message, but the typed text is not dropped either.
        m_draft->assign(m_json->plainValue().document().text());
        if (!m_json->isValidJson())
            m_problem = tr("Not JSON; will be sent as a string: %1").arg(m_json->problem());
    }
    m_json->setPlaceholder(placeholder());
    hideSecret();
}

// What is not JSON while it is typed stays hidden where it was.
void PlaceEditor::hideSecret()
{
    if (looksSecret(m_draft->name(), m_shape) && m_json->isValidJson())
        m_json->setSecrets({m_json->document().root()});
}

}  // namespace sonde::ui
