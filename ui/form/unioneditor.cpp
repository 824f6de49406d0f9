// SPDX-License-Identifier: Apache-2.0
#include "ui/form/unioneditor.h"

#include "core/protocol/visibletext.h"
#include "ui/form/branchpicker.h"
#include "ui/form/formarea.h"
#include "ui/form/inputs.h"
#include "ui/form/objecteditor.h"
#include "ui/form/stacklayouts.h"
#include "ui/theme/readingorder.h"
#include "ui/theme/widgets.h"

#include <QAbstractButton>
#include <QApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace sonde::ui {

UnionEditor::UnionEditor(FormContext *context, const Draft::Ptr &draft, const Shape &shape, const QString &label,
                         QWidget *parent)
    : Editor(context, draft, shape, parent), m_label(label)
{
    // Simple values are next to the choice of the branch.
    if (hasOnlySimpleBranches())
        m_row = new BreakingRowLayout(this);
    else
        m_column = new QVBoxLayout(this);
    layout()->setContentsMargins(0, 0, 0, 0);
    layout()->setSpacing(Grid);
    const json::Value value = draft->value();
    const json::Value tag = context->values.unknownTag(shape, value);
    if (tag.exists()) {
        m_unknown = u"“%1”"_s.arg(visibleLine(tag.isString() ? tag.string() : QString::fromUtf8(tag.bytes()), 60));
        m_branch = int(shape.branches.size());
    } else if (draft->isPresent()) {
        m_branch = qMax(0, context->values.branchFor(shape, value));
    }
    makePicker();
    showBranch();
}

void UnionEditor::makePicker()
{
    QStringList labels;
    for (qsizetype i = 0; i < m_shape.branches.size(); ++i)
        labels.append(visibleLine(m_context->values.branchLabel(m_shape, i), 60));
    if (!m_unknown.isEmpty())
        labels.append(m_unknown);
    m_picker =
        new BranchPicker(labels, m_branch, m_row ? BranchPicker::Kind::NarrowList : BranchPicker::Kind::Fitting, this);
    if (m_row)
        m_row->addWidget(m_picker);
    else
        m_column->addWidget(m_picker);
    connect(m_picker, &BranchPicker::picked, this, &UnionEditor::pick);
}

bool UnionEditor::hasOnlySimpleBranches() const
{
    for (qsizetype i = 0; i < m_shape.branches.size(); ++i) {
        const Shape::Kind kind = m_context->reader().branch(m_shape, i).kind;
        if (kind != Shape::Kind::Text && kind != Shape::Kind::Number && kind != Shape::Kind::Boolean)
            return false;
    }
    return true;
}

void UnionEditor::showBranch()
{
    if (m_inner) {
        layout()->removeWidget(m_inner);
        m_inner->disconnect(this);
        m_context->discard(m_inner);
    }
    const ShapeValues &values = m_context->values;
    // Of an unknown one, the members are shown as those of the branch that it is most like.
    const int branch = isUnknown(m_branch) ? qMax(0, values.branchFor(m_shape, m_draft->value())) : m_branch;
    const Shape shape = m_context->reader().branch(m_shape, branch);
    if (shape.kind == Shape::Kind::Object && (!m_draft->isPresent() || m_draft->kind() == json::Kind::Object))
        m_inner = new ObjectEditor(m_context, m_draft, shape, this,
                                   isUnknown(m_branch) ? values.discriminator(m_shape)
                                                       : values.impliedMember(m_shape, branch, m_draft->value()));
    else
        m_inner = makeEditor(m_context, m_draft, shape, m_label, this);
    // Whether the place is sent is said beside the union, whatever its branch.
    m_inner->hidePresence();
    // The field names the choice of the branch; the input has the argument's name.
    QWidget *input = m_inner->control();
    if (input->accessibleName().isEmpty() && !qobject_cast<QAbstractButton *>(input))
        input->setAccessibleName(visibleLine(m_label, 60));
    if (m_row)
        m_row->insertWidget(m_row->indexOf(m_picker) + 1, m_inner, 1);
    else
        m_column->addWidget(m_inner, 1);
    connect(m_inner, &Editor::edited, this, &UnionEditor::edited);
    connect(m_inner, &Editor::linesEntered, this, &UnionEditor::linesEntered);
    connect(m_inner, &Editor::outdated, this, &UnionEditor::outdated);
}

void UnionEditor::pick(int branch)
{
    if (branch == m_branch)
        return;
    m_context->settle();
    if (m_draft->isPresent())
        m_kept.insert(m_branch, m_draft->bytes());
    const bool wasUnknown = isUnknown(m_branch);
    m_branch = branch;
    const Shape shape = m_context->reader().branch(m_shape, branch);
    // Choosing a branch of an omitted argument sends it only if the branch alone has a value.
    if (m_kept.contains(branch))
        m_draft->assign(m_kept.value(branch));
    else if (wasUnknown && m_draft->kind() == json::Kind::Object)
        tagAs(branch);
    else if (const QByteArray starting = m_context->values.starting(m_shape, branch);
             m_draft->isPresent() && !starting.isEmpty())
        m_draft->assign(starting);
    else if (m_draft->isPresent())
        writeNothing();
    else if (const QByteArray initial = m_context->values.initial(m_shape, branch);
             shape.isContainer() && !initial.isEmpty())
        m_draft->assign(initial);
    showBranch();
    rename(m_draft->pointer().toString());
    Q_EMIT edited();
    Q_EMIT m_context->built();
}

// The rest of the value stays: only its tag was wrong.
void UnionEditor::tagAs(int branch)
{
    const ShapeReader &reader = m_context->reader();
    const QString name = m_context->values.discriminator(m_shape);
    const ChoiceList tags = reader.property(reader.branch(m_shape, branch), name).choices;
    if (!tags.isEmpty())
        m_draft->member(name)->assign(tags.constFirst().json);
}

bool UnionEditor::addBesideChoice(QWidget *button)
{
    if (m_row)
        m_row->addWidget(button);
    return m_row;
}

QWidget *UnionEditor::control() const
{
    return m_picker->control();
}

void UnionEditor::setWrong(bool wrong)
{
    m_inner->setWrong(wrong);
}

QString UnionEditor::problem() const
{
    return m_inner->problem();
}

QList<Field *> UnionEditor::fields() const
{
    return m_inner->fields();
}

Field *UnionEditor::fieldAt(const QString &token) const
{
    return m_inner->fieldAt(token);
}

bool UnionEditor::hasField(const QString &token) const
{
    return m_inner->hasField(token);
}

qsizetype UnionEditor::rankOf(const QString &token) const
{
    return m_inner->rankOf(token);
}

Field *UnionEditor::reveal(const QString &token)
{
    return m_inner->reveal(token);
}

void UnionEditor::setFilter(const FieldFilter *filter)
{
    m_inner->setFilter(filter);
}

void UnionEditor::rename(const QString &pointer)
{
    m_inner->rename(pointer);
    m_picker->rename(pointer, tr("Type of %1").arg(visibleLine(m_label, 60)));
}

// What is typed where the branch is chosen is meant for its first value.
void UnionEditor::keyPressEvent(QKeyEvent *event)
{
    QWidget *first = isTypedText(event) && m_picker->isAncestorOf(QApplication::focusWidget())
                         ? focusStops(m_inner, Stops::Tab).value(0)
                         : nullptr;
    if (!qobject_cast<QLineEdit *>(first) && !qobject_cast<QPlainTextEdit *>(first))
        return Editor::keyPressEvent(event);
    first->setFocus(Qt::TabFocusReason);
    if (FormArea *area = FormArea::around(first))
        area->showField(first, 2 * Grid);
    QCoreApplication::sendEvent(first, event);
}

void UnionEditor::becamePresent()
{
    m_inner->becamePresent();
}

void UnionEditor::contentsEdited()
{
    m_inner->contentsEdited();
}

}  // namespace sonde::ui
