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

// At the button that adds an item, it begins the first value of the item.
static bool takesTyping(const ShapeReader &reader, const Shape &item)
{
    constexpr int maxLevels = 4;
    Shape shape = item;
    for (int level = 0; level < maxLevels && shape.kind == Shape::Kind::List; ++level)
        shape = reader.item(shape, 0);
    return shape.kind == Shape::Kind::Text || shape.kind == Shape::Kind::Number || shape.kind == Shape::Kind::Choice;
}

ListEditor::ListEditor(FormContext *context, const Draft::Ptr &draft, const Shape &shape, const QString &label,
                       QWidget *parent)
    : Editor(context, draft, shape, parent),
      m_label(singular(label)),
      m_fields(new FieldColumn(
          context, draft->itemCount(), [this](qsizetype index) { return makeField(index); }, this)),
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
    connect(m_add, &FlatButton::clicked, this, [this] { insert(m_draft->itemCount()); });
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
    m_add->setVisible(m_fields->isWhole() && !isFull());
}

// A tuple may end with its last place.
bool ListEditor::isFull() const
{
    const QStringView more = m_shape.keyword(u"prefixItems").exists() ? QStringView(u"items") : u"additionalItems";
    const bool isClosed = m_shape.keyword(more).isBool() && !m_shape.keyword(more).toBool();
    return isClosed && m_fields->count() >= m_shape.tuple().size();
}

QString ListEditor::titleOf(qsizetype index) const
{
    return index < m_shape.tuple().size() ? m_context->reader().item(m_shape, index).text(u"title").trimmed()
                                          : QString();
}

Field *ListEditor::makeField(qsizetype index)
{
    const Shape shape = m_context->reader().item(m_shape, index);
    auto *field = new Field(m_context,
                            {m_draft->item(index), shape, m_label, Field::Role::Item, false, !titleOf(index).isEmpty()},
                            m_fields);
    const auto button = [field](const QString &name, const QString &tip) {
        auto *made = new FlatButton({}, field);
        made->setIcon(icon(name));
        made->setToolTip(tip);
        made->setFocusPolicy(Qt::ClickFocus);
        field->addButton(made);
        return made;
    };
    auto *handle = new DragHandle(m_fields, field);
    const auto fit = [field](QWidget *widget) {
        followFont(widget, [widget, isGroup = field->isGroup()] {
            widget->setFixedHeight(isGroup ? headerHeight() : inputHeight());
        });
    };
    fit(handle);
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
        fit(buttons.remove);
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
    const bool isAtAdd = m_add->hasFocus() && isTypedText(event);
    const bool isMove = event->modifiers() == Qt::AltModifier;
    if (field && isMove && event->key() == Qt::Key_Up)
        move(field, -1);
    else if (field && isMove && event->key() == Qt::Key_Down)
        move(field, 1);
    else if (field && !field->isGroup() && isPlainEnter(event))
        addAfter(m_fields->indexOf(field));
    else if (isAtAdd && takesTyping(m_context->reader(), m_context->reader().item(m_shape, m_draft->itemCount())))
        addTyped(event);
    else
        Editor::keyPressEvent(event);
}

// The places of a tuple keep their values: the next one gets the focus, or is added if there is room for it.
void ListEditor::addAfter(qsizetype index)
{
    const qsizetype next = index + 1;
    if (next < m_fields->count() && next < m_shape.tuple().size())
        static_cast<Field *>(m_fields->reveal(next))->focusControl();
    else if (!isFull())
        insert(next);
}

// What is typed where a row can be added is meant for that row. It has the focus at once: more may be typed by then.
void ListEditor::addTyped(QKeyEvent *event)
{
    insert(m_draft->itemCount());
    Field *field = itemAt(m_draft->itemCount() - 1);
    field->show();
    if (!field->editor())
        return;
    QWidget *input = field->editor()->control();
    input->setFocus(Qt::TabFocusReason);
    QCoreApplication::sendEvent(input, event);
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
    if (FormArea *area = FormArea::around(this))
        area->keepInView(field);
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
            m_draft->item(index)->assign(json);
        else
            more.append(json);
    }
    m_draft->insertItems(index + 1, more);
    const json::Pointer last = m_draft->item(index + lines.size() - 1)->pointer();
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
    // The keyboard focus stays in place, or goes to what is drawn next to it: the button to add another may be far
    // below.
    Field *next = nullptr;
    const QList<std::pair<qsizetype, QWidget *>> drawn = m_fields->drawn();
    for (const auto &[row, widget] : drawn) {
        if (row <= index)
            next = static_cast<Field *>(widget);
    }
    if (next && byKey)
        next->focusControl();
    else if (next)
        m_buttons.value(next).remove->setFocus();
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
    nameItems(qMin(from, to));
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
    const qsizetype index = token.toLongLong(&isNumber);
    if (!isNumber)
        return -1;
    const qsizetype row = m_draft->rowOf(index);
    return row < 0 && m_draft->rowOf(index - 1) >= 0 ? m_draft->itemCount() - 1 : row;
}

bool ListEditor::hasField(const QString &token) const
{
    return rowAt(token) >= 0;
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
    const QSet<qsizetype> blank = m_draft->blankRows();
    qsizetype sent = 0;  // each row is asked for once, from the first one
    const auto shows = [&](qsizetype row) { return blank.contains(row) || filter->shows(QString::number(sent++)); };
    m_fields->setFilter(filter ? std::function<bool(qsizetype)>(shows) : nullptr);
    const QList<Field *> drawn = fields();
    for (Field *field : drawn)
        field->setFilter(filter && field->draft()->isPresent()
                             ? filter->within(QString::number(m_draft->indexOf(field->draft().get())))
                             : nullptr);
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
    const QList<std::pair<qsizetype, QWidget *>> drawn = m_fields->drawn();
    for (const auto &[row, widget] : drawn) {
        if (row >= from)
            nameItem(static_cast<Field *>(widget), row);
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
