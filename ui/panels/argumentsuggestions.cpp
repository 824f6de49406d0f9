// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/argumentsuggestions.h"

#include "core/connection/connection.h"
#include "core/protocol/numbertext.h"
#include "core/protocol/visibletext.h"
#include "ui/form/abbreviatedruns.h"
#include "ui/form/inputs.h"
#include "ui/form/schemaform.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QCompleter>
#include <QShortcut>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr qsizetype MaxShownLength = 120;
constexpr int ValueRole = Qt::UserRole;

ArgumentCompletion::Reference referenceOf(const OfferRef &ref)
{
    using Kind = ArgumentCompletion::Reference::Kind;
    return {ref.kind == OfferRef::Kind::Prompt ? Kind::Prompt : Kind::ResourceTemplate, ref.key};
}

}  // namespace

bool ArgumentSuggestions::isFor(const OfferRef &ref)
{
    return ref.kind == OfferRef::Kind::Prompt || ref.kind == OfferRef::Kind::Template;
}

ArgumentSuggestions::ArgumentSuggestions(const OfferRef &ref, Connection *connection, SchemaForm *form)
    : QObject(form),
      m_form(form),
      m_completion(connection, referenceOf(ref)),
      m_completer(new QCompleter(&m_values, this))
{
    m_completer->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
    m_completer->popup()->setObjectName(u"suggestions"_s);
    connect(m_completer, qOverload<const QModelIndex &>(&QCompleter::activated), this, &ArgumentSuggestions::take);
    connect(form, &SchemaForm::changed, this, [this] { ask(true); });
    connect(&m_completion, &ArgumentCompletion::suggested, this, &ArgumentSuggestions::show);
    auto *shortcut = new QShortcut(Qt::CTRL | Qt::Key_Space, form);
    shortcut->setContext(Qt::WidgetWithChildrenShortcut);
    connect(shortcut, &QShortcut::activated, this, [this] { ask(false); });
}

GrowingTextEdit *ArgumentSuggestions::edit() const
{
    auto *edit = qobject_cast<GrowingTextEdit *>(QApplication::focusWidget());
    return edit && m_form->isAncestorOf(edit) ? edit : nullptr;
}

QString ArgumentSuggestions::argument() const
{
    const std::optional<json::Pointer> place = m_form->focusedPlace();
    return place && !place->tokens().isEmpty() ? place->tokens().constFirst() : QString();
}

void ArgumentSuggestions::ask(bool isTyped)
{
    const GrowingTextEdit *at = edit();
    const QString name = argument();
    drop();
    if (!at || at->runs()->isShortened() || name.isEmpty() || !isOffered())
        return;
    const QString text = at->text();
    if (!isTyped)
        m_completion.completeNow(name, text, m_form->value());
    else if (text != m_taken)
        m_completion.complete(name, text, m_form->value());
    m_taken.clear();
}

void ArgumentSuggestions::drop()
{
    m_completer->popup()->hide();
    m_completion.stop();
}

void ArgumentSuggestions::show(const ArgumentCompletion::Suggestions &suggestions)
{
    GrowingTextEdit *at = edit();
    if (!at || argument() != suggestions.argument || at->text() != suggestions.text)
        return;  // the person has gone on
    const bool isOnlyTheText = suggestions.values == QStringList{suggestions.text};
    m_values.clear();
    for (const QString &value : suggestions.values) {
        if (!GrowingTextEdit::canHold(value))
            continue;
        auto *item = new QStandardItem(visibleLine(value, MaxShownLength));
        item->setData(value, ValueRole);
        m_values.appendRow(item);
    }
    if (m_values.rowCount() == 0 || isOnlyTheText)
        return;
    const qint64 left = suggestions.total.value_or(0) - suggestions.values.size();
    if (suggestions.hasMore || left > 0) {
        auto *item = new QStandardItem(left > 0 ? tr("%1 more; type to narrow the list").arg(grouped(left))
                                                : tr("More; type to narrow the list"));
        item->setFlags(Qt::NoItemFlags);
        m_values.appendRow(item);
    }
    m_completer->setWidget(at);
    m_completer->complete(at->rect());
}

void ArgumentSuggestions::take(const QModelIndex &index)
{
    auto *at = qobject_cast<GrowingTextEdit *>(m_completer->widget());
    const QVariant value = index.data(ValueRole);
    if (!at || !value.isValid())
        return;
    m_taken = value.toString();
    at->replaceAll(m_taken);
}

}  // namespace sonde::ui
