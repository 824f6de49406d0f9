// SPDX-License-Identifier: Apache-2.0
#include "ui/form/listeditor.h"

#include "core/json/builder.h"
#include "core/protocol/visibletext.h"
#include "ui/form/field.h"
#include "ui/form/fieldcolumn.h"
#include "ui/form/formarea.h"
#include "ui/form/hints.h"
#include "ui/form/inputs.h"
#include "ui/form/numbereditor.h"
#include "ui/form/rowdrag.h"
#include "ui/form/stacklayouts.h"
#include "ui/theme/keys.h"
#include "ui/theme/widgets.h"

#include <QApplication>

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
    if (const FieldFilter *filter = m_context->filterAt(m_draft->pointer()))
        setFilter(filter);
    connect(m_add, &FlatButton::clicked, this, [this] { insert(m_draft->items().size()); });
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
    m_fields->setVisible(m_fields->count() > 0 && m_fields->hasShown());
    // A tuple may end with its last place.
    const QStringView more = m_shape.keyword(u"prefixItems").exists() ? QStringView(u"items") : u"additionalItems";
    const bool isClosed = m_shape.keyword(more).isBool() && !m_shape.keyword(more).toBool();
    const bool isFull = isClosed && m_fields->count() >= m_shape.tuple().size();
    m_add->setVisible(m_fields->isWhole() && !isFull);
}

QString ListEditor::titleOf(qsizetype index) const
{
    return index < m_shape.tuple().size() ? m_context->reader().item(m_shape, index).text(u"title").trimmed()
                                          : QString();
}

Field *ListEditor::makeField(qsizetype index)
{
    const Shape shape = m_context->reader().item(m_shape, index);
    auto *field = new Field(
        m_context, {m_draft->items().at(index), shape, m_label, Field::Role::Item, false, !titleOf(index).isEmpty()},
        m_fields);
    const auto button = [field](const QString &name, const QString &tip) {
        auto *made = new FlatButton({}, field);
        made->setIcon(icon(name));
        made->setToolTip(tip);
        made->setFocusPolicy(Qt::ClickFocus);
        field->addButton(made);
        return made;
    };
    auto *handle = new DragHandle(m_fields, field, field->isGroup() ? HeaderHeight : InputHeight);
    field->addHandle(handle);
    connect(handle, &DragHandle::dropped, this, [this, field](qsizetype to) { moveTo(field, to); });
    Buttons buttons{};
    buttons.handle = handle;
    if (field->isGroup()) {
        buttons.up = button(u"up"_s, tr("Move up"));
        buttons.down = button(u"down"_s, tr("Move down"));
        connect(buttons.up, &FlatButton::clicked, this, [this, field] { move(field, -1); });
        connect(buttons.down, &FlatButton::clicked, this, [this, field] { move(field, 1); });
    }
    buttons.remove = button(u"close"_s, tr("Remove"));
    if (!field->isGroup())
        buttons.remove->setFixedHeight(InputHeight);
    connect(buttons.remove, &FlatButton::clicked, this, [this, field] { remove(field, false); });
    connect(field, &Field::removalRequested, this, [this, field] { remove(field, true); });
    connect(field, &Field::linesEntered, this, [this, field](const QStringList &lines) { enterLines(field, lines); });
    m_buttons.insert(field, buttons);
    m_fields->setSpacing(field->isGroup() ? Grid : Grid / 2);
    nameItem(field, index);
    showAdd();
    return field;
}

Field *ListEditor::focusedField() const
{
    const QWidget *at = QApplication::focusWidget();
    while (at && at->parentWidget() != m_fields)
        at = at->parentWidget();
    return at ? itemAt(m_fields->indexOf(at)) : nullptr;
}

// These keys mean previous and next call elsewhere.
bool ListEditor::event(QEvent *event)
{
    if (event->type() == QEvent::ShortcutOverride && focusedField()) {
        const auto *key = static_cast<QKeyEvent *>(event);
        if (key->modifiers() == Qt::AltModifier && (key->key() == Qt::Key_Up || key->key() == Qt::Key_Down)) {
            event->accept();
            return true;
        }
    }
    return Editor::event(event);
}

void ListEditor::keyPressEvent(QKeyEvent *event)
{
    Field *field = focusedField();
    const bool isMove = event->modifiers() == Qt::AltModifier;
    if (field && isMove && event->key() == Qt::Key_Up)
        move(field, -1);
    else if (field && isMove && event->key() == Qt::Key_Down)
        move(field, 1);
    else if (field && !field->isGroup() && isPlainEnter(event))
        insert(m_fields->indexOf(field) + 1);
    else
        Editor::keyPressEvent(event);
}

void ListEditor::insert(qsizetype index)
{
    m_context->settle();
    m_draft->insertItem(index, m_context->values.starting(m_context->reader().item(m_shape, index)));
    auto *field = static_cast<Field *>(m_fields->insert(index));
    showAdd();
    nameItems(qMax(qsizetype(0), index - 1));
    Q_EMIT edited();
    Q_EMIT m_context->built();
    m_context->draw();
    field->focusControl();
    for (QWidget *up = parentWidget(); up; up = up->parentWidget()) {
        if (auto *area = qobject_cast<FormArea *>(up))
            area->keepInView(field);
    }
}

// Many lines are many items, as if each had been typed into its own.
void ListEditor::enterLines(Field *field, const QStringList &lines)
{
    m_context->settle();
    const qsizetype index = m_fields->indexOf(field);
    const bool areNumbers = field->shape().kind == Shape::Kind::Number;
    QByteArrayList more;
    for (qsizetype i = 0; i < lines.size(); ++i) {
        const QString line = areNumbers ? lines.at(i).trimmed() : lines.at(i);
        const QByteArray json = areNumbers && !line.isEmpty() ? NumberEditor::jsonOf(line) : json::quoted(line);
        if (i == 0)
            m_draft->items().at(index)->assign(json);
        else
            more.append(json);
    }
    m_draft->insertItems(index + 1, more);
    const json::Pointer last = m_draft->items().at(index + lines.size() - 1)->pointer();
    Q_EMIT edited();
    Q_EMIT outdated();
    Q_EMIT m_context->focusRequested(last);
}

void ListEditor::remove(Field *field, bool byKey)
{
    m_context->settle();
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
    if (next >= 0 && byKey)
        itemAt(next)->focusControl();
    else if (next >= 0)
        m_buttons.value(itemAt(next)).remove->setFocus();
    else
        m_add->setFocus();
    Q_EMIT edited();
}

void ListEditor::move(Field *field, int by)
{
    moveTo(field, m_fields->indexOf(field) + by);
}

void ListEditor::moveTo(Field *field, qsizetype to)
{
    const qsizetype from = m_fields->indexOf(field);
    if (to < 0 || to >= m_fields->count() || to == from)
        return;
    m_context->settle();
    m_draft->moveItem(from, to);
    m_fields->move(from, to);
    for (qsizetype index = qMin(from, to); index <= qMax(from, to); ++index) {
        if (Field *moved = itemAt(index))
            nameItem(moved, index);
    }
    Q_EMIT edited();
}

Field *ListEditor::fieldAt(const QString &token) const
{
    return itemAt(rowAt(token));
}

// Rows that are blank are not items of what is sent.
qsizetype ListEditor::rowAt(const QString &token) const
{
    bool isNumber = false;
    qsizetype index = token.toLongLong(&isNumber);
    if (!isNumber)
        return -1;
    const QList<Draft::Ptr> rows = m_draft->items();
    for (qsizetype row = 0; row < rows.size(); ++row) {
        if (rows.at(row)->isPresent() && index-- == 0)
            return row;
    }
    return index == 0 ? rows.size() - 1 : -1;
}

qsizetype ListEditor::rankOf(const QString &token) const
{
    return rowAt(token);
}

Field *ListEditor::reveal(const QString &token)
{
    return static_cast<Field *>(m_fields->reveal(rowAt(token)));
}

// Rows without a value are no items of what was searched: they stay visible.
void ListEditor::setFilter(const FieldFilter *filter)
{
    const QList<Draft::Ptr> rows = m_draft->items();
    QStringList tokens;
    qsizetype sent = 0;
    for (const Draft::Ptr &row : rows)
        tokens.append(row->isPresent() ? QString::number(sent++) : QString());
    const auto shows = [&](qsizetype index) { return tokens.at(index).isEmpty() || filter->shows(tokens.at(index)); };
    m_fields->setFilter(filter ? std::function<bool(qsizetype)>(shows) : nullptr);
    for (qsizetype i = 0; i < tokens.size(); ++i) {
        if (Field *field = itemAt(i))
            field->setFilter(filter ? filter->within(tokens.at(i)) : nullptr);
    }
    showAdd();
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
    const QString title = titleOf(index);
    field->setTitle(title.isEmpty() ? QString::number(index + 1) : visibleLine(title, 80),
                    title.isEmpty() ? tr("%1 %2").arg(m_label).arg(index + 1) : title);
    field->rename();
    const QString pointer = field->draft()->pointer().toString();
    const QString spoken = tr("%1 %2").arg(visibleLine(m_label, 40)).arg(index + 1);
    const Buttons buttons = m_buttons.value(field);
    buttons.handle->setObjectName("drag:"_L1 + pointer);
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
