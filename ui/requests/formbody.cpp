// SPDX-License-Identifier: Apache-2.0
#include "ui/requests/formbody.h"

#include "core/json/builder.h"
#include "core/protocol/visibletext.h"
#include "core/redact/secretnames.h"
#include "ui/form/schemaform.h"
#include "ui/panels/collapsibletext.h"
#include "ui/theme/widgets.h"

#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr qsizetype MaxNamed = 3;
constexpr qsizetype MaxLookedAt = 1000;  // names of a schema

// Forms must not ask for secrets; a server that does gets a warning above its form.
QStringList secretFields(const json::Value &schema)
{
    QStringList names;
    qsizetype looked = 0;
    for (const json::Value &property : schema[u"properties"]) {
        if (++looked > MaxLookedAt || names.size() == MaxNamed)
            break;
        if (isSecretName(property.key()) || property[u"format"].string() == u"password")
            names.append(u"“%1”"_s.arg(visibleLine(property.key(), 40)));
    }
    return names;
}

}  // namespace

FormBody::FormBody(const json::Value &params, QWidget *parent) : FilledBody(parent)
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    auto *head = new QWidget;
    auto *lines = new QVBoxLayout(head);
    lines->setContentsMargins(0, 0, 0, 0);
    lines->setSpacing(Grid);
    auto *message = new CollapsibleText;
    message->setObjectName(u"requestMessage"_s);
    message->setDim(false);
    lines->addWidget(message);
    message->setServerText(params[u"message"].string());
    if (const QStringList secrets = secretFields(params[u"requestedSchema"]); !secrets.isEmpty()) {
        auto *warning = new TextLabel(tr("%1 %2 looks like a secret. A server must not ask for secrets in a form.")
                                          .arg(sign(Tone::ToolError), secrets.join(u", "_s)));
        warning->setObjectName(u"secretWarning"_s);
        warning->setTone(Tone::ToolError);
        warning->setWordWrap(true);
        warning->setMinimumWidth(40);
        lines->addWidget(warning);
    }
    m_form->setEmptyText(tr("This form has no fields."));
    setSchema(params[u"requestedSchema"]);
    m_form->setHeader(head);
    column->addWidget(m_form);
}

QString FormBody::kindName() const
{
    return tr("elicitation");
}

QString FormBody::acceptText() const
{
    return tr("Accept");
}

QByteArray FormBody::result() const
{
    json::Builder builder;
    builder.beginObject().member(u"action", u"accept").rawMember(u"content", m_form->value());
    return builder.endObject().take();
}

QList<RequestPreset> FormBody::presets() const
{
    return {{tr("Defaults"), {}}};
}

}  // namespace sonde::ui
