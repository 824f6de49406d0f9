// SPDX-License-Identifier: Apache-2.0
#include "ui/form/objecteditor.h"

#include "ui/form/field.h"
#include "ui/form/fieldcolumn.h"
#include "ui/form/inputs.h"
#include "ui/form/memberrow.h"
#include "ui/form/stacklayouts.h"
#include "ui/theme/widgets.h"

#include <QSet>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::ui {

ObjectEditor::ObjectEditor(FormContext *context, const Draft::Ptr &draft, const Shape &shape, QWidget *parent,
                           const QString &hidden)
    : Editor(context, draft, shape, parent),
      m_names(shape.propertyNames()),
      m_hidden(hidden),
      m_add(new FlatButton({})),
      m_rowsTitle(new TextLabel)
{
    m_draft->setOrder(m_names);
    for (qsizetype i = 0; i < m_names.size(); ++i)
        m_ranks.insert(m_names.at(i), i);
    // If a declared name occurs twice, the last member has the field and the others have rows.
    QSet<QString> declared;
    const QList<Draft::Ptr> members = m_draft->members();
    for (auto member = members.crbegin(); member != members.crend(); ++member) {
        const QString name = (*member)->name();
        if (isDeclared(name) && !declared.contains(name))
            declared.insert(name);
        else
            m_members.append(*member);
    }
    std::reverse(m_members.begin(), m_members.end());
    // The last request is drawn first.
    m_rows = new FieldColumn(
        context, m_members.size(), [this](qsizetype index) { return makeRow(index); }, this);
    m_fields = new FieldColumn(
        context, m_names.size(), [this](qsizetype index) { return makeField(index); }, this);
    auto *column = new ColumnLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(Grid);
    m_fields->setSpacing(Grid + Grid / 2);
    m_fields->setVisible(!m_names.isEmpty());
    m_rows->setSpacing(Grid / 2);
    column->addWidget(m_fields);
    m_rowsTitle->setFont(smallFont());
    m_rowsTitle->setDim(true);
    column->addWidget(m_rowsTitle);
    column->addWidget(m_rows);
    m_add->setFramed(true);
    m_add->setIcon(icon(u"plus"_s));
    m_add->setText(shape.isMap() && m_names.isEmpty() ? tr("Add entry") : tr("Add property"));
    column->addWidget(m_add, Qt::AlignLeft);

    m_add->setVisible(shape.takesMore());
    m_rowsTitle->setText(m_names.isEmpty() ? QString() : tr("Additional properties"));
    showRows();
    if (m_names.isEmpty() && shape.isClosed() && m_members.isEmpty() && m_draft->parent()) {
        m_rowsTitle->setText(tr("Empty object"));
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
        {member, m_context->reader().property(m_shape, name), name, Field::Role::Member, m_shape.isRequired(name)},
        m_fields);
}

MemberRow *ObjectEditor::makeRow(qsizetype index)
{
    const Draft::Ptr member = m_members.at(index);
    auto *row = new MemberRow(m_context, member, m_context->reader().extraMember(m_shape, member->name()), m_rows);
    connect(row, &MemberRow::removed, this, [this, row] { removeRow(row); });
    connect(row, &MemberRow::keyChanged, this, [this] { m_knowsNames = false; });
    return row;
}

MemberRow *ObjectEditor::rowAt(qsizetype index) const
{
    return static_cast<MemberRow *>(m_rows->at(index));
}

qsizetype ObjectEditor::rowOf(const QString &name) const
{
    if (!m_knowsNames) {
        m_rowsByName.clear();
        for (qsizetype i = 0; i < m_members.size(); ++i)
            m_rowsByName.insert(m_members.at(i)->name(), i);
        m_knowsNames = true;
    }
    return m_rowsByName.value(name, -1);
}

void ObjectEditor::showRows()
{
    m_knowsNames = false;
    m_rows->setVisible(!m_members.isEmpty());
    m_rowsTitle->setVisible(!m_members.isEmpty() && !m_rowsTitle->text().isEmpty());
}

void ObjectEditor::appendMember()
{
    const Shape shape = m_context->reader().extraMember(m_shape, {});
    m_members.append(m_draft->appendMember({}, m_context->values.starting(shape)));
    auto *row = static_cast<MemberRow *>(m_rows->insert(m_members.size() - 1));
    showRows();
    Q_EMIT edited();
    Q_EMIT m_context->built();
    m_context->draw();
    row->focusKey();
}

void ObjectEditor::removeRow(MemberRow *row)
{
    const qsizetype index = m_rows->indexOf(row);
    m_draft->remove(row->draft());
    m_members.removeAt(index);
    m_rows->remove(index);
    showRows();
    Q_EMIT edited();
}

QWidget *ObjectEditor::control() const
{
    const QList<QWidget *> drawn = m_fields->widgets();
    const Field *first = drawn.isEmpty() ? nullptr : static_cast<Field *>(drawn.constFirst());
    return first && first->editor() ? first->editor()->control() : m_add;
}

QList<Field *> ObjectEditor::fields() const
{
    QList<Field *> all;
    const QList<QWidget *> fields = m_fields->widgets();
    for (QWidget *field : fields)
        all.append(static_cast<Field *>(field));
    const QList<QWidget *> rows = m_rows->widgets();
    for (QWidget *row : rows)
        all.append(static_cast<MemberRow *>(row)->field());
    return all;
}

// The last member of that name counts; earlier duplicates do not.
Field *ObjectEditor::fieldAt(const QString &token) const
{
    if (isDeclared(token))
        return static_cast<Field *>(m_fields->at(m_ranks.value(token)));
    const MemberRow *row = rowAt(rowOf(token));
    return row ? row->field() : nullptr;
}

qsizetype ObjectEditor::rankOf(const QString &token) const
{
    if (const auto rank = m_ranks.constFind(token); rank != m_ranks.cend())
        return *rank;
    const qsizetype row = rowOf(token);
    return m_names.size() + (row < 0 ? m_members.size() : row);
}

Field *ObjectEditor::reveal(const QString &token)
{
    if (isDeclared(token))
        m_fields->reveal(m_ranks.value(token));
    else
        m_rows->reveal(rowOf(token));
    return fieldAt(token);
}

void ObjectEditor::rename(const QString &pointer)
{
    m_add->setObjectName("add:"_L1 + pointer);
    m_add->setAccessibleName(m_add->text());
    m_fields->setGapName("more-fields:"_L1 + pointer);
    m_rows->setGapName("more-members:"_L1 + pointer);
    m_rowsTitle->setObjectName("rows:"_L1 + pointer);
    const QList<QWidget *> fields = m_fields->widgets();
    for (QWidget *field : fields)
        static_cast<Field *>(field)->rename();
    const QList<QWidget *> rows = m_rows->widgets();
    for (QWidget *row : rows)
        static_cast<MemberRow *>(row)->rename();
}

void ObjectEditor::becamePresent()
{
    for (const QString &name : std::as_const(m_names)) {
        if (!m_shape.isRequired(name))
            continue;
        const Shape shape = m_context->reader().property(m_shape, name);
        if (shape.kind != Shape::Kind::Constant)
            continue;
        const Draft::Ptr member = m_draft->member(name);
        if (member->isPresent())
            continue;
        member->assign(shape.choices.constFirst().json);
        if (QWidget *field = m_fields->at(m_ranks.value(name)))
            static_cast<Field *>(field)->refresh();
    }
}

}  // namespace sonde::ui
