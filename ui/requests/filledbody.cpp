// SPDX-License-Identifier: Apache-2.0
#include "ui/requests/filledbody.h"

#include "ui/form/issuetext.h"
#include "ui/form/schemaform.h"

using namespace Qt::StringLiterals;

namespace sonde::ui {

FilledBody::FilledBody(QWidget *parent) : RequestBody(parent), m_form(new SchemaForm(this))
{
    m_form->setObjectName(u"requestForm"_s);
    m_form->setForPerson();
    connect(m_form, &SchemaForm::changed, this, &RequestBody::changed);
    connect(m_form, &SchemaForm::issuesChanged, this, &RequestBody::changed);
    connect(m_form, &SchemaForm::submitted, this, &RequestBody::submitted);
}

void FilledBody::setSchema(const json::Value &schema)
{
    m_schema = schema;
    m_form->setSchema(schema);
    m_form->fillDefaults();
}

QString FilledBody::problem() const
{
    const QList<FormIssue> issues = m_form->issues();
    return issues.isEmpty() ? QString() : issueText(issues.first().words, issues.first().message);
}

void FilledBody::showProblem()
{
    m_form->markSubmitted();
    if (const QList<FormIssue> issues = m_form->issues(); !issues.isEmpty())
        m_form->focusPlace(issues.first().place);
}

void FilledBody::focusFirst()
{
    m_form->focusFirstField();
}

void FilledBody::resizeEvent(QResizeEvent *event)
{
    RequestBody::resizeEvent(event);
    if (!m_form->isBegun() && !m_form->focusedPlace())
        m_form->showFirstField();
}

QByteArray FilledBody::draft() const
{
    return m_form->value();
}

void FilledBody::applyPreset(const QByteArray &value)
{
    if (value.isEmpty())
        setSchema(m_schema);
    else
        m_form->setValue(json::parse(value));
    Q_EMIT changed();
}

}  // namespace sonde::ui
