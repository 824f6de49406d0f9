// SPDX-License-Identifier: Apache-2.0
#include "ui/form/objecteditor.h"

#include "core/protocol/visibletext.h"
#include "core/shape/conditions.h"
#include "ui/form/branchpicker.h"
#include "ui/form/field.h"
#include "ui/form/fieldcolumn.h"
#include "ui/form/inputs.h"
#include "ui/form/memberrow.h"
#include "ui/form/stacklayouts.h"
#include "ui/theme/density.h"
#include "ui/theme/keys.h"
#include "ui/theme/widgets.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QSet>
#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::ui {

ObjectEditor::ObjectEditor(FormContext *context, const Draft::Ptr &draft, const Shape &shape, QWidget *parent,
                           const QString &hidden)
    : Editor(context, draft, shape, parent),
      m_declared(shape),
      m_alternatives(alternativesOf(shape)),
      m_alternative(m_alternatives.count() > 0 ? m_alternatives.chosenBy(m_draft->value()) : -1),
      m_hidden(hidden),
      m_add(new FlatButton({})),
      m_rowsTitle(new TextLabel)
{
    setShape(shapeNow().value_or(shape));
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
    followFont(m_fields, [this] { m_fields->setSpacing(dense(Grid + Grid / 2)); });
    m_fields->setVisible(!m_names.isEmpty());
    m_rows->setSpacing(Grid / 2);
    if (m_alternatives.count() > 0) {
        makePicker();
        column->addWidget(m_picker->parentWidget());
    }
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
    if (const FieldFilter *filter = m_context->filterAt(m_draft->pointer()))
        setFilter(filter);
    if (m_names.isEmpty() && !shape.takesMore() && m_members.isEmpty() && m_draft->parent()) {
        m_rowsTitle->setText(tr("Empty object"));
        m_rowsTitle->show();
    }
    connect(m_add, &FlatButton::clicked, this, &ObjectEditor::appendMember);
}

// Nothing: that cannot be said.
std::optional<Shape> ObjectEditor::shapeNow() const
{
    if (!m_declared.hasConditions())
        return withAlternative(m_declared, m_alternatives, m_alternative);
    const std::optional<Shape> shape = withConditions(m_context->reader(), m_declared, m_draft->value());
    return shape ? std::optional(withAlternative(*shape, m_alternatives, m_alternative)) : std::nullopt;
}

// In words: "Give id, or slug, or owner and repo".
void ObjectEditor::makePicker()
{
    QStringList labels;
    for (const QString &label : m_alternatives.labels)
        labels.append(visibleLine(label, 60));
    if (!m_alternatives.isExclusive || m_alternative < 0)
        labels.append(tr("any of them"));
    auto *row = new QWidget(this);
    auto *layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Grid);
    auto *caption = new TextLabel(tr("Give"), row);
    caption->setDim(true);
    layout->addWidget(caption);
    m_picker = new BranchPicker(labels, m_alternative < 0 ? int(labels.size()) - 1 : m_alternative,
                                BranchPicker::Kind::Fitting, row);
    layout->addWidget(m_picker, 1);
    connect(m_picker, &BranchPicker::picked, this, &ObjectEditor::pick);
}

void ObjectEditor::pick(int alternative)
{
    m_alternative = alternative < m_alternatives.count() ? alternative : -1;
    applyConditions();
    Q_EMIT edited();  // which has this drawn anew, if need be
}

void ObjectEditor::setShape(const Shape &shape)
{
    m_shape = shape;
    m_names = shape.propertyNames();
    m_draft->setOrder(m_names);
    m_ranks.clear();
    for (qsizetype i = 0; i < m_names.size(); ++i)
        m_ranks.insert(m_names.at(i), i);
}

void ObjectEditor::contentsEdited()
{
    // What comes or goes may decide what else applies.
    constexpr int maxRounds = 4;
    constexpr qsizetype maxBytes = 256 * 1024;  // more are not judged at each key press
    if ((!m_declared.hasConditions() && m_alternatives.count() == 0) || m_draft->size() > maxBytes)
        return;
    // A step back may lead to another alternative.
    if (m_context->history.isPaused() && m_picker) {
        m_alternative = m_alternatives.chosenBy(m_draft->value());
        m_picker->setCurrent(m_alternative < 0 ? m_alternatives.count() : m_alternative);
    }
    for (int round = 0; round < maxRounds && applyConditions(); ++round) {
    }
    if (std::exchange(m_isOutdated, false))
        Q_EMIT outdated();
}

// False: the same members apply as before, or all has to be drawn anew.
bool ObjectEditor::applyConditions()
{
    const std::optional<Shape> shape = m_isOutdated ? std::nullopt : shapeNow();
    if (!shape)
        return false;
    const Shape before = m_shape;
    const QStringList names = shape->propertyNames();
    const QStringList former = m_names;
    const auto isSame = [&](const QString &name) {
        return before.members && shape->members && shape->isRequired(name) == before.isRequired(name) &&
               ShapeKey{shape->members->nodes.value(name), {}, 0} == ShapeKey{before.members->nodes.value(name), {}, 0};
    };
    // A field that is typed in stays as it is meanwhile.
    const auto isTypedIn = [&](const QString &name) {
        const QWidget *field = m_fields->at(m_ranks.value(name, -1));
        return field && field->isAncestorOf(QApplication::focusWidget());
    };
    QSet<QString> kept;
    for (const QString &name : former) {
        const bool isStale = !isSame(name) || m_stale.contains(name);
        if (!names.contains(name) || (isStale && !isTypedIn(name)))
            continue;
        kept.insert(name);
        if (!isStale)
            continue;
        m_stale.insert(name);
        static_cast<Field *>(m_fields->at(m_ranks.value(name)))->setRequired(shape->isRequired(name));
    }
    if (names == former && kept.size() == names.size()) {
        m_shape = *shape;
        return false;
    }
    m_context->settle();
    const bool isEditing = !m_context->history.isPaused();
    const auto isKept = [&kept](const QString &name) { return kept.contains(name); };
    QStringList keptBefore = former;
    QStringList keptNow = names;
    keptBefore.removeIf([&](const QString &name) { return !isKept(name); });
    keptNow.removeIf([&](const QString &name) { return !isKept(name); });
    // A row has it now, or has to have it; or the order is another one.
    m_isOutdated = keptBefore != keptNow || std::any_of(m_members.cbegin(), m_members.cend(), [&](const auto &member) {
                       return names.contains(member->name());
                   });
    for (qsizetype i = former.size() - 1; i >= 0; --i) {
        const QString &name = former.at(i);
        if (isKept(name))
            continue;
        m_fields->remove(i);
        m_stale.remove(name);
        const Draft::Ptr member = m_draft->member(name);
        if (names.contains(name) || !member->isPresent())
            continue;
        if (isEditing) {
            member->retract();
            m_withheld.insert(name);
        } else {
            m_isOutdated = true;
        }
    }
    setShape(*shape);
    QList<qsizetype> fresh;
    for (qsizetype i = 0; i < m_names.size(); ++i) {
        const QString &name = m_names.at(i);
        if (isKept(name))
            continue;
        if (m_withheld.remove(name) && isEditing)
            m_draft->member(name)->restore();
        fresh.append(i);
    }
    constexpr qsizetype maxAtOnce = 20;
    if (fresh.size() > maxAtOnce) {
        m_fields->insertLater(fresh);
    } else {
        for (const qsizetype index : std::as_const(fresh))
            m_fields->insert(index);
    }
    m_fields->setVisible(!m_names.isEmpty());
    if (isEditing && m_draft->isPresent())
        becamePresent();
    if (m_isOutdated)
        return false;
    rename(m_draft->pointer().toString());
    Q_EMIT m_context->built();
    m_context->draw();
    return true;
}

Field *ObjectEditor::makeField(qsizetype index)
{
    const QString name = m_names.at(index);
    const Draft::Ptr member = m_draft->member(name);
    if (isHidden(name) && (member->isPresent() || !m_draft->isPresent()))
        return nullptr;
    return new Field(
        m_context,
        {member, m_context->reader().property(m_shape, name), name, Field::Role::Member, m_shape.isRequired(name)},
        m_fields);
}

MemberRow *ObjectEditor::makeRow(qsizetype index)
{
    const Draft::Ptr member = m_members.at(index);
    auto *row = new MemberRow(m_context, member, m_shape, m_rows);
    connect(row, &MemberRow::removed, this, [this, row] { removeRow(row); });
    connect(row, &MemberRow::keyChanged, this, [this] {
        m_knowsNames = false;
        contentsEdited();
    });
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
    const bool hasRows = !m_members.isEmpty() && m_rows->hasShown();
    m_rows->setVisible(hasRows);
    m_rowsTitle->setVisible(hasRows && !m_rowsTitle->text().isEmpty());
}

void ObjectEditor::appendMember()
{
    m_context->settle();
    const Shape shape = m_context->reader().extraMember(m_shape, {});
    m_members.append(m_draft->appendMember({}, m_context->values.starting(shape)));
    auto *row = static_cast<MemberRow *>(m_rows->insert(m_members.size() - 1));
    showRows();
    Q_EMIT edited();
    Q_EMIT m_context->built();
    m_context->draw();
    row->focusKey();
}

// In a row: from the name to the value, and from there to another row.
void ObjectEditor::keyPressEvent(QKeyEvent *event)
{
    const QWidget *at = QApplication::focusWidget();
    while (at && at->parentWidget() != m_rows)
        at = at->parentWidget();
    const MemberRow *row = at ? rowAt(m_rows->indexOf(at)) : nullptr;
    if (!row || row->field()->isGroup() || !isPlainEnter(event))
        Editor::keyPressEvent(event);
    else if (row->isKeyFocused())
        row->field()->focusControl();
    else if (!m_add->isHidden())
        appendMember();
}

void ObjectEditor::removeRow(MemberRow *row)
{
    const qsizetype index = m_rows->indexOf(row);
    m_context->settle();
    m_draft->remove(row->draft());
    m_members.removeAt(index);
    m_rows->remove(index);
    showRows();
    Q_EMIT edited();
}

QWidget *ObjectEditor::control() const
{
    // Nothing can be typed into a constant.
    const QList<QWidget *> drawn = m_fields->widgets();
    for (const QWidget *widget : drawn) {
        const auto *field = static_cast<const Field *>(widget);
        if (field->editor() && field->shape().kind != Shape::Kind::Constant)
            return field->editor()->control();
    }
    return m_add;
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

bool ObjectEditor::hasField(const QString &token) const
{
    return isDeclared(token) ? !isHidden(token) : rowOf(token) >= 0;
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

void ObjectEditor::setFilter(const FieldFilter *filter)
{
    const auto column = [filter](FieldColumn *fields, const std::function<QString(qsizetype)> &nameAt) {
        fields->setFilter(filter ? [&](qsizetype index) { return filter->shows(nameAt(index)); }
                                 : std::function<bool(qsizetype)>());
    };
    column(m_fields, [this](qsizetype index) { return m_names.at(index); });
    column(m_rows, [this](qsizetype index) { return m_members.at(index)->name(); });
    const QList<Field *> drawn = fields();
    for (Field *field : drawn)
        field->setFilter(filter ? filter->within(field->draft()->name()) : nullptr);
    showRows();
}

void ObjectEditor::rename(const QString &pointer)
{
    m_add->setObjectName("add:"_L1 + pointer);
    m_add->setAccessibleName(m_add->text());
    if (m_picker)
        m_picker->rename(pointer, tr("Which to give"));
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
        if (!m_shape.isRequired(name) && !isHidden(name))
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
