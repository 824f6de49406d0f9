// SPDX-License-Identifier: Apache-2.0
#include "ui/form/constanteditor.h"

#include "core/protocol/visibletext.h"
#include "ui/form/inputs.h"
#include "ui/theme/widgets.h"

#include <QHBoxLayout>

namespace sonde::ui {

ConstantEditor::ConstantEditor(FormContext *context, const Draft::Ptr &draft, const Shape &shape, QWidget *parent)
    : Editor(context, draft, shape, parent), m_label(new TextLabel)
{
    m_label->setFont(monoFont());
    m_label->setWordWrap(true);
    m_label->setMinimumHeight(inputHeight() - 4);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_label, 1);
    load();
}

void ConstantEditor::load()
{
    const Choice &choice = m_shape.choices.constFirst();
    const bool isSent = m_draft->isPresent();
    const bool isNull = isSent && m_draft->kind() == json::Kind::Null && choice.json != "null";
    m_label->setText(isNull ? tr("null") : visibleText(choice.label));
    m_label->setDim(!isSent);
    m_label->setAccessibleDescription(isSent ? tr("Set") : tr("Omitted"));
}

QWidget *ConstantEditor::control() const
{
    return m_label;
}

}  // namespace sonde::ui
