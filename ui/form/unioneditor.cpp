// SPDX-License-Identifier: Apache-2.0
#include "ui/form/unioneditor.h"

#include "core/protocol/visibletext.h"
#include "ui/form/inputs.h"
#include "ui/form/objecteditor.h"
#include "ui/theme/widgets.h"

#include <QAbstractButton>
#include <QBoxLayout>
#include <QSignalBlocker>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr int MaxSegments = 5;
constexpr int SimplePickerWidth = 104;
constexpr int MaxSegmentsWidth = 264;  // px: what a form 420 wide has left within two groups

}  // namespace

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
    int width = 0;
    for (qsizetype i = 0; i < m_shape.branches.size(); ++i) {
        labels.append(visibleLine(m_context->values.branchLabel(m_shape, i), 60));
        width += fontMetrics().horizontalAdvance(labels.constLast()) + 3 * Grid;
    }
    // Simple values are next to the choice of the branch.
    const bool isSimple = hasOnlySimpleBranches();
    if (isSimple)
        m_layout->setDirection(QBoxLayout::LeftToRight);
    if (!isSimple && labels.size() <= MaxSegments && width <= MaxSegmentsWidth) {
        m_segments = new SegmentedControl(this);
        for (const QString &label : std::as_const(labels))
            m_segments->addSegment(label);
        m_segments->setCurrent(m_branch);
        m_layout->addWidget(m_segments, 0, Qt::AlignLeft | Qt::AlignTop);
        connect(m_segments, &SegmentedControl::currentChanged, this, &UnionEditor::pick);
    } else {
        m_combo = new CalmComboBox(this);
        m_combo->addItems(labels);
        m_combo->setCurrentIndex(m_branch);
        if (isSimple)
            m_combo->setFixedWidth(SimplePickerWidth);
        m_layout->addWidget(m_combo, 0, isSimple ? Qt::AlignTop : Qt::Alignment());
        connect(m_combo, &QComboBox::activated, this, &UnionEditor::pick);
    }
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
        m_inner = new ObjectEditor(m_context, m_draft, shape, this, m_context->values.discriminator(m_shape));
    else
        m_inner = makeEditor(m_context, m_draft, shape, m_label, this);
    // The field names the choice of the branch; the input has the argument's name.
    QWidget *input = m_inner->control();
    if (input->accessibleName().isEmpty() && !qobject_cast<QAbstractButton *>(input))
        input->setAccessibleName(visibleLine(m_label, 60));
    m_layout->addWidget(m_inner, 1);
    connect(m_inner, &Editor::edited, this, &UnionEditor::edited);
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
    else if (m_draft->isPresent())
        m_draft->assign(m_context->values.starting(shape));
    else if (const QByteArray initial = m_context->values.initial(shape); shape.isContainer() && !initial.isEmpty())
        m_draft->assign(initial);
    showBranch();
    rename(m_draft->pointer().toString());
    Q_EMIT edited();
    Q_EMIT m_context->built();
}

QWidget *UnionEditor::control() const
{
    return m_segments ? static_cast<QWidget *>(m_segments) : m_combo;
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

void UnionEditor::rename(const QString &pointer)
{
    m_inner->rename(pointer);
    control()->setObjectName("branch:"_L1 + pointer);
    control()->setAccessibleName(tr("Type of %1").arg(visibleLine(m_label, 60)));
    if (m_segments) {
        for (int i = 0; i < m_shape.branches.size(); ++i)
            m_segments->button(i)->setObjectName(u"branch:%1:%2"_s.arg(QString::number(i), pointer));
    }
}

void UnionEditor::becamePresent()
{
    m_inner->becamePresent();
}

}  // namespace sonde::ui
