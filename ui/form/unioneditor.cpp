// SPDX-License-Identifier: Apache-2.0
#include "ui/form/unioneditor.h"

#include "core/protocol/visibletext.h"
#include "ui/form/branchpicker.h"
#include "ui/form/objecteditor.h"
#include "ui/theme/widgets.h"

#include <QAbstractButton>
#include <QBoxLayout>

using namespace Qt::StringLiterals;

namespace sonde::ui {

UnionEditor::UnionEditor(FormContext *context, const Draft::Ptr &draft, const Shape &shape, const QString &label,
                         QWidget *parent)
    : Editor(context, draft, shape, parent), m_label(label), m_layout(new QBoxLayout(QBoxLayout::TopToBottom, this))
{
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(Grid);
    m_branch = draft->isPresent() ? qMax(0, context->values.branchFor(shape, draft->value())) : 0;
    makePicker();
    showBranch();
}

void UnionEditor::makePicker()
{
    QStringList labels;
    for (qsizetype i = 0; i < m_shape.branches.size(); ++i)
        labels.append(visibleLine(m_context->values.branchLabel(m_shape, i), 60));
    // Simple values are next to the choice of the branch.
    const bool isSimple = hasOnlySimpleBranches();
    if (isSimple)
        m_layout->setDirection(QBoxLayout::LeftToRight);
    m_picker = new BranchPicker(labels, m_branch,
                                isSimple ? BranchPicker::Kind::NarrowList : BranchPicker::Kind::Fitting, this);
    m_layout->addWidget(m_picker, 0, isSimple ? Qt::AlignTop : Qt::Alignment());
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
        m_layout->removeWidget(m_inner);
        m_inner->hide();
        m_inner->disconnect(this);
        m_inner->deleteLater();
    }
    const Shape shape = m_context->reader().branch(m_shape, m_branch);
    if (shape.kind == Shape::Kind::Object && (!m_draft->isPresent() || m_draft->kind() == json::Kind::Object))
        m_inner = new ObjectEditor(m_context, m_draft, shape, this,
                                   m_context->values.impliedMember(m_shape, m_branch, m_draft->value()));
    else
        m_inner = makeEditor(m_context, m_draft, shape, m_label, this);
    // The field names the choice of the branch; the input has the argument's name.
    QWidget *input = m_inner->control();
    if (input->accessibleName().isEmpty() && !qobject_cast<QAbstractButton *>(input))
        input->setAccessibleName(visibleLine(m_label, 60));
    m_layout->addWidget(m_inner, 1);
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
    m_branch = branch;
    const Shape shape = m_context->reader().branch(m_shape, branch);
    // Choosing a branch of an omitted argument sends it only if the branch alone has a value.
    if (m_kept.contains(branch))
        m_draft->assign(m_kept.value(branch));
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

void UnionEditor::becamePresent()
{
    m_inner->becamePresent();
}

void UnionEditor::contentsEdited()
{
    m_inner->contentsEdited();
}

}  // namespace sonde::ui
