// SPDX-License-Identifier: Apache-2.0
#include "ui/form/booleaneditor.h"

#include "ui/theme/widgets.h"

#include <QHBoxLayout>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr int True = 0;
constexpr int False = 1;

}  // namespace

BooleanEditor::BooleanEditor(FormContext *context, const Draft::Ptr &draft, const Shape &shape, QWidget *parent)
    : Editor(context, draft, shape, parent), m_choice(new SegmentedControl)
{
    m_choice->addSegment(u"true"_s);
    m_choice->addSegment(u"false"_s);
    if (shape.nullable)
        m_null = m_choice->addSegment(u"null"_s);
    if (!draft->isItem())
        m_notSent = m_choice->addSegment(tr("Omitted"));
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_choice);
    row->addStretch(1);
    load();
    connect(m_choice, &SegmentedControl::currentChanged, this, &BooleanEditor::write);
}

void BooleanEditor::load()
{
    m_loading = true;
    if (!m_draft->isPresent())
        m_choice->setCurrent(m_notSent);
    else if (m_draft->kind() == json::Kind::Null)
        m_choice->setCurrent(m_null);
    else
        m_choice->setCurrent(m_draft->bytes() == "true" ? True : False);
    m_loading = false;
}

QWidget *BooleanEditor::control() const
{
    return m_choice;
}

void BooleanEditor::hidePresence()
{
    m_choice->setSegmentVisible(m_notSent, false);
}

void BooleanEditor::rename(const QString &pointer)
{
    Editor::rename(pointer);
    m_choice->button(True)->setObjectName("true:"_L1 + pointer);
    m_choice->button(False)->setObjectName("false:"_L1 + pointer);
    if (m_null >= 0)
        m_choice->button(m_null)->setObjectName("null:"_L1 + pointer);
    if (m_notSent >= 0)
        m_choice->button(m_notSent)->setObjectName("presence:"_L1 + pointer);
}

void BooleanEditor::write(int segment)
{
    if (m_loading)
        return;
    if (segment == m_notSent)
        m_draft->retract();
    else if (segment == m_null)
        m_draft->assign("null");
    else
        m_draft->assign(segment == True ? "true" : "false");
    Q_EMIT edited();
}

}  // namespace sonde::ui
