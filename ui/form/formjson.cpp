// SPDX-License-Identifier: Apache-2.0
#include "ui/form/formjson.h"

#include "core/json/builder.h"
#include "ui/form/jsoneditor.h"
#include "ui/form/patchedtext.h"
#include "ui/form/schemaform.h"

#include <QScopedValueRollback>

namespace sonde::ui {

FormJson::FormJson(SchemaForm *form, JsonEditor *text, QObject *parent) : QObject(parent), m_form(form), m_text(text)
{
    text->setEmptyMeans("{}");
    text->setHistoryElsewhere();
    text->setReadLater();
    connect(form, &SchemaForm::changed, this, &FormJson::formChanged);
    connect(text, &JsonEditor::changed, this, &FormJson::onTextChanged);
    connect(text, &JsonEditor::undoRequested, this, [this] {
        (void)finish();
        m_form->undo();
    });
    connect(text, &JsonEditor::redoRequested, this, [this] {
        (void)finish();
        m_form->redo();
    });
}

void FormJson::setValue(const QByteArray &json)
{
    (void)finish();
    m_form->setValue(json::parse(json));
    formChanged();
}

void FormJson::clear()
{
    (void)finish();
    m_form->clear();
    formChanged();
}

void FormJson::setShown(bool form, bool text)
{
    m_isFormShown = form;
    m_isTextShown = text;
    if (form && m_isFormBehind)
        take();
    if (text && m_isTextBehind)
        showValue();
}

bool FormJson::isObject() const
{
    return m_isTextBehind || (m_text->isValidJson() && m_text->document().root().isObject());
}

bool FormJson::isReading() const
{
    return m_text->isPending();
}

bool FormJson::finish()
{
    m_text->finish();
    if (m_isFormBehind)
        take();
    return isObject();
}

void FormJson::formChanged()
{
    if (m_isTaking)
        return;
    m_isFormBehind = false;
    m_isTextBehind = true;
    if (m_isTextShown)
        showValue();
    Q_EMIT changed();
}

void FormJson::showValue()
{
    m_isTextBehind = false;
    QByteArray text = m_form->text();
    const QByteArray value = m_form->value();
    const bool isStepTo = !text.isNull() && text != m_text->json();
    const QByteArray usual = text.trimmed().isEmpty() ? QByteArrayLiteral("{}") : text;
    const json::Document former = json::Document::parse(usual);
    const bool isObject = former.isValid() && former.root().isObject();
    if (isObject && json::compact(former.root()) != value)
        text = patchedText(former, json::parse(value));
    else if (text.isNull() || (!isObject && !isStepTo && value != m_value))
        text = value == "{}" ? value : json::indented(json::parse(value));
    m_value = value;
    m_form->followText(text);
    m_text->changeJson(text);
}

void FormJson::onTextChanged()
{
    constexpr qsizetype alwaysFollowed = qsizetype(128) * 1024;
    // Coloured anew where the palette changed: nobody edits a text that is not shown.
    if (m_isTextBehind)
        return;
    if (!m_text->isPending()) {
        m_isFormBehind = true;
        if (m_isFormShown || m_text->document().text().size() <= alwaysFollowed)
            take();
        else if (isObject())
            m_form->setEditedText(m_text->document().text());
    }
    Q_EMIT changed();
}

void FormJson::take()
{
    const QScopedValueRollback<bool> taking(m_isTaking, true);
    m_isFormBehind = false;
    m_form->setEditedText(std::nullopt);
    m_form->typeText(m_text->json(), isObject() ? m_text->plainValue() : json::Value());
    m_value = m_form->value();
}

}  // namespace sonde::ui
