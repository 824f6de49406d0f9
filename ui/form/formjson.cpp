// SPDX-License-Identifier: Apache-2.0
#include "ui/form/formjson.h"

#include "core/json/builder.h"
#include "core/protocol/worker.h"
#include "ui/form/patchedtext.h"
#include "ui/form/schemaform.h"

#include <QEvent>
#include <QPlainTextEdit>
#include <QScopedValueRollback>
#include <optional>

namespace sonde::ui {

FormJson::FormJson(SchemaForm *form, JsonEditor *text, QObject *parent) : QObject(parent), m_form(form), m_text(text)
{
    text->setEmptyMeans("{}");
    text->setHistoryElsewhere();
    text->setReadLater();
    text->setSecretFinder([form] { return form->secretFinder(); });
    text->edit()->installEventFilter(this);
    text->edit()->viewport()->installEventFilter(this);
    connect(form, &SchemaForm::changed, this, &FormJson::formChanged);
    connect(form, &SchemaForm::prepared, this, [this] {
        if (m_state == Text::Behind && m_isTextShown)
            showValue();
    });
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

void FormJson::typeText(const QByteArray &json)
{
    (void)finish();
    m_text->changeJson(json);
    m_state = Text::Same;
    take();
    Q_EMIT changed();
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
    if (text && m_state == Text::Behind)
        show(makeShown()());
}

bool FormJson::isObject() const
{
    return m_state != Text::Same || (m_text->isValidJson() && m_text->document().root().isObject());
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
    if (isDue()) {
        delete m_worker;
        show(makeShown()());
    }
    return isObject();
}

void FormJson::formChanged()
{
    if (m_isTaking)
        return;
    m_isFormBehind = false;
    m_form->setEditedText(std::nullopt);
    m_state = isFollowing() ? Text::Outdated : Text::Behind;
    if (m_isTextShown && m_state == Text::Behind)
        showValue();
    Q_EMIT changed();
}

void FormJson::showValue()
{
    constexpr qsizetype followedAtOnce = qsizetype(32) * 1024;
    const bool isLong = qMax(m_form->valueSize(), m_text->json().size()) > followedAtOnce;
    // What is typed next would be typed into the text before.
    if (isLong && !m_text->edit()->hasFocus())
        showLater();
    else
        show(makeShown()());
}

void FormJson::showLater()
{
    if (!m_form->isPrepared())
        return;
    m_state = Text::Following;
    m_worker = runOnWorker(this, makeShown(), [this](const std::optional<Shown> &shown) {
        if (m_state == Text::Outdated) {
            m_state = Text::Behind;
            showValue();
        } else if (shown) {
            show(*shown);
            Q_EMIT changed();
        }
    });
}

std::function<FormJson::Shown()> FormJson::makeShown() const
{
    return [written = m_form->text(), shown = m_text->json(), late = m_form->lateValue(), before = m_value,
            findSecrets = m_form->secretFinder()] {
        QByteArray text = written;
        const QByteArray value = late();
        const bool isStepTo = !text.isNull() && text != shown;
        const QByteArray usual = text.trimmed().isEmpty() ? QByteArrayLiteral("{}") : text;
        const json::Document former = json::Document::parse(usual);
        const bool isObject = former.isValid() && former.root().isObject();
        if (isObject && json::compact(former.root()) != value)
            text = patchedText(former, json::parse(value));
        else if (text.isNull() || (!isObject && !isStepTo && value != before))
            text = value == "{}" ? value : json::indented(json::parse(value));
        return Shown{value, JsonEditor::change(shown, text, QByteArrayLiteral("{}"), findSecrets)};
    };
}

void FormJson::show(const Shown &shown)
{
    m_state = Text::Same;
    m_value = shown.value;
    m_form->followText(shown.change.json);
    if (shown.change.json != m_text->json())
        m_text->changeJson(shown.change);
    else
        m_text->showSecrets(shown.change.reading.secrets);  // the schema may be another one
}

// Nothing is typed into a text that is about to follow.
bool FormJson::eventFilter(QObject *watched, QEvent *event)
{
    if (isDue() && (event->type() == QEvent::FocusIn || event->type() == QEvent::DragEnter)) {
        (void)finish();
        Q_EMIT changed();
    }
    return QObject::eventFilter(watched, event);
}

void FormJson::onTextChanged()
{
    constexpr qsizetype alwaysFollowed = qsizetype(128) * 1024;
    // Coloured anew where the palette changed: nobody edits a text that is not shown.
    if (m_state != Text::Same)
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
    // What is no object would be sent, and the form cannot have it.
    const bool isOther = !isObject() && m_text->isValidJson();
    m_form->setEditedText(isOther ? std::optional(m_text->document().text()) : std::nullopt);
    const json::Value value = isObject() ? m_text->plainValue() : json::Value();
    m_form->typeText(m_text->json(), value);
    m_value = value.exists() ? value.document().text() : m_form->value();
}

}  // namespace sonde::ui
