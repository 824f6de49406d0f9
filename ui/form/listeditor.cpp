// SPDX-License-Identifier: Apache-2.0
#include "ui/form/listeditor.h"

#include "core/protocol/visibletext.h"
#include "ui/form/field.h"
#include "ui/form/hints.h"
#include "ui/form/inputs.h"
#include "ui/theme/theme.h"

#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace sonde::ui {

ListEditor::ListEditor(FormContext *context, const Draft::Ptr &draft, const Shape &shape, const QString &label,
                       QWidget *parent)
    : Editor(context, draft, shape, parent),
      m_label(singular(label)),
      m_column(new QVBoxLayout(this)),
      m_itemColumn(new QVBoxLayout),
      m_more(new FlatButton({})),
      m_add(new FlatButton({}))
{
    if (m_label.isEmpty())
        m_label = tr("item");
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(Grid / 2);
    m_itemColumn->setSpacing(Grid / 2);
    m_column->addLayout(m_itemColumn);
    m_more->setFramed(true);
    m_column->addWidget(m_more, 0, Qt::AlignLeft);
    m_add->setFramed(true);
    m_add->setIcon(icon(u"plus"_s));
    m_add->setText(tr("add %1").arg(visibleLine(m_label, 40)));
    m_add->setAccessibleName(m_add->text());
    m_column->addWidget(m_add, 0, Qt::AlignLeft);
    drawPage();
    connect(m_more, &FlatButton::clicked, this, &ListEditor::drawPage);
    connect(m_add, &FlatButton::clicked, this, &ListEditor::append);
}

QWidget *ListEditor::control() const
{
    return m_add;
}

void ListEditor::drawPage()
{
    const qsizetype end = qMin(m_draft->items().size(), m_fields.size() + FormContext::PageSize);
    while (m_fields.size() < end)
        insertField(m_fields.size());
    showMore();
    renameItems();
    Q_EMIT m_context->built();
}

void ListEditor::showMore()
{
    const qsizetype left = m_draft->items().size() - m_fields.size();
    m_more->setVisible(left > 0);
    m_more->setText(tr("Show %1 more of %2 entries").arg(qMin(left, qsizetype(FormContext::PageSize))).arg(left));
    m_more->setAccessibleName(m_more->text());
    m_add->setVisible(left <= 0);
}

void ListEditor::insertField(qsizetype index)
{
    const Shape shape = m_context->reader.item(m_shape, index);
    auto *field = new Field(m_context, {m_draft->items().at(index), shape, m_label, Field::Role::Item, false}, this);
    const auto button = [field, this](const QString &name, const QString &tip) {
        auto *made = new FlatButton({}, field);
        made->setIcon(icon(name));
        made->setToolTip(tip);
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
    m_fields.insert(index, field);
    m_itemColumn->setSpacing(field->isGroup() ? Grid : Grid / 2);
    m_itemColumn->insertWidget(int(index), field);
}

void ListEditor::append()
{
    const qsizetype index = m_draft->items().size();
    m_draft->insertItem(index, m_context->reader.starting(m_context->reader.item(m_shape, index)));
    if (m_fields.size() == index)
        insertField(index);
    showMore();
    renameItems();
    Q_EMIT edited();
    Q_EMIT m_context->built();
    m_fields.constLast()->focusControl();
}

void ListEditor::remove(Field *field)
{
    const qsizetype index = m_fields.indexOf(field);
    m_fields.removeOne(field);
    m_buttons.remove(field);
    m_draft->remove(field->draft());
    field->hide();
    field->deleteLater();
    showMore();
    renameItems();
    // Keyboard users stay where they were.
    if (m_fields.isEmpty())
        m_add->setFocus();
    else
        m_buttons.value(m_fields.at(qMin(index, m_fields.size() - 1))).remove->setFocus();
    Q_EMIT edited();
}

void ListEditor::move(Field *field, int by)
{
    const qsizetype from = m_fields.indexOf(field);
    const qsizetype to = from + by;
    if (to < 0 || to >= m_fields.size())
        return;
    m_draft->moveItem(from, to);
    m_fields.move(from, to);
    m_itemColumn->removeWidget(field);
    m_itemColumn->insertWidget(int(to), field);
    renameItems();
    Q_EMIT edited();
}

Field *ListEditor::reveal(const QString &token)
{
    bool isNumber = false;
    const qsizetype index = token.toLongLong(&isNumber);
    if (!isNumber || index < 0 || index >= m_draft->items().size())
        return nullptr;
    while (index >= m_fields.size())
        drawPage();
    return m_fields.at(index);
}

void ListEditor::rename(const QString &pointer)
{
    m_add->setObjectName("add:"_L1 + pointer);
    m_more->setObjectName("more-items:"_L1 + pointer);
    renameItems();
}

void ListEditor::renameItems()
{
    for (qsizetype i = 0; i < m_fields.size(); ++i) {
        Field *field = m_fields.at(i);
        field->setTitle(QString::number(i + 1), tr("%1 %2").arg(m_label).arg(i + 1));
        field->rename();
        const QString pointer = field->draft()->pointer().toString();
        const QString spoken = tr("%1 %2").arg(visibleLine(m_label, 40)).arg(i + 1);
        const Buttons buttons = m_buttons.value(field);
        buttons.remove->setObjectName("remove:"_L1 + pointer);
        buttons.remove->setAccessibleName(tr("Remove %1").arg(spoken));
        if (!buttons.up)
            continue;
        buttons.up->setObjectName("up:"_L1 + pointer);
        buttons.up->setAccessibleName(tr("Move %1 up").arg(spoken));
        buttons.up->setEnabled(i > 0);
        buttons.down->setObjectName("down:"_L1 + pointer);
        buttons.down->setAccessibleName(tr("Move %1 down").arg(spoken));
        buttons.down->setEnabled(i + 1 < m_draft->items().size());
    }
}

}  // namespace sonde::ui
