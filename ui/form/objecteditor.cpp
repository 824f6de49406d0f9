// SPDX-License-Identifier: Apache-2.0
#include "ui/form/objecteditor.h"

#include "core/protocol/visibletext.h"
#include "ui/form/field.h"
#include "ui/form/hints.h"
#include "ui/form/inputs.h"
#include "ui/form/memberrow.h"
#include "ui/theme/widgets.h"

#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace sonde::ui {

ObjectEditor::ObjectEditor(FormContext *context, const Draft::Ptr &draft, const Shape &shape, QWidget *parent,
                           const QString &hidden)
    : Editor(context, draft, shape, parent),
      m_names(shape.propertyNames()),
      m_hidden(hidden),
      m_column(new QVBoxLayout(this)),
      m_fieldColumn(new QVBoxLayout),
      m_rowColumn(new QVBoxLayout),
      m_more(new FlatButton({})),
      m_add(new FlatButton({})),
      m_rowsTitle(new TextLabel)
{
    m_draft->setOrder(m_names);
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(Grid);
    m_fieldColumn->setSpacing(Grid + Grid / 2);
    m_rowColumn->setSpacing(Grid / 2);
    m_column->addLayout(m_fieldColumn);
    m_more->setFramed(true);
    m_column->addWidget(m_more, 0, Qt::AlignLeft);
    m_rowsTitle->setFont(smallFont());
    m_rowsTitle->setDim(true);
    m_column->addWidget(m_rowsTitle);
    m_column->addLayout(m_rowColumn);
    m_add->setFramed(true);
    m_add->setIcon(icon(u"plus"_s));
    m_add->setText(tr("add member"));
    m_column->addWidget(m_add, 0, Qt::AlignLeft);

    // An object that declares nothing and is not closed takes anything.
    m_add->setVisible(shape.isMap() || (m_names.isEmpty() && !shape.isClosed()));
    m_rowsTitle->setText(m_names.isEmpty() ? QString() : tr("Members that the schema does not name"));
    m_rowsTitle->hide();
    drawPage();
    const QList<Draft::Ptr> members = m_draft->members();
    for (const Draft::Ptr &member : members) {
        if (!isDeclared(member->name()) || m_draft->existingMember(member->name()) != member)
            addRow(member);
    }
    if (m_names.isEmpty() && shape.isClosed() && m_rows.isEmpty() && m_draft->parent()) {
        m_rowsTitle->setText(tr("An empty object: it has no members."));
        m_rowsTitle->show();
    }
    connect(m_more, &FlatButton::clicked, this, &ObjectEditor::drawPage);
    connect(m_add, &FlatButton::clicked, this, &ObjectEditor::appendMember);
}

void ObjectEditor::drawPage()
{
    const qsizetype end = qMin(m_names.size(), m_drawn + FormContext::PageSize);
    for (; m_drawn < end; ++m_drawn) {
        const QString name = m_names.at(m_drawn);
        const Draft::Ptr member = m_draft->member(name);
        if (name == m_hidden && (member->isPresent() || !m_draft->isPresent()))
            continue;
        auto *field = new Field(
            m_context,
            {member, m_context->reader.property(m_shape, name), name, Field::Role::Member, m_shape.isRequired(name)},
            this);
        m_fields.append(field);
        m_fieldColumn->addWidget(field);
    }
    const qsizetype left = m_names.size() - m_drawn;
    m_more->setVisible(left > 0);
    m_more->setText(tr("Show %1 more of %2 fields").arg(qMin(left, qsizetype(FormContext::PageSize))).arg(left));
    m_more->setAccessibleName(m_more->text());
    Q_EMIT m_context->built();
}

void ObjectEditor::addRow(const Draft::Ptr &member)
{
    auto *row = new MemberRow(m_context, member, m_context->reader.extraMember(m_shape, member->name()), this);
    m_rows.append(row);
    m_rowColumn->addWidget(row);
    m_rowsTitle->setVisible(!m_rowsTitle->text().isEmpty());
    connect(row, &MemberRow::removed, this, [this, row] { removeRow(row); });
}

void ObjectEditor::appendMember()
{
    const Shape shape = m_context->reader.extraMember(m_shape, {});
    const Draft::Ptr member = m_draft->appendMember({}, m_context->reader.starting(shape));
    addRow(member);
    Q_EMIT edited();
    Q_EMIT m_context->built();
    m_rows.constLast()->focusKey();
}

void ObjectEditor::removeRow(MemberRow *row)
{
    m_rows.removeOne(row);
    m_draft->remove(row->draft());
    row->hide();
    row->deleteLater();
    m_rowsTitle->setVisible(!m_rows.isEmpty() && !m_rowsTitle->text().isEmpty());
    Q_EMIT edited();
}

QWidget *ObjectEditor::control() const
{
    if (!m_fields.isEmpty() && m_fields.constFirst()->editor())
        return m_fields.constFirst()->editor()->control();
    return m_add;
}

QList<Field *> ObjectEditor::fields() const
{
    QList<Field *> all = m_fields;
    for (const MemberRow *row : m_rows)
        all.append(row->field());
    return all;
}

Field *ObjectEditor::reveal(const QString &token)
{
    const qsizetype index = m_names.indexOf(token);
    while (index >= m_drawn)
        drawPage();
    const QList<Field *> all = fields();
    for (auto field = all.crbegin(); field != all.crend(); ++field) {
        if ((*field)->draft()->name() == token)
            return *field;
    }
    return nullptr;
}

void ObjectEditor::rename(const QString &pointer)
{
    m_add->setObjectName("add:"_L1 + pointer);
    m_add->setAccessibleName(tr("Add a member"));
    m_more->setObjectName("more-fields:"_L1 + pointer);
    m_rowsTitle->setObjectName("rows:"_L1 + pointer);
    const QString name = singular(pointer.section(u'/', -1));
    if (!name.isEmpty())
        m_add->setText(tr("add %1").arg(visibleLine(name, 40)));
    for (MemberRow *row : std::as_const(m_rows))
        row->rename();
}

void ObjectEditor::becamePresent()
{
    for (const QString &name : std::as_const(m_names)) {
        const Draft::Ptr member = m_draft->member(name);
        if (member->isPresent() || !m_shape.isRequired(name))
            continue;
        const Shape shape = m_context->reader.property(m_shape, name);
        if (shape.kind != Shape::Kind::Constant)
            continue;
        member->assign(shape.choices.constFirst().json);
        for (Field *field : std::as_const(m_fields)) {
            if (field->draft() == member)
                field->refresh();
        }
    }
}

}  // namespace sonde::ui
