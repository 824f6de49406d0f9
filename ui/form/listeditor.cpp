// SPDX-License-Identifier: Apache-2.0
#include "ui/form/listeditor.h"

#include "core/protocol/visibletext.h"
#include "ui/form/field.h"
#include "ui/form/fieldcolumn.h"
#include "ui/form/hints.h"
#include "ui/form/inputs.h"
#include "ui/form/stacklayouts.h"
#include "ui/theme/widgets.h"

using namespace Qt::StringLiterals;

namespace sonde::ui {

ListEditor::ListEditor(FormContext *context, const Draft::Ptr &draft, const Shape &shape, const QString &label,
                       QWidget *parent)
    : Editor(context, draft, shape, parent),
      m_label(singular(label)),
      m_fields(new FieldColumn(
          context, draft->items().size(), [this](qsizetype index) { return makeField(index); }, this)),
      m_add(new FlatButton({}))
{
    if (m_label.isEmpty())
        m_label = tr("item");
    auto *column = new ColumnLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(Grid / 2);
    m_fields->setSpacing(Grid / 2);
    column->addWidget(m_fields);
    m_add->setFramed(true);
    m_add->setIcon(icon(u"plus"_s));
    m_add->setText(tr("Add %1").arg(visibleLine(m_label, 40)));
    m_add->setAccessibleName(m_add->text());
    column->addWidget(m_add, Qt::AlignLeft);
    showAdd();
    connect(m_add, &FlatButton::clicked, this, &ListEditor::append);
}

QWidget *ListEditor::control() const
{
    return m_add;
}

QList<Field *> ListEditor::fields() const
{
    QList<Field *> drawn;
    const QList<QWidget *> widgets = m_fields->widgets();
    for (QWidget *widget : widgets)
        drawn.append(static_cast<Field *>(widget));
    return drawn;
}

Field *ListEditor::itemAt(qsizetype index) const
{
    return static_cast<Field *>(m_fields->at(index));
}

// A new item is appended, but not if that would be far below the visible ones.
void ListEditor::showAdd()
{
    m_fields->setVisible(m_fields->count() > 0);
    m_add->setVisible(m_fields->isWhole());
}

Field *ListEditor::makeField(qsizetype index)
{
    const Shape shape = m_context->reader().item(m_shape, index);
    auto *field =
        new Field(m_context, {m_draft->items().at(index), shape, m_label, Field::Role::Item, false}, m_fields);
    const auto button = [field](const QString &name, const QString &tip) {
        auto *made = new FlatButton({}, field);
        made->setIcon(icon(name));
        made->setToolTip(tip);
        made->setFocusPolicy(Qt::ClickFocus);
        field->addButton(made);
        return made;
    };
    Buttons buttons{};
    if (field->isGroup()) {
        buttons.up = button(u"up"_s, tr("Move up"));
        buttons.down = button(u"down"_s, tr("Move down"));
        connect(buttons.up, &FlatButton::clicked, this, [this, field] { move(field, -1); });
        connect(buttons.down, &FlatButton::clicked, this, [this, field] { move(field, 1); });
    }
    buttons.remove = button(u"close"_s, tr("Remove"));
    if (!field->isGroup())
        buttons.remove->setFixedHeight(InputHeight);
    connect(buttons.remove, &FlatButton::clicked, this, [this, field] { remove(field); });
    m_buttons.insert(field, buttons);
    m_fields->setSpacing(field->isGroup() ? Grid : Grid / 2);
    nameItem(field, index);
    showAdd();
    return field;
}

void ListEditor::append()
{
    const qsizetype index = m_draft->items().size();
    m_draft->insertItem(index, m_context->values.starting(m_context->reader().item(m_shape, index)));
    auto *field = static_cast<Field *>(m_fields->insert(index));
    showAdd();
    nameItems(index - 1);
    Q_EMIT edited();
    Q_EMIT m_context->built();
    m_context->draw();
    field->focusControl();
}

void ListEditor::remove(Field *field)
{
    const qsizetype index = m_fields->indexOf(field);
    m_buttons.remove(field);
    m_draft->remove(field->draft());
    m_fields->remove(index);
    showAdd();
    nameItems(qMax(qsizetype(0), index - 1));
    // The keyboard focus stays in place.
    qsizetype next = qMin(index, m_fields->count() - 1);
    while (next >= 0 && !itemAt(next))
        --next;  // one that is drawn: the button to add another is far below then, and hidden
    if (next >= 0)
        m_buttons.value(itemAt(next)).remove->setFocus();
    else
        m_add->setFocus();
    Q_EMIT edited();
}

void ListEditor::move(Field *field, int by)
{
    const qsizetype from = m_fields->indexOf(field);
    const qsizetype to = from + by;
    if (to < 0 || to >= m_fields->count())
        return;
    m_draft->moveItem(from, to);
    m_fields->move(from, to);
    for (const qsizetype index : {from, to}) {
        if (Field *moved = itemAt(index))
            nameItem(moved, index);
    }
    Q_EMIT edited();
}

Field *ListEditor::fieldAt(const QString &token) const
{
    bool isNumber = false;
    const qsizetype index = token.toLongLong(&isNumber);
    return isNumber ? itemAt(index) : nullptr;
}

qsizetype ListEditor::rankOf(const QString &token) const
{
    return token.toLongLong();
}

Field *ListEditor::reveal(const QString &token)
{
    bool isNumber = false;
    const qsizetype index = token.toLongLong(&isNumber);
    return isNumber ? static_cast<Field *>(m_fields->reveal(index)) : nullptr;
}

void ListEditor::rename(const QString &pointer)
{
    m_add->setObjectName("add:"_L1 + pointer);
    m_fields->setGapName("more-items:"_L1 + pointer);
    nameItems(0);
}

void ListEditor::nameItems(qsizetype from)
{
    for (qsizetype i = from; i < m_fields->count(); ++i) {
        if (Field *field = itemAt(i))
            nameItem(field, i);
    }
}

void ListEditor::nameItem(Field *field, qsizetype index)
{
    field->setTitle(QString::number(index + 1), tr("%1 %2").arg(m_label).arg(index + 1));
    field->rename();
    const QString pointer = field->draft()->pointer().toString();
    const QString spoken = tr("%1 %2").arg(visibleLine(m_label, 40)).arg(index + 1);
    const Buttons buttons = m_buttons.value(field);
    buttons.remove->setObjectName("remove:"_L1 + pointer);
    buttons.remove->setAccessibleName(tr("Remove %1").arg(spoken));
    if (!buttons.up)
        return;
    buttons.up->setObjectName("up:"_L1 + pointer);
    buttons.up->setAccessibleName(tr("Move %1 up").arg(spoken));
    buttons.up->setEnabled(index > 0);
    buttons.down->setObjectName("down:"_L1 + pointer);
    buttons.down->setAccessibleName(tr("Move %1 down").arg(spoken));
    buttons.down->setEnabled(index + 1 < m_fields->count());
}

}  // namespace sonde::ui
