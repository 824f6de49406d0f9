// SPDX-License-Identifier: Apache-2.0
#include "ui/form/objecteditor.h"

#include "core/protocol/visibletext.h"
#include "ui/form/field.h"
#include "ui/form/fieldcolumn.h"
#include "ui/form/hints.h"
#include "ui/form/inputs.h"
#include "ui/form/memberrow.h"
#include "ui/form/stacklayouts.h"
#include "ui/theme/widgets.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::ui {

ObjectEditor::ObjectEditor(FormContext *context, const Draft::Ptr &draft, const Shape &shape, QWidget *parent,
                           const QString &hidden)
    : Editor(context, draft, shape, parent),
      m_names(shape.propertyNames()),
      m_hidden(hidden),
      m_fields(new FieldColumn(
          context, m_names.size(), [this](qsizetype index) { return makeField(index); },
          [](qsizetype next, qsizetype left) { return tr("Show %1 more of %2 fields").arg(next).arg(left); }, this)),
      m_rowBox(new QWidget(this)),
      m_add(new FlatButton({})),
      m_rowsTitle(new TextLabel)
{
    m_draft->setOrder(m_names);
    for (qsizetype i = 0; i < m_names.size(); ++i)
        m_ranks.insert(m_names.at(i), i);
    auto *column = new ColumnLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(Grid);
    m_fields->setSpacing(Grid + Grid / 2);
    m_fields->setVisible(!m_names.isEmpty());
    auto *rowColumn = new ColumnLayout(m_rowBox);
    rowColumn->setContentsMargins(0, 0, 0, 0);
    rowColumn->setSpacing(Grid / 2);
    m_rowBox->hide();
    column->addWidget(m_fields);
    m_rowsTitle->setFont(smallFont());
    m_rowsTitle->setDim(true);
    column->addWidget(m_rowsTitle);
    column->addWidget(m_rowBox);
    m_add->setFramed(true);
    m_add->setIcon(icon(u"plus"_s));
    m_add->setText(tr("add member"));
    column->addWidget(m_add, Qt::AlignLeft);

    // An object that declares nothing and is not closed takes anything.
    m_add->setVisible(shape.isMap() || (m_names.isEmpty() && !shape.isClosed()));
    m_rowsTitle->setText(m_names.isEmpty() ? QString() : tr("Members that the schema does not name"));
    m_rowsTitle->hide();
    const QList<Draft::Ptr> members = m_draft->members();
    for (const Draft::Ptr &member : members) {
        if (!isDeclared(member->name()) || m_draft->existingMember(member->name()) != member)
            addRow(member);
    }
    if (m_names.isEmpty() && shape.isClosed() && m_rows.isEmpty() && m_draft->parent()) {
        m_rowsTitle->setText(tr("An empty object: it has no members."));
        m_rowsTitle->show();
    }
    connect(m_add, &FlatButton::clicked, this, &ObjectEditor::appendMember);
}

Field *ObjectEditor::makeField(qsizetype index)
{
    const QString name = m_names.at(index);
    const Draft::Ptr member = m_draft->member(name);
    if (name == m_hidden && (member->isPresent() || !m_draft->isPresent()))
        return nullptr;
    return new Field(
        m_context,
        {member, m_context->reader.property(m_shape, name), name, Field::Role::Member, m_shape.isRequired(name)},
        m_fields);
}

void ObjectEditor::addRow(const Draft::Ptr &member)
{
    auto *row = new MemberRow(m_context, member, m_context->reader.extraMember(m_shape, member->name()), this);
    m_rows.append(row);
    static_cast<ColumnLayout *>(m_rowBox->layout())->addWidget(row);
    row->show();
    m_rowBox->show();
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
    m_rowBox->setVisible(!m_rows.isEmpty());
    m_rowsTitle->setVisible(!m_rows.isEmpty() && !m_rowsTitle->text().isEmpty());
    Q_EMIT edited();
}

QWidget *ObjectEditor::control() const
{
    const QList<Field *> drawn = m_fields->fields();
    if (!drawn.isEmpty() && drawn.constFirst()->editor())
        return drawn.constFirst()->editor()->control();
    return m_add;
}

QList<Field *> ObjectEditor::fields() const
{
    QList<Field *> all = m_fields->fields();
    for (const MemberRow *row : m_rows)
        all.append(row->field());
    return all;
}

// The last of that name: an earlier duplicate is not what the value means.
Field *ObjectEditor::fieldAt(const QString &token) const
{
    for (auto row = m_rows.crbegin(); row != m_rows.crend(); ++row) {
        if ((*row)->draft()->name() == token && !isDeclared(token))
            return (*row)->field();
    }
    return m_fields->at(m_ranks.value(token, -1));
}

qsizetype ObjectEditor::rankOf(const QString &token) const
{
    if (const auto rank = m_ranks.constFind(token); rank != m_ranks.cend())
        return *rank;
    const auto row = std::find_if(m_rows.cbegin(), m_rows.cend(),
                                  [&token](const MemberRow *one) { return one->draft()->name() == token; });
    return m_names.size() + (row - m_rows.cbegin());
}

Field *ObjectEditor::reveal(const QString &token)
{
    m_fields->reveal(m_ranks.value(token, -1));
    return fieldAt(token);
}

void ObjectEditor::rename(const QString &pointer)
{
    m_add->setObjectName("add:"_L1 + pointer);
    m_add->setAccessibleName(tr("Add a member"));
    m_fields->setGapName("more-fields:"_L1 + pointer);
    m_rowsTitle->setObjectName("rows:"_L1 + pointer);
    const QString name = singular(pointer.section(u'/', -1));
    if (!name.isEmpty())
        m_add->setText(tr("add %1").arg(visibleLine(name, 40)));
    const QList<Field *> drawn = m_fields->fields();
    for (Field *field : drawn)
        field->rename();
    for (MemberRow *row : std::as_const(m_rows))
        row->rename();
}

void ObjectEditor::becamePresent()
{
    for (const QString &name : std::as_const(m_names)) {
        if (!m_shape.isRequired(name))
            continue;
        const Shape shape = m_context->reader.property(m_shape, name);
        if (shape.kind != Shape::Kind::Constant)
            continue;
        const Draft::Ptr member = m_draft->member(name);
        if (member->isPresent())
            continue;
        member->assign(shape.choices.constFirst().json);
        if (Field *field = m_fields->at(m_ranks.value(name)))
            field->refresh();
    }
}

}  // namespace sonde::ui
